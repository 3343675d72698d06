/// The run loop. At each instant:
///   1. every task that is due ends, in order of id: its lane and pools come free, its successors become
///   ready;
///   2. what may start does, in order of (priority, id);
///   3. 1 and 2 again while something ends at this same instant (zero work);
///   4. the sharing is solved once, and activities whose rate changed get a new end.
///
/// The clock counts whole picoseconds and ends round up, so equal instants are equal and there is no
/// tolerance anywhere. An activity whose rate changes when at most one picosecond of work is left ends at
/// once: two activities that should end together do, although their ends were rounded apart.
///
/// Work that shares nothing (no resource, or unlimited ones) has an end that cannot change and goes, like
/// latencies, to a queue that need not find entries again; the others lie in a heap that knows where each
/// entry is.

#include "engine/simulate.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "engine/deadlock.h"
#include "engine/simulation.h"
#include "timeline/fingerprint.h"

namespace rigcast::engine {

using task::TaskId;

namespace {

constexpr double kPicosecond = 1e-12;

/// Past the clock's range everything is at Time::never().
Time later(Time time, Time by) {
  return by.picoseconds < Time::never().picoseconds - time.picoseconds ? time + by : Time::never();
}

}  // namespace

Expected<timeline::Timeline, Deadlock> simulate(const task::Graph& graph, const task::Resources& resources,
                                                const Options& options, Observer* observer) {
  return Simulation(graph, resources, options, observer).run();
}

Simulation::Simulation(const task::Graph& graph, const task::Resources& resources, const Options& options,
                       Observer* observer)
    : graph_(graph),
      options_(options),
      observer_(observer),
      admission_(graph),
      ends_(RememberPosition{&running_}) {
  RIG_CHECK(graph.sealed(), "only a sealed graph can be simulated");
  convert_demands(resources);
  missing_.resize(graph.size());
  if (options.record_spans) timeline_.spans.resize(graph.size());
}

/// Constraints have the ids of their resources.
void Simulation::convert_demands(const task::Resources& resources) {
  for (const task::Resource& resource : resources.all()) sharing_.add_constraint(resource.capacity);
  for (const task::Demand& demand : graph_.demands()) {
    first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
    for (const task::Use& use : demand.uses)
      if (!std::isinf(resources[use.resource].capacity))
        uses_.push_back({{use.resource.index}, use.per_work});
  }
  first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
}

Expected<timeline::Timeline, Deadlock> Simulation::run() {
  for (std::uint32_t i = 0; i < graph_.size(); ++i) {
    missing_[i] = graph_.predecessor_count({i});
    if (missing_[i] == 0) admission_.ready({i}, TaskId::none());
  }
  do {
    do {
      finish_all_due();
      for (const Start& next : admission_.admit()) start(next);
    } while (any_due());
    for (const sharing::ActivityId activity : sharing_.solve()) restamp(activity);
    if (timers_.empty() && ends_.empty()) break;
    now_ = next_instant();
  } while (true);

  if (ended_ < graph_.size())
    return Unexpected<Deadlock>(explain_deadlock(graph_, admission_, missing_, now_));
  timeline_.end = now_;
  timeline_.solves = sharing_.effort().solves;
  return std::move(timeline_);
}

Time Simulation::next_instant() {
  const Time timer = timers_.empty() ? Time::never() : timers_.top().time;
  return ends_.empty() ? timer : std::min(timer, ends_.top().time);
}

bool Simulation::any_due() { return !(timers_.empty() && ends_.empty()) && next_instant() == now_; }

void Simulation::finish_all_due() {
  for (;;) {
    const bool timer_due = !timers_.empty() && timers_.top().time == now_;
    const bool end_due = !ends_.empty() && ends_.top().time == now_;
    if (timer_due && !(end_due && ends_.top() < timers_.top())) {
      const std::uint32_t slot = timers_.top().slot;
      timers_.pop();
      if (const Due* soon = timers_.soon()) {
        __builtin_prefetch(&running_[soon->slot]);
        __builtin_prefetch(&missing_[soon->task]);
      }
      if (running_[slot].working)
        finish(slot);
      else
        latency_over(slot);
    } else if (end_due) {
      const std::uint32_t slot = ends_.top().slot;
      ends_.pop();
      finish(slot);
    } else {
      return;
    }
  }
}

std::uint32_t Simulation::take_slot() {
  if (free_slots_.empty()) {
    running_.emplace_back();
    return static_cast<std::uint32_t>(running_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  running_[slot] = {};
  return slot;
}

void Simulation::start(const Start& next) {
  const std::uint32_t slot = take_slot();
  Running& running = running_[slot];
  running.task = next.task;
  running.start = now_;
  ++timeline_.events;
  if (options_.record_spans) timeline_.spans[next.task.index] = {now_, now_, next.cause, next.reason};
  if (observer_ != nullptr) observer_->started(next.task, now_);
  const Time latency = graph_.demand(next.task).latency;
  if (latency > Time{})
    timers_.push({later(now_, latency), next.task.index, slot});
  else
    begin_work(slot);
}

void Simulation::latency_over(std::uint32_t slot) {
  if (graph_.work(running_[slot].task) == 0) {
    finish(slot);
  } else {
    ++timeline_.events;
    begin_work(slot);
  }
}

void Simulation::begin_work(std::uint32_t slot) {
  Running& running = running_[slot];
  const std::uint32_t demand = graph_.demand_id(running.task).index;
  running.working = true;
  running.since = running.step = now_;
  running.remaining = graph_.work(running.task);
  const std::uint32_t first = first_use_[demand];
  const std::uint32_t count = first_use_[demand + 1] - first;
  if (running.remaining == 0 || count == 0) {
    running.rate = graph_.demands()[demand].rate_bound;
    const Time end = later(now_, Time::ceil({running.remaining / running.rate}));
    timers_.push({end, running.task.index, slot});
    return;
  }
  const task::Demand& asked = graph_.demands()[demand];
  running.activity = sharing_.add({uses_.data() + first, count}, asked.rate_bound, asked.share);
  if (running.activity.index >= slot_of_activity_.size())
    slot_of_activity_.resize(running.activity.index + 1);
  slot_of_activity_[running.activity.index] = slot;
}

void Simulation::restamp(sharing::ActivityId activity) {
  const std::uint32_t slot = slot_of_activity_[activity.index];
  Running& running = running_[slot];
  const double rate = sharing_.rate(activity);
  const task::ResourceId limiter{sharing_.limiter(activity).index};
  const bool first = running.rate == 0;
  if (!first && running.step < now_) record_step(running);
  running.step = now_;
  running.limiter = limiter;
  if (running.rate == rate) return;

  if (!first) running.remaining -= running.rate * (now_ - running.since).seconds().value;
  running.since = now_;
  running.rate = rate;
  const bool over = !first && running.remaining <= rate * kPicosecond;
  const Due due{over ? now_ : later(now_, Time::ceil({running.remaining / rate})), running.task.index, slot};
  if (running.position == kNowhere)
    ends_.push(due);
  else
    ends_.replace(running.position, due);
}

void Simulation::finish(std::uint32_t slot) {
  const Running running = running_[slot];
  if (running.working) record_step(running);
  if (running.activity.valid()) sharing_.remove(running.activity);
  free_slots_.push_back(slot);
  missing_[running.task.index] = kEnded;
  ++ended_;
  ++timeline_.events;
  timeline_.fingerprint += timeline::fingerprint_term(running.task, running.start, now_);
  if (options_.record_spans) timeline_.spans[running.task.index].end = now_;
  if (observer_ != nullptr) observer_->ended(running.task, now_);
  admission_.ended(running.task);
  for (const TaskId after : graph_.successors(running.task))
    if (--missing_[after.index] == 0) admission_.ready(after, running.task);
}

void Simulation::record_step(const Running& running) {
  if (!options_.record_steps || running.step == now_) return;
  timeline_.steps.push_back({running.task, running.step, now_, running.rate, running.limiter});
}

}  // namespace rigcast::engine
