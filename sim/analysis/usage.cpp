// How busy everything was: the rate steps say how fast each task worked, its demand what of each resource
// that took.

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/analysis.h"

namespace rigcast::analysis {
namespace {

/// Length of a union of intervals that arrive in order of their ends: a new one can only swallow the latest
/// ones.
class BusyTime {
 public:
  void add(Time start, Time end) {
    while (!intervals_.empty() && intervals_.back().second >= start) {
      start = std::min(start, intervals_.back().first);
      intervals_.pop_back();
    }
    intervals_.emplace_back(start, end);
  }

  double seconds() const {
    double sum = 0;
    for (const auto& [start, end] : intervals_) sum += (end - start).seconds().value;
    return sum;
  }

 private:
  std::vector<std::pair<Time, Time>> intervals_;
};

}  // namespace

std::vector<Usage> usage(const task::Graph& graph, const task::Resources& resources,
                         const timeline::Timeline& timeline, const SteadyState& steady) {
  std::vector<Usage> result(resources.size());
  std::vector<BusyTime> busy(resources.size());
  for (const timeline::RateStep& step : timeline.steps) {
    const Time start = std::max(step.start, steady.window_start), end = std::min(step.end, steady.window_end);
    if (end <= start) continue;
    for (const task::Use& use : graph.demand(step.task).uses) {
      result[use.resource.index].amount += step.rate * use.per_work * (end - start).seconds().value;
      busy[use.resource.index].add(start, end);
    }
  }
  const double iterations = steady.last - steady.first;
  for (std::uint32_t i = 0; i < resources.size(); ++i) {
    const double capacity = resources[task::ResourceId{i}].capacity;
    result[i].amount /= iterations;
    result[i].busy_s = busy[i].seconds() / iterations;
    result[i].utilisation = std::isinf(capacity) ? 0 : result[i].amount / (capacity * steady.iteration.value);
  }
  return result;
}

}  // namespace rigcast::analysis
