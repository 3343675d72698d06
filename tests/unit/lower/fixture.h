#pragma once

#include "analysis/analysis.h"
#include "engine/simulate.h"
#include "lower/lower.h"
#include "scenarios.h"

namespace rigcast::test {

inline timeline::Timeline play(const lower::Lowered& lowered) {
  auto result = engine::simulate(lowered.graph, lowered.resources);
  REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().text));
  return *result;
}

/// The steady state of a scenario's run; its critical path too where asked for.
inline analysis::SteadyState steady(const plan::Scenario& scenario, analysis::CriticalPath* path = nullptr) {
  const lower::Lowered lowered = lower::lower(scenario);
  const timeline::Timeline timeline = play(lowered);
  const analysis::SteadyState state = analysis::steady_state(timeline, lowered.iteration_ends);
  if (path != nullptr)
    *path =
        analysis::critical_path(lowered.graph, lowered.resources, timeline, state, lowered.iteration_ends);
  return state;
}

}  // namespace rigcast::test
