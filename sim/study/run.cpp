#include "study/run.h"

#include "base/check.h"
#include "engine/simulate.h"

namespace rigcast::study {
namespace {

timeline::Timeline play(const lower::Lowered& lowered, bool steps) {
  engine::Options options;
  options.record_steps = steps;
  auto result = engine::simulate(lowered.graph, lowered.resources, options);
  RIG_CHECK(result.has_value(), result.error().text.c_str());
  return std::move(*result);
}

}  // namespace

Seconds iteration_time(const plan::Scenario& scenario, const lower::Options& options) {
  // The same passes made the scenario's own graph, which is verified; here only its times differ.
  lower::Options bare = options;
  bare.verify = false;
  bare.breakdowns = false;
  const lower::Lowered lowered = lower::lower(scenario, bare);
  return analysis::steady_state(play(lowered, false), lowered.iteration_ends).iteration;
}

Run run(const plan::Scenario& scenario, const lower::Options& options) {
  Run result;
  result.lowered = lower::lower(scenario, options);
  result.timeline = play(result.lowered, true);
  result.steady = analysis::steady_state(result.timeline, result.lowered.iteration_ends);
  result.path = analysis::critical_path(result.lowered.graph, result.lowered.resources, result.timeline,
                                        result.steady, result.lowered.iteration_ends);
  return result;
}

}  // namespace rigcast::study
