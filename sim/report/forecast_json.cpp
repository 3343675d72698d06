#include "report/forecast_json.h"

#include <ostream>

#include "config/load.h"
#include "report/json.h"

namespace rigcast::report {
namespace {

std::optional<double> value_of(const std::optional<Seconds>& seconds) {
  return seconds ? std::optional(seconds->value) : std::nullopt;
}

Json bottlenecks(const study::Forecast& forecast) {
  Json list = Json::array();
  for (const study::Bottleneck& bottleneck : forecast.bottlenecks)
    list.push_back({{"kind", task::name(bottleneck.kind)},
                    {"resource", bottleneck.resource.empty() ? Json(nullptr) : Json(bottleneck.resource)},
                    {"share", bottleneck.share},
                    {"seconds", bottleneck.seconds.value},
                    {"if_doubled_iteration_s", number_or_null(value_of(bottleneck.if_doubled))},
                    {"if_infinite_iteration_s", number_or_null(value_of(bottleneck.if_infinite))}});
  return list;
}

Json resources(const study::Forecast& forecast) {
  Json list = Json::array();
  for (const study::ResourceUse& resource : forecast.resources)
    list.push_back({{"id", resource.id},
                    {"kind", task::name(resource.kind)},
                    {"capacity", number_or_null(resource.capacity)},
                    {"busy", resource.busy_s},
                    {"utilisation", resource.utilisation},
                    {"bytes", resource.bytes.value_or(0)}});
  return list;
}

Json phases(const analysis::Phases& phases) {
  return {{"input_s", phases.input_s},
          {"forward_s", phases.forward_s},
          {"backward_s", phases.backward_s},
          {"communication_exposed_s", phases.communication_exposed_s},
          {"communication_total_s", phases.communication_total_s},
          {"optimizer_s", phases.optimizer_s},
          {"idle_s", phases.idle_s}};
}

Json interval_object(const study::Forecast& forecast) {
  if (!forecast.interval) return nullptr;
  const study::Interval& interval = *forecast.interval;
  return {{"coverage", interval.coverage},
          {"iteration_s", Json::array({interval.low.value, interval.high.value})},
          {"basis", interval.basis}};
}

}  // namespace

void forecast_json(std::ostream& out, const plan::Scenario& scenario, const study::Forecast& forecast) {
  const Json document = {{"scenario", Json::parse(config::to_json(scenario))},
                         {"iteration_s", number_or_null(forecast.iteration.value)},
                         {"samples_per_s", number_or_null(forecast.samples_per_s)},
                         {"tokens_per_s", number_or_null(forecast.tokens_per_s)},
                         {"ttft_s", nullptr},
                         {"tpot_s", nullptr},
                         {"mfu", number_or_null(forecast.mfu)},
                         {"hfu", number_or_null(forecast.hfu)},
                         {"epoch_s", number_or_null(value_of(forecast.epoch))},
                         {"first_epoch_s", number_or_null(value_of(forecast.first_epoch))},
                         {"interval", interval_object(forecast)},
                         {"memory", memory_object(forecast.memory, forecast.largest_batch_that_fits)},
                         {"bottlenecks", bottlenecks(forecast)},
                         {"resources", resources(forecast)},
                         {"phases", phases(forecast.phases)},
                         {"price_usd", number_or_null(forecast.money.price_usd)},
                         {"usd_per_hour", number_or_null(forecast.money.usd_per_hour)},
                         {"power_w", number_or_null(forecast.money.power_w)},
                         {"usd_per_million_samples", number_or_null(forecast.money.usd_per_million_samples)},
                         {"joules_per_sample", number_or_null(forecast.money.joules_per_sample)},
                         {"warnings", forecast.warnings}};
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rigcast::report
