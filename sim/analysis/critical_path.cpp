// What the time of a steady iteration was spent on.
//
// Every task carries the task whose end let it start, so a walk from the last iteration's end back along
// those causes covers time without a gap: each visit ends where the one after it starts. In the steady state
// this walk is periodic (it follows the critical circuit of the max-plus system), but its tail is not: a
// storage-bound machine's walk passes once through the forward and backward kernels of the last batch and
// then stays in the reads. Attributing what lies between two ends of iterations would therefore mix tail and
// circuit. Instead the walk goes on until it meets a task it has met before, k iterations later and k
// iteration times away: the stretch between the two is k turns of the circuit, whole and without gap. Only
// when there is none (no steady state) the stretch between the ends of the window's iterations has to do.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/analysis.h"
#include "analysis/attribution.h"
#include "base/check.h"

namespace rigcast::analysis {
namespace {

/// How exactly k turns must last k iterations: what a settled simulation keeps to (see steady_state.cpp).
constexpr double kTolerance = 1e-3;

/// A task's label without its iteration.
using Key = std::tuple<task::Phase, std::uint8_t, std::uint16_t, std::uint16_t, std::uint32_t>;

Key key(const task::Label& label) {
  return {label.phase, label.channel, label.rank, label.micro_batch, label.item};
}

/// A stretch of time on the walk.
struct Stretch {
  Time from, to;
  double periods = 1;
};

/// All visits from `end` back to time 0, latest first.
std::vector<CriticalStep> walk_back(const timeline::Timeline& timeline, task::TaskId end) {
  std::vector<CriticalStep> steps;
  for (task::TaskId at = end; at.valid(); at = timeline.spans[at.index].cause) {
    const timeline::Span& span = timeline.spans[at.index];
    RIG_CHECK(steps.empty() || span.end == steps.back().start,
              "a cause that does not end where its effect starts");
    RIG_CHECK(steps.size() <= timeline.spans.size(), "causes that go round in a circle");
    steps.push_back({at, span.start, span.end});
  }
  return steps;
}

Stretch find_stretch(const task::Graph& graph, const std::vector<CriticalStep>& walk,
                     const SteadyState& steady) {
  std::map<Key, std::vector<std::size_t>> visits;
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const task::Label& label = graph.label(walk[i].task);
    std::vector<std::size_t>& earlier = visits[key(label)];
    for (auto later = earlier.rbegin(); later != earlier.rend(); ++later) {
      const int turns = std::abs(graph.label(walk[*later].task).iteration - label.iteration);
      const double expected = steady.iteration.value * turns;
      const double found = (walk[*later].end - walk[i].end).seconds().value;
      if (turns > 0 && found > 0 && std::fabs(found - expected) <= kTolerance * expected)
        return {walk[i].end, walk[*later].end, static_cast<double>(turns)};
    }
    earlier.push_back(i);
  }
  return {steady.window_start, steady.window_end, static_cast<double>(steady.last - steady.first)};
}

/// The rate steps of the walk's tasks, by task, each in order of time.
std::vector<timeline::RateStep> steps_of(const task::Graph& graph, const timeline::Timeline& timeline,
                                         const std::vector<CriticalStep>& walk) {
  std::vector<char> wanted(graph.size(), 0);
  for (const CriticalStep& visit : walk) wanted[visit.task.index] = 1;
  std::vector<timeline::RateStep> steps;
  for (const timeline::RateStep& step : timeline.steps)
    if (wanted[step.task.index] != 0) steps.push_back(step);
  std::stable_sort(steps.begin(), steps.end(),
                   [](const timeline::RateStep& a, const timeline::RateStep& b) { return a.task < b.task; });
  return steps;
}

}  // namespace

CriticalPath critical_path(const task::Graph& graph, const task::Resources& resources,
                           const timeline::Timeline& timeline, const SteadyState& steady,
                           const std::vector<task::TaskId>& iteration_ends) {
  const std::vector<CriticalStep> walk = walk_back(timeline, iteration_ends.back());
  const Stretch stretch = find_stretch(graph, walk, steady);

  CriticalPath path;
  path.periods = stretch.periods;
  for (const CriticalStep& visit : walk) {
    const Time start = std::max(visit.start, stretch.from), end = std::min(visit.end, stretch.to);
    if (end > start) path.steps.push_back({visit.task, start, end});
  }

  std::map<std::pair<task::Kind, task::ResourceId>, double> spent;
  const std::vector<timeline::RateStep> steps = steps_of(graph, timeline, path.steps);
  for (const CriticalStep& visit : path.steps) {
    const auto [first, last] = std::equal_range(
        steps.begin(), steps.end(), timeline::RateStep{visit.task, {}, {}, 0, {}},
        [](const timeline::RateStep& a, const timeline::RateStep& b) { return a.task < b.task; });
    attribute(graph, resources, visit.task, timeline.spans[visit.task.index], {first, last}, visit.start,
              visit.end, [&](task::Kind kind, task::ResourceId resource, double seconds) {
                spent[{kind, resource}] += seconds;
              });
  }

  double total = 0;
  for (const auto& entry : spent) total += entry.second;
  for (const auto& [what, seconds] : spent)
    path.shares.push_back({what.first, what.second, steady.iteration * (seconds / total), seconds / total});
  std::stable_sort(path.shares.begin(), path.shares.end(),
                   [](const Share& a, const Share& b) { return a.share > b.share; });
  return path;
}

}  // namespace rigcast::analysis
