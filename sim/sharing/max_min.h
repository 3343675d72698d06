#pragma once

/// Weighted, bounded max-min fair sharing: pure mathematics, no idea of what an activity is.
/// Maximises, lexicographically from the smallest, the levels rate / share subject to
/// sum over activities of weight x rate <= capacity for every constraint, and rate <= rate_bound.

#include <cstdint>
#include <span>
#include <vector>

#include "base/id.h"

namespace rigcast::sharing {

using ConstraintId = Id<struct ConstraintTag>;
using ActivityId = Id<struct ActivityTag>;

struct Use {
  ConstraintId constraint;
  double weight = 0;  ///< units of the constraint per unit of rate; above 0
};

/// Rates are kept up to date change by change; solve.cpp explains how little is solved again. The result is
/// that of a solve from nothing, bit for bit, unless constraints fill at levels that are equal but for
/// rounding: then it can differ from it in the last places. Nothing is allocated once the arrays have grown
/// to the largest number of activities.
class MaxMin {
 public:
  /// `capacity` above 0, infinity allowed.
  ConstraintId add_constraint(double capacity);
  void set_capacity(ConstraintId constraint, double capacity);
  /// `rate_bound` above 0; infinity allowed. Every constraint at most once in `uses`. Ids of removed
  /// activities are reused. Where nobody else uses any of its constraints the rate is known at once, and no
  /// solve is needed.
  ActivityId add(std::span<const Use> uses, double rate_bound, double share = 1);
  void remove(ActivityId activity);
  /// Ids of the activities whose rate or limiter differs from the last call, ascending. Valid until the next
  /// call.
  std::span<const ActivityId> solve();
  /// As of the last solve(); infinity when neither a bound nor a capacity is finite.
  double rate(ActivityId activity) const;
  /// The constraint that holds it back; none: its own bound. Among several that do, the bound, then the
  /// lowest id.
  ConstraintId limiter(ActivityId activity) const { return activities_[activity.index].limiter; }

  /// How much work the calls of solve() were.
  struct Effort {
    std::uint64_t solves = 0;  ///< calls that had anything to solve
    std::uint64_t evaluations =
        0;  ///< water levels computed, each in time linear in the activities of the constraint
    std::uint64_t settled = 0;  ///< activities whose level was decided again
  };
  const Effort& effort() const { return effort_; }

 private:
  /// One activity on a constraint; `weight` is per unit of level: Use::weight x share.
  struct Element {
    std::uint32_t activity;
    double weight;
  };
  enum class State : std::uint8_t { kOutside, kInside, kDone };
  struct Constraint {
    double capacity;
    double level;                   ///< at which it is full; infinity: it is not
    double key = 0;                 ///< during a solve: no more than the level it will fill at
    double scheduled = 0;           ///< during a solve: of its valid entry in the heap; infinity: none
    State state = State::kOutside;  ///< of the region being solved again
    bool released = false;          ///< the fill passed its old level
    bool stale = false;             ///< `key` may be too low
    bool marked = false;            ///< in `dirty_` or `touched_`
    std::vector<Element> elements;  ///< by activity id
  };
  struct Activity {
    double level = 0;        ///< 0: not solved yet
    double bound_level = 0;  ///< rate_bound / share
    double rate_bound = 0;
    double share = 0;
    ConstraintId limiter;
    std::uint32_t settled_in = 0;  ///< number of the solve that decided its level
    std::uint32_t first_use = 0;
    std::uint32_t use_count = kFree;
    std::uint32_t use_room = 0;
  };
  static constexpr std::uint32_t kFree = 0xffffffffu;  ///< as use_count: the slot is free
  struct Event {
    double level;
    bool release;
    std::uint32_t constraint;
    bool operator>(const Event& other) const;
  };

  std::span<const Use> uses(std::uint32_t activity) const {
    return {uses_.data() + activities_[activity].first_use, activities_[activity].use_count};
  }
  std::uint32_t take_slot(std::size_t use_count);
  void settle_alone(std::uint32_t activity);
  void mark_dirty(std::uint32_t constraint);

  void fill();
  double water_level(std::uint32_t constraint, double guess);
  void touch(std::uint32_t constraint);
  void evaluate_touched();
  double evaluate(std::uint32_t constraint);
  static bool releases_next(const Constraint& constraint);
  void schedule(std::uint32_t constraint);
  void release(std::uint32_t constraint);
  void saturate(std::uint32_t constraint);
  void settle(std::uint32_t activity, double level, ConstraintId limiter);
  void report_changed();

  std::vector<Constraint> constraints_;
  std::vector<Activity> activities_;
  /// By activity. During a solve the level it stops at unless a constraint of the region fills first;
  /// otherwise its level.
  std::vector<double> limit_;
  std::vector<Use> uses_;  ///< of every activity; weights as in Element
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> dirty_;   ///< constraints where the next solve starts
  std::vector<std::uint32_t> opened_;  ///< activities whose old level no longer holds
  std::vector<std::uint32_t> pending_;
  std::vector<ActivityId> changed_;
  std::vector<std::uint64_t> bits_;  ///< for sorting `pending_`; all 0 in between

  std::vector<std::uint32_t> region_;
  std::vector<std::uint32_t> touched_;
  std::vector<Event> heap_;
  double now_ = 0;  ///< level the fill has reached
  std::uint32_t round_ = 0;
  Effort effort_;
};

}  // namespace rigcast::sharing
