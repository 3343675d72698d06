#pragma once

/// Plays a task graph over shared resources.

#include <string>
#include <vector>

#include "base/expected.h"
#include "task/graph.h"
#include "timeline/timeline.h"

namespace rigcast::engine {

struct Options {
  bool record_spans = true;
  bool record_steps = true;
};

/// Tasks that can never start: each waits for the next, the last for the first.
struct Deadlock {
  Time time;
  std::vector<task::TaskId> cycle;
  std::string text;  ///< the cycle in words
};

/// Called at each start and end, in simulation order; the default does nothing.
struct Observer {
  virtual ~Observer() = default;
  virtual void started(task::TaskId, Time) {}
  virtual void ended(task::TaskId, Time) {}
};

/// `graph` is sealed and sound (task::verify). Deterministic: the same input gives the same timeline, bit for
/// bit. O(log n) an event plus the sharing solves; an activity alone on its resources costs no solve.
Expected<timeline::Timeline, Deadlock> simulate(const task::Graph& graph, const task::Resources& resources,
                                                const Options& options = {}, Observer* observer = nullptr);

}  // namespace rigcast::engine
