#pragma once

/// What happened: when each task ran, what let it start, and at what rate it ran, limited by what.

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "task/graph.h"

namespace rigcast::timeline {

/// Why a task started at the instant it did. The event named by Span::cause happened at exactly that instant.
enum class WaitReason : std::uint8_t {
  kNone,         ///< at time 0, nothing to wait for
  kPredecessor,  ///< cause: the last of its predecessors to end
  kLane,         ///< cause: the task that held its lane
  kPool,         ///< cause: the task whose end gave the pool what was missing
};

struct Span {
  Time start{};
  Time end{};
  task::TaskId cause{};  ///< none at time 0
  WaitReason reason = WaitReason::kNone;
};

/// A stretch of a task's work at one rate (after its latency). Consecutive steps of a task are contiguous and
/// cover start + latency to end.
struct RateStep {
  task::TaskId task{};
  Time start{};
  Time end{};
  double rate = 0;             ///< units of work a second
  task::ResourceId limiter{};  ///< none: the task's own rate bound
};

struct Timeline {
  std::vector<Span> spans;        ///< by task id; empty when spans were not recorded
  std::vector<RateStep> steps;    ///< in order of end; empty when steps were not recorded
  Time end{};                     ///< of the last task
  std::uint64_t events = 0;       ///< starts, ends of latencies and ends of tasks
  std::uint64_t solves = 0;       ///< times the sharing was solved again
  std::uint64_t fingerprint = 0;  ///< of every (task, start, end): fingerprint.h
};

}  // namespace rigcast::timeline
