// The forecast on one screen. The order is the order of a reader's questions: how fast, does it fit, what
// limits it, what would help most, what was assumed. Rows that would not fit are folded into one, never
// dropped silently.

#include "report/forecast_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "report/memory.h"
#include "report/page.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

constexpr std::size_t kLimitRows = 8, kHelpRows = 6;
constexpr double kWorthNaming = 1.005;  ///< a speedup below it is noise to a reader

const std::string& unit_of(const plan::Scenario& scenario) {
  static const std::string kSample = "sample";
  return scenario.network.dataset.unit.empty() ? kSample : scenario.network.dataset.unit;
}

std::string duration(double seconds) {
  if (!(seconds >= 120)) return si(seconds, "s");
  if (seconds < 2 * 3600) return fmt::format("{:.1f} minutes", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} hours", seconds / 3600);
  return number(seconds / 86400) + " days";
}

std::string machine_words(const plan::Scenario& scenario) {
  const hardware::Machine& machine = scenario.machine;
  return machine.title.empty() ? machine.name : machine.title;
}

void answer(Page& page, const plan::Scenario& scenario, const study::Forecast& forecast) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const std::string& name = scenario.network.title.empty() ? scenario.network.name : scenario.network.title;
  page.heading(fmt::format("{} on {}", name, machine_words(scenario)));
  const char* what = plan.mode == plan::Mode::kTraining ? "One training iteration" : "One forward pass";
  std::string speed = fmt::format("{} takes {}: {} {}s/s", what, si(forecast.iteration.value, "s"),
                                  number(forecast.samples_per_s), unit_of(scenario));
  if (forecast.tokens_per_s) speed += fmt::format(", {} tokens/s", number(*forecast.tokens_per_s));
  page.painted("  " + page.ink().bold(cut(speed, kPageColumns - 2)));
  if (!forecast.steady)
    page.line("  (it had not settled: the last iterations still differ by more than 0.1 %)");
  page.blank();

  std::string how = fmt::format("{}, {}, batch {} a GPU", plan::name(plan.mode), plan::name(plan.precision),
                                count(plan.batch_per_gpu));
  how += fmt::format(" on {} GPU{}", plan.gpus, plan.gpus == 1 ? "" : "s");
  if (plan.nodes > 1) how += fmt::format(" in {} nodes", plan.nodes);
  if (plan.grad_accum > 1)
    how += fmt::format(", {} passes of {} accumulated", plan.grad_accum, count(plan.micro_batch));
  if (plan.mode == plan::Mode::kTraining) how += fmt::format(", {}", plan::name(plan.optimizer));
  how += fmt::format("; {} {}, {}", plan.framework, plan::name(plan.execution),
                     plan.dataset ? "data set from " + plan.storage : "synthetic input");
  if (forecast.interval)
    page.field("Interval",
               fmt::format("{} to {} in four cases of five; {}", si(forecast.interval->low.value, "s"),
                           si(forecast.interval->high.value, "s"), forecast.interval->basis));
  page.field("Plan", how);
  if (forecast.epoch) {
    std::string epoch = duration(forecast.epoch->value);
    if (forecast.first_epoch && forecast.first_epoch->value > 1.01 * forecast.epoch->value)
      epoch += fmt::format(" (the first {}: nothing is cached yet)", duration(forecast.first_epoch->value));
    page.field("Epoch", epoch);
  }
  if (forecast.mfu)
    page.field("Efficiency", fmt::format("{} of the GPUs' peak goes into the network's arithmetic (MFU)",
                                         percent(*forecast.mfu)));
}

void memory(Page& page, const study::Forecast& forecast) {
  const cost::MemoryLedger& ledger = forecast.memory;
  if (const cost::GpuMemory* gpu = fullest_gpu(ledger)) {
    std::string text =
        fmt::format("{} of {} a GPU", binary_bytes(gpu->used().value), binary_bytes(gpu->capacity.value));
    if (gpu->used() > gpu->capacity) {
      text = fmt::format("DOES NOT FIT: needs {}, {} more than there is", text,
                         binary_bytes((gpu->used() - gpu->capacity).value));
      text += "; simulated as if it were there, `rigcast memory` lists remedies";
    } else {
      text = "fits: " + text;
    }
    if (forecast.largest_batch_that_fits)
      text += *forecast.largest_batch_that_fits > 0 ? fmt::format("; the largest batch that fits is {} a GPU",
                                                                  count(*forecast.largest_batch_that_fits))
                                                    : "; no batch fits, not even the smallest";
    page.field("Memory", text);
  }
  if (ledger.host.used() > ledger.host.capacity)
    page.field("Host memory",
               fmt::format("DOES NOT FIT: needs {} of {}", binary_bytes(ledger.host.used().value),
                           binary_bytes(ledger.host.capacity.value)));
}

void money(Page& page, const plan::Scenario& scenario, const study::Money& money) {
  std::vector<std::string> parts;
  if (money.price_usd) parts.push_back(count(*money.price_usd) + " USD to buy");
  if (money.usd_per_hour) parts.push_back(number(*money.usd_per_hour) + " USD an hour");
  if (money.usd_per_million_samples)
    parts.push_back(
        fmt::format("{} USD a million {}s", number(*money.usd_per_million_samples), unit_of(scenario)));
  if (money.power_w) parts.push_back(number(*money.power_w) + " W");
  if (!parts.empty()) page.field("Cost", fmt::format("{}", fmt::join(parts, ", ")));
}

/// A bar of '#' for tenths of a percent: half of a character rounds up, something is never nothing.
std::string bar(int tenths, std::size_t width) {
  const auto length = static_cast<std::size_t>((tenths * static_cast<int>(width) + 500) / 1000);
  return std::string(std::max<std::size_t>(length, tenths > 0 ? 1 : 0), '#');
}

/// How much faster twice as much of it makes an iteration; 1 when that was not asked for.
double gain(const study::Forecast& forecast, const study::Bottleneck& bottleneck) {
  return bottleneck.if_doubled ? forecast.iteration / *bottleneck.if_doubled : 1;
}

/// The kind to name first: the one with most of the time, unless more of it gains nothing and more of another
/// does. (Flows held back by a memory spend most of their time on the link they cross, which would be fast
/// enough.)
const study::Bottleneck& limiting(const study::Forecast& forecast) {
  const std::vector<study::Bottleneck>& all = forecast.bottlenecks;
  if (gain(forecast, all[0]) >= kWorthNaming) return all[0];
  const auto best = std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return gain(forecast, a) < gain(forecast, b);
  });
  return gain(forecast, *best) >= kWorthNaming ? *best : all[0];
}

void limits(Page& page, const plan::Scenario& scenario, const study::Forecast& forecast) {
  if (forecast.bottlenecks.empty()) return;
  const std::vector<study::Bottleneck>& all = forecast.bottlenecks;
  page.blank();
  const std::string_view first = words(all[0].kind, scenario.plan.decode);
  const study::Bottleneck& limit = limiting(forecast);
  if (&limit == &all[0]) {
    page.heading(fmt::format("What limits it: {} first, {} of the time", first, percent(all[0].share)));
  } else {
    page.heading(fmt::format("What limits it: {}", words(limit.kind, scenario.plan.decode)));
    page.line(fmt::format("  (most time goes to {}, but twice as much gains little)", first));
  }
  const std::size_t shown = all.size() <= kLimitRows ? all.size() : kLimitRows - 1;
  std::vector<double> shares;
  for (std::size_t i = 0; i < shown; ++i) shares.push_back(all[i].share);
  double rest = 0;
  for (std::size_t i = shown; i < all.size(); ++i) rest += all[i].share;
  if (shown < all.size()) shares.push_back(rest);
  const std::vector<int> tenths = tenths_of_percent(shares);
  const auto row = [&](std::size_t i, std::string_view what, std::string_view kind) {
    page.painted(fmt::format("  {:>3}.{} %  {} {} {}", tenths[i] / 10, tenths[i] % 10,
                             page.ink().bar(fit(bar(tenths[i], 18), 18)), fit(what, 29), cut(kind, 20)));
  };
  for (std::size_t i = 0; i < shown; ++i)
    row(i, words(all[i].kind, scenario.plan.decode), task::name(all[i].kind));
  if (shown < all.size()) row(shown, fmt::format("{} smaller ones together", all.size() - shown), "");
}

void what_would_help(Page& page, const study::Forecast& forecast) {
  struct Help {
    task::Kind kind;
    double doubled, infinite;
  };
  std::vector<Help> all, list;
  for (const study::Bottleneck& bottleneck : forecast.bottlenecks)
    if (bottleneck.if_doubled && bottleneck.if_infinite)
      all.push_back(
          {bottleneck.kind, forecast.iteration / *bottleneck.if_doubled,
           bottleneck.if_infinite->value > 0 ? forecast.iteration / *bottleneck.if_infinite : INFINITY});
  if (all.empty()) return;
  std::copy_if(all.begin(), all.end(), std::back_inserter(list),
               [](const Help& help) { return help.doubled >= kWorthNaming; });
  std::stable_sort(list.begin(), list.end(),
                   [](const Help& a, const Help& b) { return a.doubled > b.doubled; });
  page.blank();
  page.heading("What would help most (simulated again; at most: if that part took no time)");
  if (list.empty()) {
    page.line("  Nothing alone: no single part, twice as fast, gains as much as 0.5 %.");
    return;
  }
  if (list.size() > kHelpRows) list.resize(kHelpRows);
  for (const Help& help : list) {
    const std::string most = std::isinf(help.infinite)
                                 ? std::string("no limit")
                                 : fmt::format("at most {:.2f}x", std::max(help.infinite, help.doubled));
    page.line(
        fmt::format("  {} {:>5.2f}x faster   {}", fit(doubled_words(help.kind), 40), help.doubled, most));
  }
}

}  // namespace

void forecast_text(std::ostream& out, const plan::Scenario& scenario, const study::Forecast& forecast,
                   bool colored) {
  Page page(Ink{colored});
  answer(page, scenario, forecast);
  memory(page, forecast);
  money(page, scenario, forecast.money);
  limits(page, scenario, forecast);
  what_would_help(page, forecast);
  if (!forecast.warnings.empty() && page.lines_left() >= 3) {
    page.blank();
    page.heading("Assumed, and settings without effect");
    page.bullets(forecast.warnings, page.lines_left());
  }
  page.print(out);
}

}  // namespace rigcast::report
