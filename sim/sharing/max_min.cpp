/// The set of activities and its bookkeeping. Elements of a constraint are kept in order of activity id, so
/// that sums over them, and with them every digit of the rates, do not depend on the order of additions and
/// removals.

#include "sharing/max_min.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/check.h"

namespace rigcast::sharing {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

ConstraintId MaxMin::add_constraint(double capacity) {
  RIG_CHECK(capacity > 0, "a capacity is above 0");
  RIG_CHECK(constraints_.size() < 0x7fffffffu, "too many constraints");
  Constraint& constraint = constraints_.emplace_back();
  constraint.capacity = capacity;
  constraint.level = kInfinity;
  return {static_cast<std::uint32_t>(constraints_.size() - 1)};
}

void MaxMin::set_capacity(ConstraintId id, double capacity) {
  RIG_CHECK(capacity > 0, "a capacity is above 0");
  Constraint& constraint = constraints_[id.index];
  const bool stays_slack = constraint.level == kInfinity && capacity >= constraint.capacity;
  constraint.capacity = capacity;
  if (!constraint.elements.empty() && !stays_slack) mark_dirty(id.index);
}

ActivityId MaxMin::add(std::span<const Use> uses_asked, double rate_bound, double share) {
  RIG_CHECK(rate_bound > 0 && share > 0, "rate bound and share are above 0");
  const std::uint32_t activity = take_slot(uses_asked.size());
  Activity& added = activities_[activity];
  added.rate_bound = rate_bound;
  added.share = share;
  added.bound_level = limit_[activity] = rate_bound / share;
  added.level = 0;
  added.limiter = ConstraintId::none();
  added.settled_in = round_;

  bool alone = true;
  for (std::size_t i = 0; i < uses_asked.size(); ++i) {
    Use& use = uses_[added.first_use + i];
    use = {uses_asked[i].constraint, uses_asked[i].weight * share};
    RIG_CHECK(use.weight > 0 && use.constraint.index < constraints_.size(),
              "unknown constraint or bad weight");
    std::vector<Element>& elements = constraints_[use.constraint.index].elements;
    alone = alone && elements.empty();
    auto at = elements.end();
    while (at != elements.begin() && (at - 1)->activity > activity) --at;
    RIG_CHECK(at == elements.begin() || (at - 1)->activity != activity,
              "a constraint is used once by an activity");
    elements.insert(at, {activity, use.weight});
  }
  if (alone) {
    settle_alone(activity);
  } else {
    opened_.push_back(activity);
    for (const Use& use : uses(activity)) mark_dirty(use.constraint.index);
  }
  return {activity};
}

void MaxMin::remove(ActivityId id) {
  RIG_CHECK(id.index < activities_.size() && activities_[id.index].use_count != kFree,
            "the activity was removed before");
  for (const Use& use : uses(id.index)) {
    Constraint& constraint = constraints_[use.constraint.index];
    const auto at =
        std::lower_bound(constraint.elements.begin(), constraint.elements.end(), id.index,
                         [](const Element& e, std::uint32_t activity) { return e.activity < activity; });
    constraint.elements.erase(at);
    if (constraint.elements.empty())
      constraint.level = kInfinity;
    else if (constraint.level != kInfinity)  // a slack constraint stays slack
      mark_dirty(use.constraint.index);
  }
  activities_[id.index].use_count = kFree;
  activities_[id.index].level = kInfinity;
  free_.push_back(id.index);
}

double MaxMin::rate(ActivityId id) const {
  const Activity& activity = activities_[id.index];
  return activity.limiter.valid() ? activity.level * activity.share : activity.rate_bound;
}

/// Each slot keeps its stretch of `uses_` for its next owner; one too short is replaced by one twice as long
/// or more.
std::uint32_t MaxMin::take_slot(std::size_t use_count) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(activities_.size()));
    activities_.push_back({});
    limit_.push_back(0);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Activity& activity = activities_[slot];
  if (activity.use_room < use_count) {
    activity.first_use = static_cast<std::uint32_t>(uses_.size());
    activity.use_room = static_cast<std::uint32_t>(std::bit_ceil(use_count));
    uses_.resize(uses_.size() + activity.use_room);
  }
  activity.use_count = static_cast<std::uint32_t>(use_count);
  return slot;
}

void MaxMin::settle_alone(std::uint32_t index) {
  Activity& activity = activities_[index];
  double level = activity.bound_level;
  for (const Use& use : uses(index)) {
    Constraint& constraint = constraints_[use.constraint.index];
    constraint.level = constraint.capacity / use.weight;
    const bool tie =
        constraint.level == level && activity.limiter.valid() && use.constraint < activity.limiter;
    if (constraint.level < level || tie) {
      level = constraint.level;
      activity.limiter = use.constraint;
    }
  }
  for (const Use& use : uses(index)) {
    Constraint& constraint = constraints_[use.constraint.index];
    if (constraint.level != level) constraint.level = kInfinity;
  }
  activity.level = limit_[index] = level;
  pending_.push_back(index);
}

void MaxMin::mark_dirty(std::uint32_t constraint) {
  if (constraints_[constraint].marked) return;
  constraints_[constraint].marked = true;
  dirty_.push_back(constraint);
}

std::span<const ActivityId> MaxMin::solve() {
  ++round_;
  if (!dirty_.empty()) fill();
  report_changed();
  return changed_;
}

/// Sorts the pending ids and drops what comes twice or is gone: many of them through a set of bits, few by
/// comparison.
void MaxMin::report_changed() {
  changed_.clear();
  const auto report = [this](std::uint32_t activity) {
    if (activities_[activity].use_count != kFree) changed_.push_back({activity});
  };
  if (pending_.size() * 16 < activities_.size() / 64) {
    std::sort(pending_.begin(), pending_.end());
    pending_.erase(std::unique(pending_.begin(), pending_.end()), pending_.end());
    for (const std::uint32_t activity : pending_) report(activity);
  } else {
    bits_.resize(activities_.size() / 64 + 1);
    for (const std::uint32_t activity : pending_) bits_[activity / 64] |= std::uint64_t{1} << (activity % 64);
    for (std::uint32_t word = 0; word < bits_.size(); ++word)
      for (; bits_[word] != 0; bits_[word] &= bits_[word] - 1)
        report(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_[word])));
  }
  pending_.clear();
}

}  // namespace rigcast::sharing
