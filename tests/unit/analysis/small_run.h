#pragma once

/// Builds small graphs of a few iterations, plays them and reads them, so that each test states only what is
/// special.

#include <doctest/doctest.h>

#include <limits>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "engine/simulate.h"

namespace rigcast::analysis {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

inline Time at(double seconds) { return Time::ceil({seconds}); }

/// A demand counted in seconds that shares nothing.
inline task::Demand alone(task::Kind kind) { return {{}, 1, 1, kind, {}, {}}; }

class SmallRun {
 public:
  task::Graph graph;
  task::Resources resources;
  std::vector<task::TaskId> ends;
  timeline::Timeline timeline;

  task::TaskId add(task::Phase phase, int iteration, double work, const task::Demand& demand,
                   task::LaneId lane = {}, std::vector<task::TaskId> after = {},
                   task::BreakdownId breakdown = {}) {
    task::Label label;
    label.phase = phase;
    label.iteration = static_cast<std::uint16_t>(iteration);
    const task::TaskId task = graph.add({label, work, graph.intern(demand), lane, 0, breakdown});
    for (const task::TaskId before : after) graph.add_edge(before, task);
    return task;
  }

  /// The end of an iteration, after `last`.
  void end(int iteration, task::TaskId last) {
    ends.push_back(add(task::Phase::kMarker, iteration, 0, alone(task::Kind::kDependency), {}, {last}));
  }

  void play() {
    graph.seal();
    auto result = engine::simulate(graph, resources);
    REQUIRE(result.has_value());
    timeline = *std::move(result);
  }

  SteadyState steady() const { return steady_state(timeline, ends); }
  CriticalPath path() const { return critical_path(graph, resources, timeline, steady(), ends); }
};

/// Share of a kind, over all its resources.
inline double share(const CriticalPath& path, task::Kind kind) {
  double sum = 0;
  for (const Share& entry : path.shares)
    if (entry.kind == kind) sum += entry.share;
  return sum;
}

inline double total(const CriticalPath& path) {
  double sum = 0;
  for (const Share& entry : path.shares) sum += entry.share;
  return sum;
}

}  // namespace rigcast::analysis
