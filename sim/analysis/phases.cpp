// The phases of a steady iteration as rank 0 sees them. Forward, backward and optimizer run on the GPU one
// after another; communication and input count where nothing of those hid them; what is left the GPU idled
// (the host was issuing, or another rank was waited for). So forward + backward + optimizer + exposed
// communication + input + idle is the iteration.

#include <algorithm>
#include <array>

#include "analysis/analysis.h"
#include "analysis/intervals.h"

namespace rigcast::analysis {
namespace {

using task::Phase;

/// Spans of rank 0 inside the steady window, by phase.
class RankSpans {
 public:
  RankSpans(const task::Graph& graph, const timeline::Timeline& timeline, const SteadyState& steady) {
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      const task::Label& label = graph.label(task::TaskId{i});
      if (label.rank != 0) continue;
      const timeline::Span& span = timeline.spans[i];
      const Time start = std::max(span.start, steady.window_start),
                 end = std::min(span.end, steady.window_end);
      if (end > start) by_phase_[static_cast<std::size_t>(label.phase)].emplace_back(start, end);
    }
  }

  std::vector<Interval> of(std::initializer_list<Phase> phases) const {
    std::vector<Interval> all;
    for (const Phase phase : phases) {
      const std::vector<Interval>& some = by_phase_[static_cast<std::size_t>(phase)];
      all.insert(all.end(), some.begin(), some.end());
    }
    return unite(std::move(all));
  }

 private:
  std::array<std::vector<Interval>, task::kPhaseCount> by_phase_;
};

}  // namespace

Phases phases(const task::Graph& graph, const timeline::Timeline& timeline, const SteadyState& steady) {
  const RankSpans spans(graph, timeline, steady);
  const double iterations = steady.last - steady.first;
  const auto compute = spans.of({Phase::kForward, Phase::kBackward, Phase::kOptimizer});
  const auto communication = spans.of({Phase::kGradientSync});
  const auto input = spans.of({Phase::kRead, Phase::kDecode, Phase::kCopyIn});
  const auto busy = spans.of({Phase::kForward, Phase::kBackward, Phase::kOptimizer, Phase::kGradientSync});
  const auto known = spans.of({Phase::kForward, Phase::kBackward, Phase::kOptimizer, Phase::kGradientSync,
                               Phase::kRead, Phase::kDecode, Phase::kCopyIn});

  Phases result;
  result.forward_s = seconds(spans.of({Phase::kForward})) / iterations;
  result.backward_s = seconds(spans.of({Phase::kBackward})) / iterations;
  result.optimizer_s = seconds(spans.of({Phase::kOptimizer})) / iterations;
  result.communication_total_s = seconds(communication) / iterations;
  result.communication_exposed_s = seconds(subtract(communication, compute)) / iterations;
  result.input_s = seconds(subtract(input, busy)) / iterations;
  result.idle_s = std::max(0.0, steady.iteration.value - seconds(known) / iterations);
  return result;
}

}  // namespace rigcast::analysis
