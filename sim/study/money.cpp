#include "study/money.h"

#include <algorithm>

namespace rigcast::study {
namespace {

/// Sum of the parts; nothing when a GPU, CPU or storage device has no price.
std::optional<double> parts_price(const hardware::Machine& machine) {
  double sum = 0;
  for (const hardware::Device& device : machine.devices) {
    std::optional<double> usd;
    switch (device.type) {
      case hardware::DeviceType::kGpu:
        usd = device.gpu().price.usd;
        break;
      case hardware::DeviceType::kCpu:
        usd = device.cpu().price.usd;
        break;
      case hardware::DeviceType::kStorage:
        if (const auto* part = std::get_if<hardware::StoragePart>(&device.figures)) usd = part->price.usd;
        if (usd) *usd *= device.count;
        break;
      default:
        continue;
    }
    if (!usd) return {};
    sum += *usd;
  }
  return sum;
}

double power(const plan::Scenario& scenario, const Forecast& forecast) {
  const hardware::Profile& profile = scenario.profile;
  const double gpu_idle = profile.value("power", "gpu", "idle_fraction"),
               cpu_idle = profile.value("power", "cpu", "idle_fraction");
  double decode = 0;
  const auto busy = [&](const std::string& id) {
    for (const ResourceUse& use : forecast.resources)
      if (use.id == id) return std::clamp(use.utilisation, 0.0, 1.0);
    return 0.0;
  };
  for (const ResourceUse& use : forecast.resources)
    if (use.kind == task::Kind::kHostDecode) decode = std::clamp(use.utilisation, 0.0, 1.0);
  double watts = 0;
  for (const hardware::Device& device : scenario.machine.devices) {
    if (device.type == hardware::DeviceType::kGpu)
      watts += device.gpu().power_w * (gpu_idle + (1 - gpu_idle) * busy(device.id + ".multiprocessors"));
    if (device.type == hardware::DeviceType::kCpu)
      watts += device.cpu().power_w * (cpu_idle + (1 - cpu_idle) * decode);
  }
  return watts / profile.value("power", "default", "supply_efficiency");
}

}  // namespace

Money money(const plan::Scenario& scenario, const Forecast& forecast) {
  const plan::Costs& cost = scenario.plan.cost;
  Money m;
  m.price_usd = scenario.machine.price.usd ? scenario.machine.price.usd : parts_price(scenario.machine);
  m.power_w = power(scenario, forecast);
  const double nodes = scenario.plan.nodes;
  if (m.price_usd) *m.price_usd *= nodes;
  *m.power_w *= nodes;
  constexpr double kHoursPerYear = 8766;
  if (scenario.machine.usd_per_hour)
    m.usd_per_hour = *scenario.machine.usd_per_hour * nodes;
  else if (m.price_usd)
    m.usd_per_hour =
        *m.price_usd / (cost.life_years * kHoursPerYear * cost.duty) + *m.power_w / 1000 * cost.usd_per_kwh;
  if (m.usd_per_hour) m.usd_per_million_samples = *m.usd_per_hour / 3600 / forecast.samples_per_s * 1e6;
  m.joules_per_sample = *m.power_w / forecast.samples_per_s;
  return m;
}

}  // namespace rigcast::study
