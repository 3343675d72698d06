#include "study/forecast.h"

#include <algorithm>
#include <limits>

#include "cost/gpu_model.h"
#include "study/interval.h"
#include "study/money.h"
#include "study/run.h"

namespace rigcast::study {
namespace {

/// Shares of the critical path by kind, largest first; each kind is named after the resource with most of its
/// time.
std::vector<Bottleneck> bottlenecks(const Run& run) {
  std::vector<Bottleneck> result;
  for (const analysis::Share& share : run.path.shares) {  // largest first, so the first of a kind names it
    auto found =
        std::find_if(result.begin(), result.end(), [&](const Bottleneck& b) { return b.kind == share.kind; });
    if (found == result.end()) {
      const std::string name =
          share.resource.valid() ? run.lowered.resources[share.resource].name : std::string();
      result.push_back({share.kind, name, share.share, share.seconds, {}, {}});
    } else {
      if (found->resource.empty() && share.resource.valid())
        found->resource = run.lowered.resources[share.resource].name;
      found->share += share.share;
      found->seconds += share.seconds;
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Bottleneck& a, const Bottleneck& b) { return a.share > b.share; });
  return result;
}

void what_would_help(const plan::Scenario& scenario, lower::Options options, std::vector<Bottleneck>& list) {
  for (Bottleneck& bottleneck : list) {
    options.speedup = lower::Speedup::of(bottleneck.kind, 2);
    bottleneck.if_doubled = iteration_time(scenario, options);
    options.speedup = lower::Speedup::of(bottleneck.kind, std::numeric_limits<double>::infinity());
    bottleneck.if_infinite = iteration_time(scenario, options);
  }
}

std::vector<ResourceUse> resource_uses(const Run& run) {
  const auto usage = analysis::usage(run.lowered.graph, run.lowered.resources, run.timeline, run.steady);
  std::vector<ResourceUse> result;
  for (std::size_t i = 0; i < usage.size(); ++i) {
    const task::Resource& resource = run.lowered.resources.all()[i];
    ResourceUse use{resource.name,   resource.kind,        resource.capacity,
                    usage[i].busy_s, usage[i].utilisation, {}};
    if (resource.unit == "B") use.bytes = usage[i].amount;
    result.push_back(std::move(use));
  }
  return result;
}

/// Useful arithmetic over what the GPUs could do: forward, and twice that backward, by the network's
/// multiply-adds.
void utilisation_of_peak(const plan::Scenario& scenario, const Run& run, Forecast& forecast) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const double passes = plan.mode == plan::Mode::kTraining ? 3 : 1;
  const double flops = 2 * passes * workload::forward_macs(scenario.network) * plan.global_batch;
  double peak = 0;
  const auto gpus = scenario.machine.all(hardware::DeviceType::kGpu);
  for (int r = 0; r < plan.gpus; ++r)
    peak += cost::product_peak(scenario.machine.device(gpus[static_cast<std::size_t>(r) % gpus.size()]).gpu(),
                               plan.precision)
                .rate.value;
  if (peak <= 0 || run.steady.iteration.value <= 0) return;
  forecast.mfu = flops / (peak * run.steady.iteration.value);
  // Recomputation runs the forward pass, or the attention core's part of it, once more.
  double again = 0;
  if (plan.mode == plan::Mode::kTraining && plan.recompute != plan::Recompute::kNone)
    for (const workload::Operator& op : scenario.network.operators)
      if (plan.recompute == plan::Recompute::kFull ||
          std::holds_alternative<workload::Attention>(op.attributes))
        again += 2 * workload::forward_macs(op) * plan.global_batch;
  forecast.hfu = (flops + again) / (peak * run.steady.iteration.value);
}

void epochs(const plan::Scenario& scenario, lower::Options options, Forecast& forecast) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const double samples = plan.dataset ? plan.samples : scenario.network.dataset.samples;
  if (!(samples > 0)) return;
  const double iterations = samples / plan.global_batch;
  forecast.epoch = forecast.iteration * iterations;
  forecast.first_epoch = forecast.epoch;
  if (plan.dataset && forecast.memory.host.page_cache.value > 0) {
    options.cold_cache = true;
    forecast.first_epoch = iteration_time(scenario, options) * iterations;
  }
}

}  // namespace

Forecast forecast(const plan::Scenario& scenario, const Options& options, Run* kept) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const lower::Options lowering;
  Run result = run(scenario, lowering);

  Forecast f;
  f.iteration = result.steady.iteration;
  f.steady = result.steady.reached;
  if (options.residuals != nullptr) {
    const Spread spread = interval(*options.residuals, comparable_by(scenario));
    f.interval = {f.iteration * spread.low, f.iteration * spread.high, kIntervalCoverage, spread.basis};
  }
  f.samples_per_s = plan.global_batch / f.iteration.value;
  if (scenario.network.tokens_per_sample > 0)
    f.tokens_per_s = f.samples_per_s * static_cast<double>(scenario.network.tokens_per_sample);
  utilisation_of_peak(scenario, result, f);
  f.memory = cost::memory(scenario);
  if (options.largest_batch) f.largest_batch_that_fits = cost::largest_batch_that_fits(scenario);
  f.bottlenecks = bottlenecks(result);
  if (options.what_would_help) what_would_help(scenario, lowering, f.bottlenecks);
  f.resources = resource_uses(result);
  f.phases = analysis::phases(result.lowered.graph, result.timeline, result.steady);
  epochs(scenario, lowering, f);
  f.money = money(scenario, f);

  f.warnings = scenario.warnings;
  f.warnings.insert(f.warnings.end(), result.lowered.warnings.begin(), result.lowered.warnings.end());
  if (!f.memory.fits) f.warnings.push_back("does not fit in memory: simulated as if the memory were there");
  if (!f.steady)
    f.warnings.push_back("no steady state was reached: the iteration time is that of the last iterations");
  if (kept != nullptr) *kept = std::move(result);
  return f;
}

}  // namespace rigcast::study
