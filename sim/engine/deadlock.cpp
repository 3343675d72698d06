/// Nothing runs and nothing may start, so every task left waits for another that is left: a predecessor, or
/// one that would give back what a pool lacks. Choosing one such task for each (the lowest id, itself only if
/// there is no other) and following the choices from the lowest task must come back to a task already met, or
/// end at one that waits for what nobody will give back.

#include "engine/deadlock.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace rigcast::engine {

using task::PoolId;
using task::TaskId;

namespace {

/// First of the task's pools that lacks what it asks for.
task::PoolUse lack(const task::Graph& graph, const Admission& admission, TaskId task) {
  for (const task::PoolUse& use : graph.acquires(task))
    if (admission.available(use.pool) < use.amount) return use;
  return {};
}

}  // namespace

Deadlock explain_deadlock(const task::Graph& graph, const Admission& admission,
                          const std::vector<std::uint32_t>& missing, Time now) {
  const auto left = [&](TaskId task) { return missing[task.index] != kEnded; };
  std::vector<TaskId> waits_for(graph.size());
  std::vector<TaskId> giver(graph.pools().size());  // lowest task left that releases the pool
  TaskId first;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const TaskId task{i};
    if (!left(task)) continue;
    if (!first.valid()) first = task;
    for (const TaskId after : graph.successors(task))
      if (!waits_for[after.index].valid()) waits_for[after.index] = task;
    for (const task::PoolUse& use : graph.releases(task))
      if (!giver[use.pool.index].valid()) giver[use.pool.index] = task;
  }
  const auto next = [&](TaskId task) {
    if (missing[task.index] > 0) return waits_for[task.index];
    const PoolId pool = lack(graph, admission, task).pool;
    if (!pool.valid()) return TaskId::none();
    if (giver[pool.index] != task) return giver[pool.index];
    for (std::uint32_t i = task.index + 1; i < graph.size(); ++i)
      for (const task::PoolUse& use : graph.releases({i}))
        if (left({i}) && use.pool == pool) return TaskId{i};
    return task;
  };

  Deadlock deadlock;
  deadlock.time = now;
  std::vector<TaskId>& path = deadlock.cycle;
  std::vector<bool> met(graph.size());
  TaskId at = first;
  for (; at.valid() && !met[at.index]; at = next(at)) {
    met[at.index] = true;
    path.push_back(at);
  }
  // The walk closes at `at`; without a next task the last one alone cannot ever start.
  path.erase(path.begin(), at.valid() ? std::find(path.begin(), path.end(), at) : path.end() - 1);

  deadlock.text = fmt::format("deadlock at {}:", si(now.seconds().value, "s"));
  for (std::size_t i = 0; i < path.size(); ++i) {
    const TaskId task = path[i];
    const TaskId other = path[(i + 1) % path.size()];
    deadlock.text += fmt::format("{} {} waits for ", i == 0 ? "" : ";", graph.describe(task));
    if (missing[task.index] > 0) {
      deadlock.text += fmt::format("{} to end", graph.describe(other));
      continue;
    }
    const task::PoolUse use = lack(graph, admission, task);
    const task::Graph::Pool& pool = graph.pools()[use.pool.index];
    deadlock.text += fmt::format("{} of pool \"{}\" ({} of {} left), which ", use.amount, pool.name,
                                 admission.available(use.pool), pool.capacity);
    deadlock.text += at.valid() ? fmt::format("{} gives back when it ends", graph.describe(other))
                                : std::string("no task left gives back");
  }
  return deadlock;
}

}  // namespace rigcast::engine
