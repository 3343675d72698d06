#include "graph/paths.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>
#include <utility>

#include "base/check.h"

// Dijkstra's algorithm needs of its labels only that a longer path is never better and that extending two
// paths by the same edge keeps their order. (cost, width), compared by cost and then by larger width, has
// both: costs add, widths take the minimum, and min(a, e) >= min(b, e) when a >= b. So one run gives the
// cheapest paths and the widest among them. Widest paths alone are the same algorithm over min and max; to
// prefer cheap ones, the edges narrower than the best width are dropped and the cheapest path is sought in
// what remains (comparing by width first would not be isotone).

namespace rigcast::graph {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Label {
  double cost, width;
};

struct Better {
  bool operator()(const Label& a, const Label& b) const {
    return a.cost < b.cost || (a.cost == b.cost && a.width > b.width);
  }
};

struct Extend {
  Label operator()(const Label& path, const Label& edge) const {
    return {path.cost + edge.cost, std::min(path.width, edge.width)};
  }
};

// Bundled edge property: the index in Digraph::edges and the label.
struct EdgeData {
  std::uint32_t index;
  Label label;
};

using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, EdgeData,
                                               boost::no_property, std::uint32_t, std::uint32_t>;

struct RecordEdge : boost::default_dijkstra_visitor {
  explicit RecordEdge(std::vector<std::uint32_t>* edges) : into(edges) {}
  void edge_relaxed(const Csr::edge_descriptor& edge, const Csr& graph) const {
    (*into)[boost::target(edge, graph)] = graph[edge].index;
  }
  std::vector<std::uint32_t>* into;
};

Csr to_boost(const Digraph& graph, double least_width) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<EdgeData> data;
  ends.reserve(graph.edges.size());
  data.reserve(graph.edges.size());
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    const Edge& edge = graph.edges[i];
    RIG_CHECK(edge.from < graph.vertices && edge.to < graph.vertices, "edge leaves the graph");
    RIG_CHECK(edge.cost >= 0, "negative cost");
    if (edge.width < least_width) continue;
    ends.emplace_back(edge.from, edge.to);
    data.push_back({i, {edge.cost, edge.width}});
  }
  return Csr(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), data.begin(), graph.vertices);
}

struct Tree {
  std::vector<Label> labels;
  std::vector<std::uint32_t> last_edge;
};

template <class Compare, class Combine>
Tree search(const Digraph& graph, std::uint32_t from, double least_width, Label worst, Label best,
            Compare compare, Combine combine) {
  RIG_CHECK(from < graph.vertices, "source outside the graph");
  const Csr csr = to_boost(graph, least_width);
  Tree tree{std::vector<Label>(graph.vertices, worst), std::vector<std::uint32_t>(graph.vertices, kNone)};
  boost::dijkstra_shortest_paths(csr, from,
                                 boost::weight_map(boost::get(&EdgeData::label, csr))
                                     .distance_map(boost::make_iterator_property_map(
                                         tree.labels.begin(), boost::get(boost::vertex_index, csr)))
                                     .distance_compare(compare)
                                     .distance_combine(combine)
                                     .distance_inf(worst)
                                     .distance_zero(best)
                                     .visitor(RecordEdge(&tree.last_edge)));
  return tree;
}

Tree shortest_tree(const Digraph& graph, std::uint32_t from, double least_width) {
  return search(graph, from, least_width, Label{kInfinity, 0}, Label{0, kInfinity}, Better{}, Extend{});
}

std::optional<Path> read_path(const Digraph& graph, const Tree& tree, std::uint32_t from, std::uint32_t to) {
  if (to != from && tree.last_edge[to] == kNone) return std::nullopt;
  Path path{{}, 0, kInfinity};
  for (std::uint32_t at = to; at != from; at = graph.edges[tree.last_edge[at]].from)
    path.edges.push_back(tree.last_edge[at]);
  std::reverse(path.edges.begin(), path.edges.end());
  for (const std::uint32_t index : path.edges) {
    path.cost += graph.edges[index].cost;
    path.width = std::min(path.width, graph.edges[index].width);
  }
  return path;
}

}  // namespace

std::optional<Path> shortest_path(const Digraph& graph, std::uint32_t from, std::uint32_t to) {
  RIG_CHECK(to < graph.vertices, "target outside the graph");
  return read_path(graph, shortest_tree(graph, from, -kInfinity), from, to);
}

std::vector<std::optional<Path>> shortest_paths(const Digraph& graph, std::uint32_t from) {
  const Tree tree = shortest_tree(graph, from, -kInfinity);
  std::vector<std::optional<Path>> paths;
  paths.reserve(graph.vertices);
  for (std::uint32_t to = 0; to < graph.vertices; ++to) paths.push_back(read_path(graph, tree, from, to));
  return paths;
}

std::optional<Path> widest_path(const Digraph& graph, std::uint32_t from, std::uint32_t to) {
  RIG_CHECK(to < graph.vertices, "target outside the graph");
  const auto wider = [](const Label& a, const Label& b) { return a.width > b.width; };
  const Tree tree =
      search(graph, from, -kInfinity, Label{0, -kInfinity}, Label{0, kInfinity}, wider, Extend{});
  if (to != from && tree.last_edge[to] == kNone) return std::nullopt;
  return read_path(graph, shortest_tree(graph, from, tree.labels[to].width), from, to);
}

}  // namespace rigcast::graph
