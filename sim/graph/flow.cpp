#include "graph/flow.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>

#include "base/check.h"

// Edmonds and Karp's algorithm: augment along shortest residual paths. Its number of rounds does not depend
// on the capacities, so doubles are safe. After the last round, the vertices still reachable in the residual
// graph are the source's side of a minimum cut (max-flow min-cut theorem); the edges leaving that side are
// the bottleneck.

namespace rigcast::graph {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, double,
                    boost::property<boost::edge_residual_capacity_t, double,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

}  // namespace

Flow max_flow(const Digraph& graph, std::uint32_t from, std::uint32_t to) {
  RIG_CHECK(from < graph.vertices && to < graph.vertices && from != to, "flow needs two vertices");
  Network network(graph.vertices);
  const auto capacity = boost::get(boost::edge_capacity, network);
  const auto residual = boost::get(boost::edge_residual_capacity, network);
  const auto reverse = boost::get(boost::edge_reverse, network);
  std::vector<Traits::edge_descriptor> forward;
  forward.reserve(graph.edges.size());
  for (const Edge& edge : graph.edges) {
    RIG_CHECK(edge.from < graph.vertices && edge.to < graph.vertices, "edge leaves the graph");
    const auto there = boost::add_edge(edge.from, edge.to, network).first;
    const auto back = boost::add_edge(edge.to, edge.from, network).first;
    capacity[there] = edge.width;
    capacity[back] = 0;
    reverse[there] = back;
    reverse[back] = there;
    forward.push_back(there);
  }

  std::vector<boost::default_color_type> reached(graph.vertices);
  std::vector<Traits::edge_descriptor> predecessor(graph.vertices);
  const auto index = boost::get(boost::vertex_index, network);
  Flow flow;
  flow.value = boost::edmonds_karp_max_flow(
      network, from, to,
      boost::color_map(boost::make_iterator_property_map(reached.begin(), index))
          .predecessor_map(boost::make_iterator_property_map(predecessor.begin(), index)));

  const auto on_source_side = [&](std::uint32_t vertex) { return reached[vertex] != boost::white_color; };
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    flow.on_edge.push_back(capacity[forward[i]] - residual[forward[i]]);
    if (on_source_side(graph.edges[i].from) && !on_source_side(graph.edges[i].to) && graph.edges[i].width > 0)
      flow.cut.push_back(i);
  }
  return flow;
}

}  // namespace rigcast::graph
