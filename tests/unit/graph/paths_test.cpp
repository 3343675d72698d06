#include "graph/paths.h"

#include <doctest/doctest.h>

#include <limits>

using namespace rigcast::graph;

namespace {

// 0 -> 3 three ways: directly (cost 5, width 100), over 1 (cost 1 + 1, widths 10 and 4), over 2 (cost 1 + 1,
// widths 8 and 6).
Digraph three_ways() {
  Digraph graph{4, {}};
  graph.add(0, 3, 5, 100);
  graph.add(0, 1, 1, 10);
  graph.add(1, 3, 1, 4);
  graph.add(0, 2, 1, 8);
  graph.add(2, 3, 1, 6);
  return graph;
}

}  // namespace

TEST_CASE("the cheapest path wins, and among equal costs the widest") {
  const auto path = shortest_path(three_ways(), 0, 3);
  REQUIRE(path);
  // Costs: 5, 2, 2. Widths of the two cheap ones: min(10, 4) = 4 and min(8, 6) = 6.
  CHECK(path->edges == std::vector<std::uint32_t>{3, 4});
  CHECK(path->cost == 2);
  CHECK(path->width == 6);
}

TEST_CASE("the widest path ignores cost unless widths are equal") {
  const auto path = widest_path(three_ways(), 0, 3);
  REQUIRE(path);
  CHECK(path->edges == std::vector<std::uint32_t>{0});
  CHECK(path->width == 100);

  // Given two paths of width 7, one of three edges and one of two, the two-edge path is taken.
  Digraph graph{4, {}};
  graph.add(0, 1, 1, 9);
  graph.add(1, 2, 1, 9);
  graph.add(2, 3, 1, 7);
  graph.add(1, 3, 1, 7);
  const auto narrow = widest_path(graph, 0, 3);
  REQUIRE(narrow);
  CHECK(narrow->edges == std::vector<std::uint32_t>{0, 3});
  CHECK(narrow->cost == 2);
}

TEST_CASE("of parallel edges the wider is taken at equal cost") {
  Digraph graph{2, {}};
  graph.add(0, 1, 1, 3);
  graph.add(0, 1, 1, 8);
  const auto path = shortest_path(graph, 0, 1);
  REQUIRE(path);
  CHECK(path->edges == std::vector<std::uint32_t>{1});
}

TEST_CASE("edges have a direction, and the path to the source itself is empty") {
  Digraph graph{3, {}};
  graph.add(1, 0);
  graph.add(1, 2);
  CHECK_FALSE(shortest_path(graph, 0, 1));
  CHECK_FALSE(widest_path(graph, 0, 2));
  const auto here = shortest_path(graph, 2, 2);
  REQUIRE(here);
  CHECK(here->edges.empty());
  CHECK(here->cost == 0);
  CHECK(here->width == std::numeric_limits<double>::infinity());
}

TEST_CASE("one search to all vertices agrees with single searches") {
  const Digraph graph = three_ways();
  const auto all = shortest_paths(graph, 0);
  REQUIRE(all.size() == 4);
  for (std::uint32_t to = 0; to < 4; ++to) {
    const auto one = shortest_path(graph, 0, to);
    REQUIRE(one);
    REQUIRE(all[to]);
    CHECK(all[to]->edges == one->edges);
  }
  CHECK(all[1]->cost == 1);
}
