// When a simulation has settled.
//
// The ends of iterations e[0..n) give durations d[i] = e[i+1] - e[i]. The first ones fill queues and differ.
// In the steady state of a max-plus system (which a task graph over fixed resources becomes) the durations
// repeat with a period of p iterations; p is 1 almost always, but a prefetch queue of two slots, say, can
// make odd and even iterations alternate. So the smallest p is looked for at which the last p durations equal
// the p before them, within 0.1 %; the steady window then reaches back for as many whole periods as keep
// equal, and the iteration time is its mean. p = 1 on the strength of one equal pair only counts when no
// longer period fits, since two equal neighbours may be a part of a longer pattern.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analysis/analysis.h"
#include "base/check.h"

namespace rigcast::analysis {
namespace {

constexpr double kTolerance = 1e-3;

bool same(std::int64_t a, std::int64_t b) {
  return std::fabs(static_cast<double>(a - b)) <= kTolerance * static_cast<double>(std::max(a, b));
}

/// How many of the last durations equal the one `period` before them, without a break.
std::size_t matches(const std::vector<std::int64_t>& durations, std::size_t period) {
  std::size_t count = 0;
  while (count + period < durations.size() &&
         same(durations[durations.size() - 1 - count], durations[durations.size() - 1 - count - period]))
    ++count;
  return count;
}

/// The period, or 0 when there is none.
std::size_t find_period(const std::vector<std::int64_t>& durations) {
  if (matches(durations, 1) >= 2) return 1;
  for (std::size_t period = 2; 2 * period <= durations.size(); ++period)
    if (matches(durations, period) >= period) return period;
  return matches(durations, 1) == 1 ? 1 : 0;
}

}  // namespace

SteadyState steady_state(const timeline::Timeline& timeline,
                         const std::vector<task::TaskId>& iteration_ends) {
  RIG_CHECK(iteration_ends.size() >= 2, "a steady state is read from at least two iterations");
  std::vector<std::int64_t> durations;
  const auto end = [&](std::size_t iteration) { return timeline.spans[iteration_ends[iteration].index].end; };
  for (std::size_t i = 1; i < iteration_ends.size(); ++i)
    durations.push_back((end(i) - end(i - 1)).picoseconds);

  const std::size_t period = find_period(durations);
  // Without a period the later half is the best there is.
  std::size_t window = (durations.size() + 1) / 2;
  if (period > 0) window = period * (1 + matches(durations, period) / period);

  SteadyState steady;
  steady.reached = period > 0;
  steady.last = static_cast<int>(iteration_ends.size()) - 1;
  steady.first = steady.last - static_cast<int>(window);
  steady.window_start = end(static_cast<std::size_t>(steady.first));
  steady.window_end = end(static_cast<std::size_t>(steady.last));
  steady.iteration = (steady.window_end - steady.window_start).seconds() / static_cast<double>(window);
  return steady;
}

}  // namespace rigcast::analysis
