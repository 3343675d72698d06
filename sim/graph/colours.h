#pragma once

/// Which vertices look alike from everywhere: the stable partition of colour refinement.

#include <cstdint>
#include <vector>

#include "graph/digraph.h"

namespace rigcast::graph {

/// The coarsest partition that refines `initial` (one colour per vertex) such that two vertices of one colour
/// have, for every edge label, direction and colour, equally many neighbours. Colours are 0, 1, ...; their
/// numbering depends only on structure, not on the order of vertices or edges. Vertices that an automorphism
/// maps onto each other always share a colour; the converse can fail on very regular graphs, so a caller that
/// merges vertices must check what it relies on. O(rounds x (V + E) log E), rounds <= V.
std::vector<std::uint32_t> stable_colours(const Digraph& graph, const std::vector<std::uint32_t>& initial);

}  // namespace rigcast::graph
