#pragma once

/// The plain graph every algorithm of this room takes: callers need no graph library, and the library's
/// headers stay in the .cpp files. Vertices are 0 .. vertices-1; parallel edges and loops are allowed.

#include <cstdint>
#include <vector>

namespace rigcast::graph {

struct Edge {
  std::uint32_t from = 0, to = 0;
  double cost = 1;          ///< paths: added up, never negative
  double width = 1;         ///< paths: the narrowest counts; flow: the capacity
  std::uint32_t label = 0;  ///< colours: edges of different labels are told apart
};

struct Digraph {
  std::uint32_t vertices = 0;
  std::vector<Edge> edges;

  /// Adds an edge and returns its index.
  std::uint32_t add(std::uint32_t from, std::uint32_t to, double cost = 1, double width = 1) {
    edges.push_back({from, to, cost, width, 0});
    return static_cast<std::uint32_t>(edges.size() - 1);
  }
};

}  // namespace rigcast::graph
