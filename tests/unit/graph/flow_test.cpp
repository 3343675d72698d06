#include "graph/flow.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace rigcast::graph;

TEST_CASE("flow through a diamond equals its minimum cut") {
  // 0 -> 1 (3), 0 -> 2 (2), 1 -> 3 (2), 2 -> 3 (3), 1 -> 2 (1).
  // Cuts: {0} 3 + 2 = 5; {0,1} 2 + 2 + 1 = 5; {0,2} 3 + 3 = 6; {0,1,2} 2 + 3 = 5. So the flow is 5.
  Digraph graph{4, {}};
  graph.add(0, 1, 1, 3);
  graph.add(0, 2, 1, 2);
  graph.add(1, 3, 1, 2);
  graph.add(2, 3, 1, 3);
  graph.add(1, 2, 1, 1);
  const Flow flow = max_flow(graph, 0, 3);
  CHECK(flow.value == 5);
  CHECK(flow.on_edge[0] == 3);
  CHECK(flow.on_edge[1] == 2);
  CHECK(flow.on_edge[4] == 1);
  CHECK(flow.cut == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("eight leaves behind one uplink: the uplink is the cut") {
  // Leaves 1..8 with 16 each behind switch 9, uplink of 16 to 0: 16 in all, not 128.
  Digraph graph{11, {}};
  for (std::uint32_t leaf = 1; leaf <= 8; ++leaf) {
    graph.add(10, leaf, 1, 1000);
    graph.add(leaf, 9, 1, 16);
  }
  const std::uint32_t uplink = graph.add(9, 0, 1, 16);
  const Flow flow = max_flow(graph, 10, 0);
  CHECK(flow.value == 16);
  CHECK(flow.cut == std::vector<std::uint32_t>{uplink});
}

TEST_CASE("fractions are kept, and nothing flows where there is no path") {
  Digraph graph{3, {}};
  graph.add(0, 1, 1, 0.1);
  graph.add(0, 1, 1, 0.2);
  const Flow flow = max_flow(graph, 0, 1);
  CHECK(std::fabs(flow.value - 0.3) < 1e-15);
  CHECK(max_flow(graph, 0, 2).value == 0);
  CHECK(max_flow(graph, 0, 2).cut.empty());
}
