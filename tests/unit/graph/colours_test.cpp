#include "graph/colours.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace rigcast::graph;

namespace {

std::size_t classes(const std::vector<std::uint32_t>& colours) {
  return std::set<std::uint32_t>(colours.begin(), colours.end()).size();
}

}  // namespace

TEST_CASE("a ring has one colour, a path of five has three") {
  Digraph ring{6, {}};
  for (std::uint32_t v = 0; v < 6; ++v) ring.add(v, (v + 1) % 6);
  CHECK(classes(stable_colours(ring, std::vector<std::uint32_t>(6, 0))) == 1);

  // Undirected path a-b-c-d-e: the ends, their neighbours, the middle.
  Digraph path{5, {}};
  for (std::uint32_t v = 0; v + 1 < 5; ++v) {
    path.add(v, v + 1);
    path.add(v + 1, v);
  }
  const auto colours = stable_colours(path, std::vector<std::uint32_t>(5, 0));
  CHECK(classes(colours) == 3);
  CHECK(colours[0] == colours[4]);
  CHECK(colours[1] == colours[3]);
  CHECK(colours[1] != colours[2]);
}

TEST_CASE("one marked vertex of a ring splits it by distance") {
  // Undirected ring of six with vertex 0 marked: distances 0, 1, 2, 3, 2, 1 give four classes.
  Digraph ring{6, {}};
  for (std::uint32_t v = 0; v < 6; ++v) {
    ring.add(v, (v + 1) % 6);
    ring.add((v + 1) % 6, v);
  }
  const auto colours = stable_colours(ring, {1, 0, 0, 0, 0, 0});
  CHECK(classes(colours) == 4);
  CHECK(colours[1] == colours[5]);
  CHECK(colours[2] == colours[4]);
}

TEST_CASE("labels and directions of edges are told apart") {
  Digraph graph{4, {}};
  graph.add(0, 1);
  graph.add(2, 3);
  CHECK(classes(stable_colours(graph, {0, 0, 0, 0})) == 2);  // sources and targets
  graph.edges[1].label = 7;
  CHECK(classes(stable_colours(graph, {0, 0, 0, 0})) == 4);
}

TEST_CASE("renaming vertices renames the colours' owners and nothing else") {
  // A star of three leaves with a tail, then the same graph with vertex v called 4 - v.
  Digraph graph{5, {}}, renamed{5, {}};
  for (const auto& [a, b] : {std::pair{0u, 1u}, {0u, 2u}, {0u, 3u}, {3u, 4u}}) {
    graph.add(a, b);
    renamed.add(4 - a, 4 - b);
  }
  const auto colours = stable_colours(graph, {0, 0, 0, 0, 0});
  auto mirrored = stable_colours(renamed, {0, 0, 0, 0, 0});
  std::reverse(mirrored.begin(), mirrored.end());
  CHECK(colours == mirrored);
  CHECK(classes(colours) == 4);  // centre, two plain leaves, the leaf with a tail, the tail
}
