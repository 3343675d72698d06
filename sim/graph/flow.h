#pragma once

/// Maximum flow and the cut that limits it: what a set of links can carry at most between two places.

#include <cstdint>
#include <vector>

#include "graph/digraph.h"

namespace rigcast::graph {

struct Flow {
  double value = 0;
  std::vector<double> on_edge;  ///< by edge index, 0 .. width
  std::vector<std::uint32_t>
      cut;  ///< saturated edges whose removal parts source and target, in order of index
};

/// From `from` to `to` (different vertices) with Edge::width as capacity. O(V E^2).
Flow max_flow(const Digraph& graph, std::uint32_t from, std::uint32_t to);

}  // namespace rigcast::graph
