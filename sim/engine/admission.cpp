/// Of the tasks that could start at an instant the lowest (priority, id) is looked at first, and starts if
/// its lane is free and every pool has what it asks for; it then takes all at once. A task that is refused
/// holds nothing and stops nobody: a later one that asks for less may go before it, so nothing waits while
/// what it needs is idle.
///
/// A waiting task lies in exactly one queue: of its lane while that is busy, otherwise of a pool that lacks
/// what it asks for. Queues hand over one task at a time. The next of a lane is looked at when the one before
/// was refused by a pool, the next of a pool as long as the pool has the least any task could want.

#include "engine/admission.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace rigcast::engine {

using task::LaneId;
using task::PoolId;
using task::TaskId;
using timeline::WaitReason;

namespace {

template <class Item>
void push(std::vector<Item>& heap, const Item& item) {
  heap.push_back(item);
  std::push_heap(heap.begin(), heap.end(), std::greater<>());
}

template <class Item>
Item pop(std::vector<Item>& heap) {
  std::pop_heap(heap.begin(), heap.end(), std::greater<>());
  const Item item = heap.back();
  heap.pop_back();
  return item;
}

TaskId task_of(std::uint64_t key) { return {static_cast<std::uint32_t>(key)}; }

}  // namespace

Admission::Admission(const task::Graph& graph)
    : graph_(graph), uses_pools_(graph.uses_pools()), lanes_(graph.lanes().size()) {
  for (const task::Graph::Pool& pool : graph.pools())
    pools_.push_back({pool.capacity, std::numeric_limits<double>::infinity(), TaskId::none(), {}});
  for (std::uint32_t i = 0; uses_pools_ && i < graph.size(); ++i)
    for (const task::PoolUse& use : graph.acquires({i})) {
      double& least = pools_[use.pool.index].least;
      least = std::min(least, use.amount);
    }
}

Admission::Key Admission::key_of(TaskId task) const {
  const auto priority = static_cast<std::uint32_t>(graph_.priority(task)) ^ 0x80000000u;
  return (static_cast<Key>(priority) << 32) | task.index;
}

void Admission::ready(TaskId task, TaskId last) {
  if (delivered_) {
    starts_.clear();
    delivered_ = false;
  }
  const WaitReason reason = last.valid() ? WaitReason::kPredecessor : WaitReason::kNone;
  if (!graph_.lane(task).valid() && !(uses_pools_ && !graph_.acquires(task).empty()))
    starts_.push_back({task, last, reason});
  else
    propose({key_of(task), last, reason, PoolId::none()});
}

void Admission::ended(TaskId task) {
  // Where there are no lanes the column need not be read: a cache miss a task.
  const LaneId lane = lanes_.empty() ? LaneId::none() : graph_.lane(task);
  if (lane.valid()) {
    lanes_[lane.index].busy = false;
    if (!lanes_[lane.index].waiting.empty()) freed_.push_back(lane);
  }
  if (!uses_pools_) return;
  for (const task::PoolUse& use : graph_.releases(task)) {
    Pool& pool = pools_[use.pool.index];
    pool.available += use.amount;
    pool.releaser = task;
    if (!pool.waiting.empty()) refilled_.push_back(use.pool);
  }
}

std::span<const Start> Admission::admit() {
  if (delivered_) starts_.clear();
  delivered_ = true;
  for (const LaneId lane : freed_) propose_next(lane);
  for (const PoolId pool : refilled_) propose_next(pool);
  freed_.clear();
  refilled_.clear();
  while (!candidates_.empty()) consider(pop(candidates_));
  for (const Refused& refused : refused_) push(pools_[refused.pool.index].waiting, refused.key);
  refused_.clear();
  return starts_;
}

void Admission::consider(const Candidate& candidate) {
  const TaskId task = task_of(candidate.key);
  const LaneId lane_id = graph_.lane(task);
  Lane* lane = lane_id.valid() ? &lanes_[lane_id.index] : nullptr;
  if (lane != nullptr && lane->busy) {
    push(lane->waiting, candidate.key);
  } else if (const PoolId lack = lacking(task); lack.valid()) {
    refused_.push_back({candidate.key, lack});
    if (lane != nullptr) propose_next(lane_id);
  } else {
    if (lane != nullptr) {
      lane->busy = true;
      lane->holder = task;
    }
    if (uses_pools_)
      for (const task::PoolUse& use : graph_.acquires(task)) pools_[use.pool.index].available -= use.amount;
    starts_.push_back({task, candidate.cause, candidate.reason});
  }
  if (candidate.pool.valid()) propose_next(candidate.pool);
}

void Admission::propose(const Candidate& candidate) { push(candidates_, candidate); }

void Admission::propose_next(LaneId id) {
  Lane& lane = lanes_[id.index];
  if (lane.busy || lane.waiting.empty()) return;
  propose({pop(lane.waiting), lane.holder, WaitReason::kLane, PoolId::none()});
}

void Admission::propose_next(PoolId id) {
  Pool& pool = pools_[id.index];
  if (pool.waiting.empty() || pool.available < pool.least) return;
  propose({pop(pool.waiting), pool.releaser, WaitReason::kPool, id});
}

PoolId Admission::lacking(TaskId task) const {
  if (uses_pools_)
    for (const task::PoolUse& use : graph_.acquires(task))
      if (pools_[use.pool.index].available < use.amount) return use.pool;
  return PoolId::none();
}

}  // namespace rigcast::engine
