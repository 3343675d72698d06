#pragma once

/// Scenario -> task graph, by named passes in a fixed order.

#include <array>
#include <string>
#include <vector>

#include "plan/scenario.h"
#include "task/graph.h"

namespace rigcast::lower {

/// Factors on the machine's speed by kind of resource: 2 doubles every resource of that kind, infinity makes
/// it free. What-if questions are answered by lowering again with a factor and simulating.
struct Speedup {
  std::array<double, task::kKindCount> factor;
  Speedup() { factor.fill(1); }
  static Speedup of(task::Kind kind, double by) {
    Speedup s;
    s.factor[static_cast<std::size_t>(kind)] = by;
    return s;
  }
  double operator[](task::Kind kind) const { return factor[static_cast<std::size_t>(kind)]; }
};

struct Options {
  int iterations = 6;       ///< enough for a steady state; the first ones fill queues
  bool cold_cache = false;  ///< first epoch: nothing of the data set is in the page cache
  Speedup speedup;
  std::string stop_after;  ///< name of a pass; empty: all
  bool verify = true;      ///< hold the finished graph against its rules
  bool breakdowns = true;  ///< what runs of kernels are made of, for attribution and traces
};

struct PassReport {
  std::string name;
  std::string purpose;
  std::size_t tasks_after = 0, edges_after = 0;
};

struct Lowered {
  task::Graph graph;
  task::Resources resources;
  std::vector<task::TaskId> iteration_ends;  ///< the marker that closes each iteration, in order
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;
  /// Device or link a resource belongs to, by resource id: "gpu0", "link:3". For settings without effect.
  std::vector<std::string> resource_owner;
};

Lowered lower(const plan::Scenario& scenario, const Options& options = {});

/// Names and purposes of all passes in order.
std::vector<PassReport> passes();

}  // namespace rigcast::lower
