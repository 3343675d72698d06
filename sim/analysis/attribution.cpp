// What the time of a task was spent on.
//
// A task first waits out its latency, which belongs to the demand's latency kind. Then it works. Over a
// stretch of dt at rate r, with a rate bound b (what it would reach alone):
//   * limited by its own bound (r = b): dt belongs to the task's own kinds;
//   * limited by a resource (r < b): in dt it did what alone takes dt r / b. That much belongs to its own
//   kinds, the
//     rest, dt (1 - r / b), is what the crowd on the resource cost and belongs to the resource's kind;
//   * without a bound of its own (b infinite): all of dt belongs to the resource.
// "Own kinds" are the slices of its breakdown, walked through at the pace of the own time (they are
// consecutive and add up to work / b), or the demand's bound kind when there is no breakdown.

#include "analysis/attribution.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace rigcast::analysis {
namespace {

double overlap(Time start, Time end, Time from, Time to) {
  const Time first = std::max(start, from), last = std::min(end, to);
  return last > first ? (last - first).seconds().value : 0;
}

/// The used resource that has the kind itself, so that "GPU memory bandwidth" names the memory.
task::ResourceId resource_of(const task::Demand& demand, const task::Resources& resources, task::Kind kind) {
  for (const task::Use& use : demand.uses)
    if (resources[use.resource].kind == kind) return use.resource;
  return task::ResourceId::none();
}

/// Walks through a task's own time and hands out its kinds.
class OwnTime {
 public:
  OwnTime(const task::Graph& graph, const task::Resources& resources, task::TaskId task, const Piece& piece)
      : demand_(graph.demand(task)), resources_(resources), slices_(graph.breakdown(task)), piece_(piece) {}

  /// Passes over `seconds` that lie outside of what is asked for.
  void skip(double seconds) { position_ += seconds; }

  void spend(double seconds) {
    double left = seconds;
    double slice_start = first_slice_start_;
    for (std::size_t i = first_slice_; i < slices_.size() && left > 0; ++i) {
      const double slice_end = slice_start + slices_[i].seconds;
      if (slice_end <= position_) {
        first_slice_ = i + 1;
        first_slice_start_ = slice_end;
      } else {
        const double part = std::min(left, slice_end - position_);
        hand_out(slices_[i].kind, part);
        position_ += part;
        left -= part;
      }
      slice_start = slice_end;
    }
    if (left <= 0) return;
    // No breakdown, or a rounding's worth beyond its end.
    hand_out(slices_.empty() ? demand_.bound_kind : slices_.back().kind, left);
    position_ += left;
  }

 private:
  void hand_out(task::Kind kind, double seconds) const {
    piece_(kind, resource_of(demand_, resources_, kind), seconds);
  }

  const task::Demand& demand_;
  const task::Resources& resources_;
  std::span<const task::Slice> slices_;
  const Piece& piece_;
  double position_ = 0;          ///< own time that has passed
  std::size_t first_slice_ = 0;  ///< slices before it lie before position_
  double first_slice_start_ = 0;
};

}  // namespace

void attribute(const task::Graph& graph, const task::Resources& resources, task::TaskId task,
               const timeline::Span& span, std::span<const timeline::RateStep> steps, Time from, Time to,
               const Piece& piece) {
  const task::Demand& demand = graph.demand(task);
  const Time work_start = std::min(span.start + demand.latency, span.end);
  if (const double latency = overlap(span.start, work_start, from, to); latency > 0)
    piece(demand.latency_kind, task::ResourceId::none(), latency);

  OwnTime own(graph, resources, task, piece);
  Time covered = work_start;
  for (const timeline::RateStep& step : steps) {
    RIG_CHECK(step.start == covered, "the rate steps of a task leave a gap");
    covered = step.end;
    const bool own_bound = !step.limiter.valid();
    const double own_share = own_bound                       ? 1
                             : std::isinf(demand.rate_bound) ? 0
                                                             : std::min(1.0, step.rate / demand.rate_bound);
    const double inside = overlap(step.start, step.end, from, to);
    const double before = overlap(step.start, step.end, step.start, from);
    own.skip(before * own_share);
    if (inside > 0) {
      if (own_share > 0) own.spend(inside * own_share);
      if (own_share < 1) piece(resources[step.limiter].kind, step.limiter, inside * (1 - own_share));
    }
    if (step.end >= to) return;
  }
  RIG_CHECK(covered == span.end, "the rate steps of a task do not reach its end");
}

}  // namespace rigcast::analysis
