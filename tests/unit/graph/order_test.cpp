#include "graph/order.h"

#include <doctest/doctest.h>

using namespace rigcast::graph;

TEST_CASE("every edge points forward, waves sorted by index") {
  // 3 -> 1, 3 -> 0, 1 -> 2, 0 -> 2: first wave {3}, second {0, 1}, third {2}.
  Digraph graph{4, {}};
  graph.add(3, 1);
  graph.add(3, 0);
  graph.add(1, 2);
  graph.add(0, 2);
  const Order order = topological_order(graph);
  CHECK(order.acyclic());
  CHECK(order.vertices == std::vector<std::uint32_t>{3, 0, 1, 2});
}

TEST_CASE("a cycle is named, without what merely hangs on it") {
  // 0 -> 1 -> 2 -> 3 -> 1, 3 -> 4: the cycle is 1, 2, 3; 0 leads in and 4 hangs behind.
  Digraph graph{5, {}};
  graph.add(0, 1);
  graph.add(1, 2);
  graph.add(2, 3);
  graph.add(3, 1);
  graph.add(3, 4);
  const Order order = topological_order(graph);
  CHECK_FALSE(order.acyclic());
  CHECK(order.vertices == std::vector<std::uint32_t>{0});
  CHECK(order.cycle == std::vector<std::uint32_t>{1, 2, 3});
}

TEST_CASE("a loop is a cycle of one; parallel edges are none") {
  Digraph loop{2, {}};
  loop.add(1, 1);
  CHECK(topological_order(loop).cycle == std::vector<std::uint32_t>{1});
  Digraph twice{2, {}};
  twice.add(0, 1);
  twice.add(0, 1);
  CHECK(topological_order(twice).acyclic());
  CHECK(topological_order(Digraph{}).acyclic());
}

TEST_CASE("components ignore direction and are numbered by their lowest vertex") {
  Digraph graph{5, {}};
  graph.add(4, 0);
  graph.add(2, 1);
  CHECK(components(graph) == std::vector<std::uint32_t>{0, 1, 1, 2, 0});
}
