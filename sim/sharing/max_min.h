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

class MaxMin {
 public:
  ConstraintId add_constraint(double capacity);
  void set_capacity(ConstraintId constraint, double capacity);
  /// `rate_bound` above 0; infinity allowed when some constraint is finite.
  ActivityId add(std::span<const Use> uses, double rate_bound, double share = 1);
  void remove(ActivityId activity);
  /// Ids of the activities whose rate or limiter differs from the last call, ascending. Valid until the next call.
  std::span<const ActivityId> solve();
  double rate(ActivityId activity) const;
  /// The constraint that holds it back; none: its own bound.
  ConstraintId limiter(ActivityId activity) const;
};

}  // namespace rigcast::sharing
