#include "report/forecast_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/memory.h"

namespace rigcast::report {
namespace {

/// RFC 4180: quoted where a comma, a quote or a line end would break the row.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// The shortest digits that read back as the same double.
std::string cell(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
}

std::string cell(const std::optional<Seconds>& value) {
  return value ? cell(std::optional(value->value)) : std::string();
}

}  // namespace

void forecast_csv(std::ostream& out, const plan::Scenario& scenario, const study::Forecast& forecast) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const cost::GpuMemory* gpu = fullest_gpu(forecast.memory);
  const study::Bottleneck* first = forecast.bottlenecks.empty() ? nullptr : &forecast.bottlenecks.front();
  const std::vector<std::pair<const char*, std::string>> row = {
      {"machine", cell(scenario.machine.name)},
      {"workload", cell(scenario.network.name)},
      {"mode", std::string(plan::name(plan.mode))},
      {"precision", std::string(plan::name(plan.precision))},
      {"gpus", std::to_string(plan.gpus)},
      {"nodes", std::to_string(plan.nodes)},
      {"global_batch", cell(plan.global_batch)},
      {"batch_per_gpu", cell(plan.batch_per_gpu)},
      {"iteration_s", cell(forecast.iteration.value)},
      {"samples_per_s", cell(forecast.samples_per_s)},
      {"tokens_per_s", cell(forecast.tokens_per_s)},
      {"mfu", cell(forecast.mfu)},
      {"hfu", cell(forecast.hfu)},
      {"epoch_s", cell(forecast.epoch)},
      {"first_epoch_s", cell(forecast.first_epoch)},
      {"memory.fits", forecast.memory.fits ? "true" : "false"},
      {"memory.used_bytes", gpu ? cell(gpu->used().value) : std::string()},
      {"memory.capacity_bytes", gpu ? cell(gpu->capacity.value) : std::string()},
      {"memory.largest_batch_that_fits", cell(forecast.largest_batch_that_fits)},
      {"bottleneck.kind", first ? std::string(task::name(first->kind)) : std::string()},
      {"bottleneck.share", first ? cell(first->share) : std::string()},
      {"price_usd", cell(forecast.money.price_usd)},
      {"usd_per_hour", cell(forecast.money.usd_per_hour)},
      {"power_w", cell(forecast.money.power_w)},
      {"usd_per_million_samples", cell(forecast.money.usd_per_million_samples)},
      {"joules_per_sample", cell(forecast.money.joules_per_sample)},
  };
  for (std::size_t i = 0; i < row.size(); ++i) out << (i > 0 ? "," : "") << row[i].first;
  out << '\n';
  for (std::size_t i = 0; i < row.size(); ++i) out << (i > 0 ? "," : "") << row[i].second;
  out << '\n';
}

}  // namespace rigcast::report
