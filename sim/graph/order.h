#pragma once

/// An order in which every edge points forward, or the cycle that forbids one.

#include <cstdint>
#include <vector>

#include "graph/digraph.h"

namespace rigcast::graph {

struct Order {
  std::vector<std::uint32_t> vertices;  ///< all of them when there is no cycle
  std::vector<std::uint32_t>
      cycle;  ///< otherwise one cycle, each vertex once, every one followed by a successor

  bool acyclic() const { return cycle.empty(); }
};

/// Vertices of equal standing come in order of index within their wave. O(V + E), plus sorting each wave.
Order topological_order(const Digraph& graph);

/// Numbers the weakly connected parts 0, 1, ... in order of their lowest vertex. O(V + E).
std::vector<std::uint32_t> components(const Digraph& graph);

}  // namespace rigcast::graph
