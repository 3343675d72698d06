#pragma once

/// Best paths. Equal candidates are decided by the order of the edges, so that the same graph always gives
/// the same path.

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/digraph.h"

namespace rigcast::graph {

struct Path {
  std::vector<std::uint32_t>
      edges;  ///< indices into Digraph::edges, from the source on; empty when source = target
  double cost = 0;
  double width = 0;  ///< of the narrowest edge; infinite for the empty path
};

/// The cheapest path, and among the cheapest the widest; nothing when there is none. O((V + E) log V).
std::optional<Path> shortest_path(const Digraph& graph, std::uint32_t from, std::uint32_t to);

/// As `shortest_path`, to every vertex at once: element v is the path to v.
std::vector<std::optional<Path>> shortest_paths(const Digraph& graph, std::uint32_t from);

/// The path whose narrowest edge is widest, and among those the cheapest. O((V + E) log V).
std::optional<Path> widest_path(const Digraph& graph, std::uint32_t from, std::uint32_t to);

}  // namespace rigcast::graph
