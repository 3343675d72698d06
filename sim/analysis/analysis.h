#pragma once

/// Reads a timeline: how long a steady iteration takes, what its time was spent on, how busy everything was.

#include <optional>
#include <vector>

#include "task/graph.h"
#include "timeline/timeline.h"

namespace rigcast::analysis {

struct SteadyState {
  Seconds iteration;              ///< mean over the steady iterations
  int first = 0, last = 0;        ///< iterations it was read from: ends of `first` to `last`
  bool reached = false;           ///< false: the last iterations still differ by more than 0.1 %
  Time window_start, window_end;  ///< the ends of iterations `first` and `last`
};

/// From the ends of the iterations. At least two iterations.
SteadyState steady_state(const timeline::Timeline& timeline, const std::vector<task::TaskId>& iteration_ends);

/// Time of one steady iteration spent on one kind at one resource, along the critical path.
struct Share {
  task::Kind kind;
  task::ResourceId resource;  ///< none when the kind is not a shared resource (host thread, latency)
  Seconds seconds;
  double share = 0;  ///< of the iteration; all shares add up to 1
};

/// One visit of the critical path, latest first.
struct CriticalStep {
  task::TaskId task;
  Time start, end;
};

struct CriticalPath {
  std::vector<Share> shares;        ///< largest first; kinds and resources once each
  std::vector<CriticalStep> steps;  ///< of the stretch that was attributed, one steady period
  double periods = 1;               ///< iterations the stretch spans
};

/// Walks back from the last iteration's end along what let each task start. The path of a pipelined machine
/// need not pass through the ends of iterations (a storage-bound one stays in the reads), so the stretch that
/// is attributed lies between two visits of the same task in different iterations: one period of the critical
/// cycle, without gap.
CriticalPath critical_path(const task::Graph& graph, const task::Resources& resources,
                           const timeline::Timeline& timeline, const SteadyState& steady,
                           const std::vector<task::TaskId>& iteration_ends);

struct Usage {
  double amount = 0;       ///< units used in one steady iteration (bytes where the unit is B)
  double busy_s = 0;       ///< seconds with any use, a steady iteration
  double utilisation = 0;  ///< amount / (capacity x iteration)
};

/// By resource id, over the steady window, per iteration.
std::vector<Usage> usage(const task::Graph& graph, const task::Resources& resources,
                         const timeline::Timeline& timeline, const SteadyState& steady);

/// Seconds of a steady iteration by phase, for rank 0: length of the union of spans; and what of
/// communication and input nothing else of the rank hid.
struct Phases {
  double input_s = 0, forward_s = 0, backward_s = 0, communication_exposed_s = 0, communication_total_s = 0,
         optimizer_s = 0, idle_s = 0;
};
Phases phases(const task::Graph& graph, const timeline::Timeline& timeline, const SteadyState& steady);

}  // namespace rigcast::analysis
