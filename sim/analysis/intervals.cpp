#include "analysis/intervals.h"

#include <algorithm>
#include <cstddef>

namespace rigcast::analysis {

std::vector<Interval> unite(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<Interval> result;
  for (const Interval& interval : intervals) {
    if (!result.empty() && interval.first <= result.back().second) {
      result.back().second = std::max(result.back().second, interval.second);
    } else {
      result.push_back(interval);
    }
  }
  return result;
}

std::vector<Interval> subtract(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  std::vector<Interval> result;
  std::size_t first = 0;  // intervals of b before it end before what is looked at
  for (Interval left : a) {
    while (first < b.size() && b[first].second <= left.first) ++first;
    for (std::size_t i = first; i < b.size() && b[i].first < left.second; ++i) {
      if (b[i].first > left.first) result.emplace_back(left.first, b[i].first);
      left.first = std::max(left.first, b[i].second);
    }
    if (left.first < left.second) result.push_back(left);
  }
  return result;
}

double seconds(const std::vector<Interval>& disjoint) {
  double sum = 0;
  for (const auto& [start, end] : disjoint) sum += (end - start).seconds().value;
  return sum;
}

}  // namespace rigcast::analysis
