/// Checks what every lowering pass must leave true. Cycles are found by Kahn's algorithm (Communications of
/// the ACM 5(11), 1962), in place: a graph of millions of tasks is not copied to be checked. Tasks are taken
/// off as their predecessors are; what remains has a predecessor among what remains, so following such
/// predecessors must come back to a task already met, and that loop is the witness.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "task/graph.h"

namespace rigcast::task {

namespace {

/// Slices are sums of many small times; they may miss the task's time by rounding, not by more.
constexpr double kBreakdownTolerance = 1e-6;

class Verifier {
 public:
  Verifier(const Graph& graph, const Resources& resources) : graph_(graph), resources_(resources) {}

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < resources_.size(); ++i) check(resources_.all()[i]);
    for (std::size_t i = 0; i < graph_.demands().size(); ++i) check(graph_.demands()[i], i);
    for (const Graph::Pool& pool : graph_.pools())
      if (!(pool.capacity > 0)) say("pool {}: capacity {} is not above 0", pool.name, pool.capacity);
    bool ids_known = true;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) ids_known = check(TaskId{i}) && ids_known;
    if (graph_.sealed())
      check_cycle();
    else
      say("the graph is not sealed");
    return std::move(problems_);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void check(const Resource& resource) {
    if (!(resource.capacity > 0))
      say("resource {}: capacity {} is not above 0", resource.name, resource.capacity);
  }

  void check(const Demand& demand, std::size_t index) {
    if (!(demand.rate_bound > 0)) say("demand {}: rate bound {} is not above 0", index, demand.rate_bound);
    if (!(demand.share > 0) || std::isinf(demand.share)) say("demand {}: share {}", index, demand.share);
    if (demand.latency < Time{}) say("demand {}: latency {} ps", index, demand.latency.picoseconds);
    for (std::size_t u = 0; u < demand.uses.size(); ++u) {
      const Use& use = demand.uses[u];
      if (use.resource.index >= resources_.size())
        say("demand {}: unknown resource {}", index, use.resource.index);
      if (!(use.per_work > 0) || std::isinf(use.per_work))
        say("demand {}: {} units of resource {} per unit of work", index, use.per_work, use.resource.index);
      if (u > 0 && demand.uses[u - 1].resource == use.resource)
        say("demand {}: resource {} is named twice", index, use.resource.index);
    }
  }

  /// False when an id is unknown.
  bool check(TaskId task) {
    const auto known = [&](bool ok, const char* what, std::uint32_t id) {
      if (!ok) say("{} (task {}): unknown {} {}", graph_.describe(task), task.index, what, id);
      return ok;
    };
    bool ids = known(graph_.label(task).item < graph_.items().size(), "item", graph_.label(task).item);
    const DemandId demand = graph_.demand_id(task);
    ids = known(demand.index < graph_.demands().size(), "demand", demand.index) && ids;
    const LaneId lane = graph_.lane(task);
    ids = known(!lane.valid() || lane.index < graph_.lanes().size(), "lane", lane.index) && ids;
    const BreakdownId breakdown = graph_.breakdown_id(task);
    ids = known(!breakdown.valid() || breakdown.index < graph_.breakdown_count(), "breakdown",
                breakdown.index) &&
          ids;
    if (!(graph_.work(task) >= 0) || std::isinf(graph_.work(task)))
      say("{} (task {}): work {}", graph_.describe(task), task.index, graph_.work(task));
    if (ids && graph_.sealed()) {
      if (breakdown.valid()) check_breakdown(task);
      check_pools(task);
    }
    return ids;
  }

  /// The slices add up to the time at the rate bound, with or without the latency before it.
  void check_breakdown(TaskId task) {
    const Demand& demand = graph_.demand(task);
    double sum = 0;
    for (const Slice& slice : graph_.breakdown(task)) {
      if (!(slice.seconds >= 0))
        say("{} (task {}): slice of {} s", graph_.describe(task), task.index, slice.seconds);
      if (slice.item >= graph_.items().size())
        say("{} (task {}): slice of unknown item {}", graph_.describe(task), task.index, slice.item);
      sum += slice.seconds;
    }
    const double alone = graph_.work(task) / demand.rate_bound;
    const double with_latency = alone + demand.latency.seconds().value;
    if (sum < alone * (1 - kBreakdownTolerance) || sum > with_latency * (1 + kBreakdownTolerance))
      say("{} (task {}): slices add up to {} s, the task takes {} s alone", graph_.describe(task), task.index,
          sum, alone);
  }

  void check_pools(TaskId task) {
    for (const bool taken : {true, false}) {
      const std::span<const PoolUse> uses = taken ? graph_.acquires(task) : graph_.releases(task);
      for (std::size_t u = 0; u < uses.size(); ++u) {
        const Graph::Pool& pool = graph_.pools()[uses[u].pool.index];
        const double amount = uses[u].amount;
        if (!(amount > 0) || std::isinf(amount))
          say("{} (task {}): amount {} of pool {}", graph_.describe(task), task.index, amount, pool.name);
        if (taken && amount > pool.capacity)
          say("{} (task {}): asks for {} of pool {}, which has {}", graph_.describe(task), task.index, amount,
              pool.name, pool.capacity);
        for (std::size_t v = 0; taken && v < u; ++v)
          if (uses[v].pool == uses[u].pool)
            say("{} (task {}): acquires pool {} twice", graph_.describe(task), task.index, pool.name);
      }
    }
  }

  void check_cycle() {
    std::vector<std::uint32_t> missing(graph_.size());
    std::vector<TaskId> free;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      missing[i] = graph_.predecessor_count(TaskId{i});
      if (missing[i] == 0) free.push_back(TaskId{i});
    }
    for (std::size_t next = 0; next < free.size(); ++next)
      for (const TaskId after : graph_.successors(free[next]))
        if (--missing[after.index] == 0) free.push_back(after);
    if (free.size() == graph_.size()) return;

    std::vector<TaskId> before(graph_.size());
    std::uint32_t at = 0xffffffffu;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      if (missing[i] == 0) continue;
      at = std::min(at, i);
      for (const TaskId after : graph_.successors(TaskId{i}))
        if (!before[after.index].valid()) before[after.index] = TaskId{i};
    }
    std::vector<bool> met(graph_.size());
    for (; !met[at]; at = before[at].index) met[at] = true;
    std::vector<std::uint32_t> loop;  // against the edges
    for (std::uint32_t step = before[at].index; step != at; step = before[step].index) loop.push_back(step);
    std::string text = graph_.describe(TaskId{at});
    for (auto step = loop.rbegin(); step != loop.rend(); ++step)
      text.append(" -> ").append(graph_.describe(TaskId{*step}));
    say("cycle: {} -> {}", text, graph_.describe(TaskId{at}));
  }

  const Graph& graph_;
  const Resources& resources_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Graph& graph, const Resources& resources) {
  return Verifier(graph, resources).run();
}

}  // namespace rigcast::task
