#include "graph/order.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

#include "base/check.h"

// Kahn's algorithm on flat arrays: vertices without unfinished predecessors leave in waves. (The library's
// depth-first version gives an order that depends on how edges were inserted and no witness.) What never
// leaves has a predecessor that never leaves either, so walking back from any such vertex must come round:
// that walk is the cycle.

namespace rigcast::graph {
namespace {

std::vector<std::uint32_t> find_cycle(const Digraph& graph, const std::vector<std::uint32_t>& waiting) {
  // Of every waiting vertex, one predecessor that waits too.
  std::vector<std::uint32_t> predecessor(graph.vertices, graph.vertices);
  for (const Edge& edge : graph.edges)
    if (waiting[edge.from] > 0 && predecessor[edge.to] == graph.vertices) predecessor[edge.to] = edge.from;
  std::uint32_t at = 0;
  while (waiting[at] == 0) ++at;
  std::vector<std::uint32_t> walk;
  std::vector<bool> seen(graph.vertices, false);
  for (; !seen[at]; at = predecessor[at]) {
    seen[at] = true;
    walk.push_back(at);
  }
  walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), at));
  std::reverse(walk.begin(), walk.end());
  std::rotate(walk.begin(), std::min_element(walk.begin(), walk.end()), walk.end());
  return walk;
}

}  // namespace

Order topological_order(const Digraph& graph) {
  std::vector<std::uint32_t> waiting(graph.vertices, 0), first(graph.vertices + 1, 0),
      successor(graph.edges.size());
  for (const Edge& edge : graph.edges) {
    RIG_CHECK(edge.from < graph.vertices && edge.to < graph.vertices, "edge leaves the graph");
    ++waiting[edge.to];
    ++first[edge.from + 1];
  }
  for (std::uint32_t v = 0; v < graph.vertices; ++v) first[v + 1] += first[v];
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (const Edge& edge : graph.edges) successor[next[edge.from]++] = edge.to;

  Order order;
  order.vertices.reserve(graph.vertices);
  for (std::uint32_t v = 0; v < graph.vertices; ++v)
    if (waiting[v] == 0) order.vertices.push_back(v);
  for (std::size_t wave = 0; wave < order.vertices.size();) {
    const std::size_t end = order.vertices.size();
    for (; wave < end; ++wave) {
      const std::uint32_t v = order.vertices[wave];
      for (std::uint32_t e = first[v]; e < first[v + 1]; ++e)
        if (--waiting[successor[e]] == 0) order.vertices.push_back(successor[e]);
    }
    std::sort(order.vertices.begin() + static_cast<std::ptrdiff_t>(end), order.vertices.end());
  }
  if (order.vertices.size() < graph.vertices) order.cycle = find_cycle(graph, waiting);
  return order;
}

std::vector<std::uint32_t> components(const Digraph& graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> undirected(graph.vertices);
  for (const Edge& edge : graph.edges) {
    RIG_CHECK(edge.from < graph.vertices && edge.to < graph.vertices, "edge leaves the graph");
    boost::add_edge(edge.from, edge.to, undirected);
  }
  std::vector<std::uint32_t> component(graph.vertices);
  boost::connected_components(
      undirected,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, undirected)));
  return component;
}

}  // namespace rigcast::graph
