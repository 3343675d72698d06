#pragma once

/// Decides which of the tasks whose predecessors have ended may start: lanes take one task at a time, pools
/// hand out what they have.

#include <cstdint>
#include <span>
#include <vector>

#include "task/graph.h"
#include "timeline/timeline.h"

namespace rigcast::engine {

/// A task that starts now, and which event of this very instant let it.
struct Start {
  task::TaskId task;
  task::TaskId cause;
  timeline::WaitReason reason = timeline::WaitReason::kNone;
};

class Admission {
 public:
  explicit Admission(const task::Graph& graph);

  /// The predecessors of `task` have ended, `last` as the last of them (none: it has none).
  void ready(task::TaskId task, task::TaskId last);
  /// `task` gives back its lane and what it releases.
  void ended(task::TaskId task);
  /// All that start now, in order of (priority, id) among those that use lanes or pools. Valid until the next
  /// call.
  std::span<const Start> admit();

  double available(task::PoolId pool) const { return pools_[pool.index].available; }

 private:
  /// (priority, id) in one number that sorts as the pair does.
  using Key = std::uint64_t;
  struct Candidate {
    Key key;
    task::TaskId cause;
    timeline::WaitReason reason;
    task::PoolId pool;  ///< whose queue it comes from
    bool operator>(const Candidate& other) const { return key > other.key; }
  };
  struct Lane {
    bool busy = false;
    task::TaskId holder;       ///< or the last one
    std::vector<Key> waiting;  ///< heap, lowest first
  };
  struct Pool {
    double available = 0;
    double least;           ///< smallest amount any task asks for
    task::TaskId releaser;  ///< last to give back
    std::vector<Key> waiting;
  };
  struct Refused {
    Key key;
    task::PoolId pool;
  };

  Key key_of(task::TaskId task) const;
  void propose(const Candidate& candidate);
  void propose_next(task::LaneId lane);
  void propose_next(task::PoolId pool);
  void consider(const Candidate& candidate);
  /// The first pool that lacks what the task asks for; none: all have it.
  task::PoolId lacking(task::TaskId task) const;

  const task::Graph& graph_;
  const bool uses_pools_;
  std::vector<Lane> lanes_;
  std::vector<Pool> pools_;
  std::vector<Start> starts_;
  bool delivered_ = false;             ///< `starts_` has been handed out
  std::vector<Candidate> candidates_;  ///< heap, lowest first
  std::vector<task::LaneId> freed_;
  std::vector<task::PoolId> refilled_;
  std::vector<Refused> refused_;
};

}  // namespace rigcast::engine
