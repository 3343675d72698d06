#pragma once

/// The narrow waist: what is to be done, in terms of work, resources and order. Left of here everything knows
/// GPUs and layers; right of here nobody does.
///
/// A task runs through: wait for its predecessors, for its lane and for its pools; a fixed latency (it holds
/// lane and pools, uses no resource); then its work, at the rate the sharing of resources gives it. Tasks are
/// stored as columns, demands are interned and edges end in one flat array: a step-by-step ring all-reduce
/// over 1,024 ranks is 2.1 million tasks and must stay under 95 bytes each.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/id.h"
#include "base/time.h"
#include "task/label.h"
#include "task/resources.h"

namespace rigcast::task {

using TaskId = Id<struct TaskTag>;
using DemandId = Id<struct DemandTag>;
using LaneId = Id<struct LaneTag>;
using PoolId = Id<struct PoolTag>;
using BreakdownId = Id<struct BreakdownTag>;

/// Units of a resource used per unit of a task's work; above 0.
struct Use {
  ResourceId resource{};
  double per_work = 0;
  bool operator==(const Use&) const = default;
};

/// What a task asks for per unit of work. Alone, it runs at min(rate_bound, capacity / per_work of each use);
/// in company the rates are max-min fair in rate / share. `share` makes unlike units comparable: 1 for flows
/// counted in bytes; a kernel counted in seconds that uses b bytes of memory per second of work has share 1 /
/// b, so that it and a copy get equal bytes a second of a memory they fight over.
struct Demand {
  std::vector<Use> uses{};  ///< each resource at most once; sorted by Graph::intern
  double rate_bound = 0;    ///< units of work a second it would reach alone; above 0, infinity allowed
  double share = 1;         ///< fair-share weight, above 0
  Kind bound_kind = Kind::kDependency;           ///< what the time is spent on while rate_bound is the limit
  Time latency{};                                ///< before the work starts
  Kind latency_kind = Kind::kCollectiveLatency;  ///< what that latency is
  bool operator==(const Demand&) const = default;
};

/// A piece of a task that stands for a run of kernels on one stream: consecutive, adding up to the time the
/// task takes at its rate bound.
struct Slice {
  std::uint32_t item = 0;  ///< index into Graph::items(): the operator
  Kind kind = Kind::kDependency;
  double seconds = 0;
};

/// Units of a pool (slots of a prefetch queue, bytes) taken when a task starts or given back when it ends.
struct PoolUse {
  PoolId pool{};
  double amount = 0;
};

struct Task {
  Label label{};
  double work = 0;  ///< at least 0
  DemandId demand{};
  LaneId lane{};              ///< none: any number of such tasks run at once
  std::int32_t priority = 0;  ///< among ready tasks of a lane the lowest (priority, id) goes first
  BreakdownId breakdown{};    ///< none: the whole time belongs to the demand's kinds
};

class Graph {
 public:
  Graph();

  /// Equal demands share an id. Order of `uses` does not matter.
  DemandId intern(Demand demand);
  LaneId add_lane(std::string name);
  PoolId add_pool(std::string name, double capacity);
  BreakdownId add_breakdown(std::vector<Slice> slices);
  /// Index of a text for labels and slices; equal texts share an index. Index 0 is the empty text.
  std::uint32_t item(std::string_view text);

  void reserve(std::size_t tasks, std::size_t edges);
  TaskId add(const Task& task);
  void add_edge(TaskId before, TaskId after);
  void acquire(TaskId task, PoolUse use);  ///< waits until the pool has it, taken at the start
  void release(TaskId task, PoolUse use);  ///< given back at the end (may be what another task acquired)

  /// Sorts the edges into one flat array by predecessor. Called once, after the last add; needed by
  /// everything below.
  void seal();
  bool sealed() const { return !first_successor_.empty(); }

  std::size_t size() const { return work_.size(); }
  std::size_t edge_count() const { return sealed() ? successors_.size() : edges_.size(); }
  std::span<const TaskId> successors(TaskId task) const;
  /// An edge added twice counts twice, here and in successors().
  std::uint32_t predecessor_count(TaskId task) const { return predecessor_count_[task.index]; }
  const Label& label(TaskId task) const { return label_[task.index]; }
  double work(TaskId task) const { return work_[task.index]; }
  const Demand& demand(TaskId task) const { return demands_[demand_[task.index].index]; }
  DemandId demand_id(TaskId task) const { return demand_[task.index]; }
  LaneId lane(TaskId task) const { return lane_[task.index]; }
  std::int32_t priority(TaskId task) const { return priority_[task.index]; }
  /// Empty when the task has no breakdown.
  std::span<const Slice> breakdown(TaskId task) const;
  std::span<const Slice> slices(BreakdownId id) const;
  /// O(log of the number of tasks that use pools); nothing at all is stored for those that do not.
  std::span<const PoolUse> acquires(TaskId task) const { return acquires_.of(task); }
  std::span<const PoolUse> releases(TaskId task) const { return releases_.of(task); }
  bool uses_pools() const { return !acquires_.task.empty() || !releases_.task.empty(); }

  std::size_t breakdown_count() const { return first_slice_.size() - 1; }
  BreakdownId breakdown_id(TaskId task) const { return breakdown_[task.index]; }
  const std::vector<Demand>& demands() const { return demands_; }
  const std::vector<std::string>& lanes() const { return lanes_; }
  const std::vector<std::string>& items() const { return items_; }
  struct Pool {
    std::string name;
    double capacity;
  };
  const std::vector<Pool>& pools() const { return pools_; }

  /// "forward conv1 iteration 2 rank 0", for messages and traces. Micro-batch and channel are named when not
  /// 0.
  std::string describe(TaskId task) const;

 private:
  /// Pool uses of the few tasks that have any: task[i] owns uses[i]; sorted by task in seal().
  struct SparseUses {
    std::vector<TaskId> task;
    std::vector<PoolUse> uses;
    void add(TaskId owner, PoolUse use);
    void sort();
    std::span<const PoolUse> of(TaskId owner) const;
  };

  std::vector<Label> label_;
  std::vector<double> work_;
  std::vector<DemandId> demand_;
  std::vector<LaneId> lane_;
  std::vector<std::int32_t> priority_;
  std::vector<std::uint32_t> predecessor_count_;
  std::vector<BreakdownId> breakdown_;
  std::vector<TaskId> successors_;                ///< by predecessor, after seal()
  std::vector<std::uint32_t> first_successor_;    ///< size() + 1 entries, after seal()
  std::vector<std::pair<TaskId, TaskId>> edges_;  ///< before seal()
  std::vector<Demand> demands_;
  std::vector<std::string> lanes_, items_;
  std::vector<Pool> pools_;
  std::vector<Slice> slices_;
  std::vector<std::uint32_t> first_slice_;  ///< breakdowns + 1 entries
  SparseUses acquires_, releases_;
  std::unordered_multimap<std::size_t, DemandId> demand_by_hash_;
  std::unordered_map<std::string, std::uint32_t> item_by_text_;
};

/// Invariants that lowering must keep: known ids, positive rates, finite work, no cycle (with its witness),
/// no acquire beyond a pool's capacity. An empty result is a sound graph; anything else is a bug of the pass
/// that made it.
std::vector<std::string> verify(const Graph& graph, const Resources& resources);

}  // namespace rigcast::task
