#pragma once

/// One scenario end to end: memory ledger, lowering, simulation, attribution, and what would help.

#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "cost/memory.h"
#include "hardware/residuals.h"
#include "lower/lower.h"
#include "plan/scenario.h"
#include "timeline/timeline.h"

namespace rigcast::study {

struct Bottleneck {
  task::Kind kind;
  std::string resource;  ///< the one with most of the time; "" when none is meant
  double share = 0;
  Seconds seconds;  ///< of one iteration
  /// Iteration time with every resource of this kind twice as fast, and free: simulated again. Nothing when
  /// not asked for.
  std::optional<Seconds> if_doubled, if_infinite;
};

struct ResourceUse {
  std::string id;
  task::Kind kind;
  double capacity = 0;
  double busy_s = 0;
  double utilisation = 0;
  std::optional<double> bytes;  ///< where the resource counts bytes
};

struct Money {
  std::optional<double> price_usd, usd_per_hour, power_w, usd_per_million_samples, joules_per_sample;
};

/// Where the iteration time is to be expected, from how far comparable measurements lay from their forecasts.
struct Interval {
  Seconds low, high;
  double coverage = 0;
  std::string basis;  ///< "87 measurements: resnet on ampere-ga100, one GPU"
};

struct Forecast {
  Seconds iteration;
  std::optional<Interval> interval;  ///< nothing when no residuals were given
  double samples_per_s = 0;
  std::optional<double> tokens_per_s;
  std::optional<double> mfu, hfu;
  std::optional<Seconds> epoch, first_epoch;
  cost::MemoryLedger memory;
  std::optional<double>
      largest_batch_that_fits;          ///< samples a data-parallel rank; nothing when not asked for
  std::vector<Bottleneck> bottlenecks;  ///< complete, largest share first; shares add up to 1
  std::vector<ResourceUse> resources;
  analysis::Phases phases;
  Money money;
  std::vector<std::string> warnings;
  bool steady = true;
};

struct Options {
  bool what_would_help = true;  ///< if_doubled and if_infinite
  bool largest_batch = true;
  const std::vector<hardware::ResidualGroup>* residuals = nullptr;  ///< of the catalogue, for the interval
};

/// The graph and timeline of the run, for traces and explanations.
struct Run {
  lower::Lowered lowered;
  timeline::Timeline timeline;
  analysis::SteadyState steady;
  analysis::CriticalPath path;
};

Forecast forecast(const plan::Scenario& scenario, const Options& options = {}, Run* run = nullptr);

/// Fields of `written` (JSON pointers the user wrote) that could not matter in this scenario, each with its
/// reason, as warnings:
/// "/plan/input/workers had no effect: the input is synthetic".
std::vector<std::string> without_effect(const plan::Scenario& scenario, const plan::OriginMap& written,
                                        const Run& run);

}  // namespace rigcast::study
