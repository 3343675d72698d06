#include "graph/colours.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"

// Colour refinement (one-dimensional Weisfeiler-Leman): each round gives a vertex the sorted list of
// (direction, edge label, neighbour's colour) as a signature, sorts the signatures, and numbers them by rank.
// The old colour leads the signature, so classes only ever split; when a round splits none, the partition is
// stable. Ranking by the signature's contents rather than by first occurrence keeps the numbering the same
// for relabelled graphs.

namespace rigcast::graph {
namespace {

using Mark = std::array<std::uint32_t, 3>;  // direction, label, colour of the neighbour
using Signature = std::pair<std::uint32_t, std::vector<Mark>>;

// Replaces colours by the ranks of the signatures; returns how many there are.
std::uint32_t rank(const std::vector<Signature>& signatures, std::vector<std::uint32_t>& colours) {
  std::vector<std::uint32_t> by_signature(signatures.size());
  for (std::uint32_t v = 0; v < by_signature.size(); ++v) by_signature[v] = v;
  std::sort(by_signature.begin(), by_signature.end(),
            [&](std::uint32_t a, std::uint32_t b) { return signatures[a] < signatures[b]; });
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < by_signature.size(); ++i) {
    if (i > 0 && signatures[by_signature[i - 1]] != signatures[by_signature[i]]) ++count;
    colours[by_signature[i]] = count;
  }
  return by_signature.empty() ? 0 : count + 1;
}

}  // namespace

std::vector<std::uint32_t> stable_colours(const Digraph& graph, const std::vector<std::uint32_t>& initial) {
  RIG_CHECK(initial.size() == graph.vertices, "one initial colour per vertex");
  std::vector<std::uint32_t> colours = initial;
  std::vector<Signature> signatures(graph.vertices);
  for (std::uint32_t v = 0; v < graph.vertices; ++v) signatures[v] = {initial[v], {}};
  std::uint32_t classes = rank(signatures, colours);
  for (;;) {
    for (std::uint32_t v = 0; v < graph.vertices; ++v) signatures[v] = {colours[v], {}};
    for (const Edge& edge : graph.edges) {
      RIG_CHECK(edge.from < graph.vertices && edge.to < graph.vertices, "edge leaves the graph");
      signatures[edge.from].second.push_back({0, edge.label, colours[edge.to]});
      signatures[edge.to].second.push_back({1, edge.label, colours[edge.from]});
    }
    for (Signature& signature : signatures) std::sort(signature.second.begin(), signature.second.end());
    const std::uint32_t refined = rank(signatures, colours);
    if (refined == classes) return colours;
    classes = refined;
  }
}

}  // namespace rigcast::graph
