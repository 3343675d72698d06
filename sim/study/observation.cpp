#include "study/observation.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "study/micro.h"
#include "study/row_scenario.h"
#include "study/run.h"

namespace rigcast::study {
namespace {

bool is_transfer(const std::string& kind) {
  for (const char* transfer : {"collective", "p2p", "h2d", "storage", "dataload"})
    if (kind == transfer) return true;
  return false;
}

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& entry : diagnostics.entries())
    if (entry.severity != Severity::kWarning)
      return entry.origin.pointer.empty() ? entry.message : entry.message + " (" + entry.origin.pointer + ")";
  return "it cannot be resolved";
}

/// Tokens of a sample as the source counts them.
double tokens(const Observation& observation) {
  const double own = static_cast<double>(observation.scenario->network.tokens_per_sample);
  return own > 0 ? own : observation.row.number("seq_len").value_or(1);
}

double in_metric(const Observation& observation, double iteration_s) {
  const Row& row = observation.row;
  if (row.is_time()) return iteration_s;
  const double samples_per_s = observation.scenario->plan.global_batch / iteration_s;
  return row.metric() == "tokens_per_s" ? samples_per_s * tokens(observation) : samples_per_s;
}

}  // namespace

Observation observe(Row row, const config::Library& library) {
  Observation observation{std::move(row), nullptr, {}, false};
  if (observation.row.is_micro()) return observation;
  auto scenario = scenario_of(observation.row);
  if (!scenario) {
    observation.reason = scenario.error().reason;
    observation.unsupported = scenario.error().unsupported;
    return observation;
  }
  Diagnostics diagnostics;
  config::Request request;
  request.scenario = config::Source{observation.row.id(), config::dump(*scenario)};
  auto loaded = config::load_scenario(library, request, diagnostics);
  if (!loaded) {
    observation.reason = first_error(diagnostics);
    return observation;
  }
  observation.scenario = std::make_unique<plan::Scenario>(std::move(loaded->scenario));
  return observation;
}

Prediction predict(const Observation& observation, const config::Library& library,
                   const hardware::Profile& profile, bool attribute) {
  if (!observation.resolved()) return {0, {}, observation.reason};
  const Row& row = observation.row;
  if (observation.scenario == nullptr) {
    const MicroForecast micro = is_transfer(row.kind()) ? forecast_transfer_row(row, library, profile)
                                                        : forecast_kernel_row(row, library, profile);
    return {micro.value, micro.bottleneck, micro.reason};
  }
  plan::Scenario& scenario = *observation.scenario;
  scenario.profile = profile;
  lower::Options options;
  // Nothing has to fill a queue: the third iteration is as the second.
  if (!scenario.plan.dataset) options.iterations = 4;
  if (!attribute) return {in_metric(observation, iteration_time(scenario, options).value), {}, {}};
  const Forecast result = forecast(scenario, {false, false});
  Prediction prediction{in_metric(observation, result.iteration.value), {}, {}};
  if (!result.bottlenecks.empty()) prediction.bottleneck = task::name(result.bottlenecks.front().kind);
  for (const cost::GpuMemory& gpu : result.memory.gpus)
    prediction.peak_memory_bytes = std::max(prediction.peak_memory_bytes, gpu.used().value);
  return prediction;
}

Comparable comparable_by(const Observation& observation, const config::Library& library) {
  if (observation.scenario != nullptr) return comparable_by(*observation.scenario);
  const Row& row = observation.row;
  const auto part = library.catalogue.gpus.find(row.text("gpu"));
  return {row.kind(), part == library.catalogue.gpus.end() ? "" : lower_case(part->second.architecture),
          static_cast<int>(row.number("gpus").value_or(1)),
          static_cast<int>(row.number("nodes").value_or(1))};
}

}  // namespace rigcast::study
