/// Solving again after a change.
///
/// Let d(a,c) = weight x share and b(a) = rate bound / share. Levels are max-min fair exactly when
///
///   (1)  level(a) = min(b(a), L(c) of every constraint c of a)
///   (2)  L(c) = the y at which the sum of d(a,c) min(m(a), y) over its activities reaches capacity(c),
///               or infinity if it never does
///
/// where m(a) is what holds a back other than c: every activity has a bottleneck, a full constraint on which
/// its level is maximal, or its bound (Bertsekas and Gallager, Data Networks, 1992, section 6.5.2). The
/// textbook way to find them is to raise all levels together, like water, and to stop an activity when a
/// constraint of it fills or its bound is met.
///
/// Why little has to be solved again. In (2) only activities stopped below y matter for whether c is full at
/// y. So what happens in the fill up to y depends on nothing above y, and whatever fills below the first
/// level at which the old and the new fill differ keeps its level. When b goes, that level is at least the
/// old level(b): below it no constraint of b was full, with b or without. When b comes, it is at least the
/// new level(b), for the same reason. When a capacity changes, it is the smaller of the old and the new L(c).
///
/// The fill is therefore run again only in a region of constraints that grows from the touched ones, from low
/// levels to high. Outside the region old levels hold. An activity stops at `limit`: its final level; or its
/// old one, trusted as long as the fill has not passed it; or, after that, its bound. Two things happen.
///
/// * Saturate c at its water level (2): every activity of c not stopped earlier stops there. If its old level
///   was higher, its other full constraints have room above this level and join the region. Slack ones have
///   even more room and stay out.
/// * Release c at its old L(c), where the new one is higher: the activities that c held rise from here on,
/// with
///   their bound as limit, and all their other constraints join.
///
/// A constraint that joins at level x was full at x or above, and its activities stopped below x are
/// unchanged, so no step is ever taken back. Where an activity is stopped at its old level bit for bit
/// nothing joins, and there the change ends. At the end every constraint outside the region has the
/// activities and levels it had, every one inside satisfies (2), and every activity was stopped by the first
/// of its limits: (1).
///
/// Water levels are kept lazily. When an activity stops below a constraint's key, the true level only rises:
/// it is marked stale and computed again if it comes up. When one opens, keys above it can fall and are
/// computed at once. Each is a sum over the activities of the constraint in order of id, given the set
/// stopped below: a pure function of the limits, so an untouched level comes out the same to the last bit
/// however it is reached. Newton's method finds the set: the left side of (2) is concave in y, so from any
/// start the first step lands at or below the solution and later ones only climb.

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "sharing/max_min.h"

namespace rigcast::sharing {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// `value` where the mask is all ones, 0 where it is 0: no branch, which nobody could predict.
double only_if(std::uint64_t mask, double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
}

}  // namespace

/// Lowest level first; at one level constraints that fill before those whose old level is passed, since what
/// they stop need not be released; then the lowest id.
bool MaxMin::Event::operator>(const Event& other) const {
  if (level != other.level) return level > other.level;
  if (release != other.release) return release;
  return constraint > other.constraint;
}

void MaxMin::fill() {
  ++effort_.solves;
  now_ = 0;
  // New activities have no level yet; a slot may have been given up, or given to one that was alone, since.
  std::erase_if(opened_, [this](std::uint32_t a) { return activities_[a].level != 0; });
  touched_.swap(dirty_);
  evaluate_touched();
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Event event = heap_.back();
    heap_.pop_back();
    Constraint& constraint = constraints_[event.constraint];
    if (constraint.state == State::kDone || constraint.scheduled != event.level ||
        releases_next(constraint) != event.release)
      continue;
    now_ = event.level;
    if (event.release)
      release(event.constraint);
    else if (!constraint.stale || evaluate(event.constraint) == event.level)
      saturate(event.constraint);
    else
      schedule(event.constraint);
    evaluate_touched();
  }
  for (const std::uint32_t activity : opened_)
    if (activities_[activity].settled_in != round_)
      settle(activity, activities_[activity].bound_level, ConstraintId::none());
  opened_.clear();
  for (const std::uint32_t index : region_) {
    Constraint& constraint = constraints_[index];
    constraint.level = constraint.state == State::kDone ? constraint.key : kInfinity;
    constraint.state = State::kOutside;
  }
  region_.clear();
}

/// Solves (2) with the limits as they are now. `guess` says which activities to take as stopped in the first
/// step. Before its release a constraint still holds some at its old level: then any answer above that level
/// only says that it is.
double MaxMin::water_level(std::uint32_t index, double guess) {
  const Constraint& constraint = constraints_[index];
  const double cap = constraint.released ? kInfinity : constraint.level;
  guess = std::min(guess, cap);
  ++effort_.evaluations;
  for (bool first = true;; first = false) {
    double stopped = 0;       // what the activities stopped below the guess use
    double open = 0;          // use per unit of level of the others
    double last = 0;          // highest limit of the former
    double next = kInfinity;  // lowest limit of the latter
    for (const Element& element : constraint.elements) {
      const double limit = limit_[element.activity];
      const std::uint64_t below = limit < guess ? ~std::uint64_t{0} : 0;
      stopped += only_if(below, element.weight * limit);
      open += only_if(~below, element.weight);
      last = std::max(last, only_if(below, limit));
      next = std::min(next, limit + only_if(below, kInfinity));
    }
    if (open == 0) {
      // A climb that ends here met the capacity but for rounding.
      if (stopped <= constraint.capacity || !first) return kInfinity;
      guess = 0;
      continue;
    }
    const double level = (constraint.capacity - stopped) / open;
    if (last < level && level <= next) return level;
    if (level > cap) {
      if (guess == cap) return level;
      guess = cap;
      continue;
    }
    // Only rounding can make a later step fall.
    if (!first && level <= guess) return guess;
    guess = level;
  }
}

void MaxMin::touch(std::uint32_t index) {
  if (constraints_[index].marked) return;
  constraints_[index].marked = true;
  touched_.push_back(index);
}

void MaxMin::evaluate_touched() {
  for (const std::uint32_t index : touched_) {
    Constraint& constraint = constraints_[index];
    constraint.marked = false;
    if (constraint.state == State::kOutside) {
      // Nothing fills or holds an unlimited constraint.
      if (constraint.capacity == kInfinity && constraint.level == kInfinity) continue;
      constraint.state = State::kInside;
      constraint.released = false;
      constraint.key = constraint.level;
      region_.push_back(index);
    }
    evaluate(index);
    schedule(index);
  }
  touched_.clear();
}

double MaxMin::evaluate(std::uint32_t index) {
  Constraint& constraint = constraints_[index];
  constraint.stale = false;
  constraint.key = std::max(water_level(index, constraint.key), now_);
  return constraint.key;
}

bool MaxMin::releases_next(const Constraint& constraint) {
  return !constraint.released && constraint.key > constraint.level;
}

void MaxMin::schedule(std::uint32_t index) {
  Constraint& constraint = constraints_[index];
  const bool release = releases_next(constraint);
  constraint.scheduled = release ? constraint.level : constraint.key;
  if (constraint.scheduled == kInfinity) return;
  heap_.push_back({constraint.scheduled, release, index});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void MaxMin::release(std::uint32_t index) {
  Constraint& released = constraints_[index];
  released.released = true;
  for (const Element& element : released.elements) {
    const Activity& activity = activities_[element.activity];
    if (activity.limiter.index != index || activity.settled_in == round_) continue;
    limit_[element.activity] = activity.bound_level;
    opened_.push_back(element.activity);
    for (const Use& use : uses(element.activity)) {
      const Constraint& other = constraints_[use.constraint.index];
      if (use.constraint.index == index || other.state == State::kDone) continue;
      if (other.state == State::kOutside || other.key > now_) touch(use.constraint.index);
    }
  }
  // The key took all it held, and what met its old level by chance, as open: no more than the true one.
  released.stale = true;
  schedule(index);
}

void MaxMin::saturate(std::uint32_t index) {
  Constraint& full = constraints_[index];
  full.state = State::kDone;
  for (const Element& element : full.elements) {
    const double limit = limit_[element.activity];
    if (limit < full.key) continue;
    const Activity& activity = activities_[element.activity];
    if (activity.settled_in == round_) continue;
    const double before = activity.level;
    ConstraintId limiter{index};
    if (activity.bound_level == full.key) limiter = ConstraintId::none();
    // A tie with a constraint outside the region, which is as full.
    else if (before == full.key && activity.limiter < limiter &&
             constraints_[activity.limiter.index].state == State::kOutside)
      limiter = activity.limiter;
    settle(element.activity, full.key, limiter);
    if (limit == full.key) continue;
    for (const Use& use : uses(element.activity)) {
      Constraint& other = constraints_[use.constraint.index];
      if (other.state == State::kInside)
        other.stale = true;
      else if (other.state == State::kOutside && full.key < before && other.level != kInfinity)
        touch(use.constraint.index);
    }
  }
}

void MaxMin::settle(std::uint32_t index, double level, ConstraintId limiter) {
  Activity& activity = activities_[index];
  ++effort_.settled;
  if (activity.level != level || activity.limiter != limiter) pending_.push_back(index);
  activity.level = limit_[index] = level;
  activity.limiter = limiter;
  activity.settled_in = round_;
}

}  // namespace rigcast::sharing
