#pragma once

/// Sets of instants as sorted, disjoint intervals.

#include <utility>
#include <vector>

#include "base/time.h"

namespace rigcast::analysis {

using Interval = std::pair<Time, Time>;  ///< start, end; end after start

/// The union of any intervals, sorted and disjoint.
std::vector<Interval> unite(std::vector<Interval> intervals);
/// What of `a` is not in `b`; both as `unite` returns them.
std::vector<Interval> subtract(const std::vector<Interval>& a, const std::vector<Interval>& b);
double seconds(const std::vector<Interval>& disjoint);

}  // namespace rigcast::analysis
