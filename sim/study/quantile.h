#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rigcast::study {

/// The value that a share `q` (0 to 1) of `sorted` lies below, linear between members; 0 of none. O(1).
inline double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return 0;
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace rigcast::study
