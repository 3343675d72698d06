#pragma once

/// Measurements beside forecasts: every row resolved and forecast, and what the errors look like.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/observation.h"

namespace rigcast::study {

/// One row and its forecast.
struct Scored {
  std::string id, metric;
  double measured = 0;
  std::optional<double> forecast;  ///< in the row's metric
  std::optional<std::pair<double, double>> interval;
  std::string bottleneck;
  std::string reason;  ///< not empty: unresolved
  bool unsupported = false;
  std::optional<double> measured_memory, forecast_memory;  ///< bytes of a GPU, where published
  Comparable what;

  double ratio() const { return *forecast / measured; }
  /// |forecast / measured - 1|, the error in the row's own metric.
  double error() const;
};

/// A row's value of a field: of the row itself, or of what it resolved to (family, architecture).
std::string field_of(const Scored& scored, const Row& row, const std::string& field);

/// Errors of a set of resolved rows. Fractions.
struct ErrorSummary {
  int n = 0;
  double mean = 0, median = 0, p90 = 0;
  double bias = 0;  ///< median of forecast / measured - 1
  std::optional<double> interval_coverage;
};
ErrorSummary summarise(const std::vector<const Scored*>& rows);

/// The forecast rows with the largest errors, at most `most`, worst first.
std::vector<const Scored*> worst(const std::vector<Scored>& rows, std::size_t most);

/// Two rows that differ in one thing.
struct Pair {
  std::string id, effect, a, b;
  double ratio = 1;  ///< measured throughput of b over a
};
std::vector<Pair> read_pairs(const config::Source& file, Diagnostics& diagnostics);

struct ScoredPair {
  Pair pair;
  double forecast = 1;
  double error() const;
};
struct PairSummary {
  int n = 0, total = 0;
  std::optional<double> same_winner;     ///< share, where the measured ratio is above 1.1 or below 1 / 1.1
  double median = 0, mean = 0, p90 = 0;  ///< of |forecast ratio / measured ratio - 1|
  std::map<std::string, std::vector<ScoredPair>> by_effect;
};

struct Validation {
  std::vector<Scored> rows;  ///< in input order
  int unsupported = 0;
  ErrorSummary all;
  /// Field -> value -> summary.
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, ErrorSummary>>>> by;
  std::optional<PairSummary> pairs;
  int memory_rows = 0;
  double memory_median = 0;
};

struct ValidateOptions {
  int jobs = 1;
  std::vector<std::string> by;  ///< row fields, and family, architecture, framework
  std::function<void(std::size_t done, std::size_t total)> progress;  ///< called from any thread
};

/// Rows -> observations, on `jobs` threads. O(rows).
std::vector<Observation> observe_all(std::vector<Row> rows, const config::Library& library,
                                     const ValidateOptions& options);

/// Forecasts every observation with the library's constants. The result does not depend on `jobs`.
std::vector<Scored> score(const std::vector<Observation>& observations, const config::Library& library,
                          const ValidateOptions& options);

/// Puts other forecasts, by row, in place of the scored ones; intervals move along. A NaN takes the row out
/// of the tables with that reason.
void replace_forecasts(std::vector<Scored>& rows, const std::vector<double>& forecasts,
                       const std::string& reason);

/// Tables over scored rows. `observations` are those the rows came from, in the same order.
Validation tabulate(std::vector<Scored> rows, const std::vector<Observation>& observations,
                    const std::vector<Pair>& pairs, const ValidateOptions& options);

}  // namespace rigcast::study
