#pragma once

/// How forecasts of rows move with the constants they rest on.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "study/observation.h"

namespace rigcast::study {

/// One row's forecast and its logarithmic derivatives by the constants it looked up: d ln(forecast) / d
/// ln(c).
struct RowSensitivity {
  double log_ratio = 0;  ///< ln(forecast / measured)
  std::vector<std::pair<int, double>>
      derivatives;  ///< (index into the constants' list, derivative), by index
};

/// Rows that can be forecast, as indices; and the constants to vary, by key.
struct Problem {
  const std::vector<Observation>* observations = nullptr;
  const config::Library* library = nullptr;
  std::vector<std::size_t> rows;
  std::vector<std::string> keys;  ///< of fitted constants that some row uses, sorted
  std::map<std::string, int, std::less<>> index;
  int jobs = 1;
};

/// Finds the rows that resolve and the constants they use: one forecast a row.
Problem make_problem(const std::vector<Observation>& observations, const config::Library& library,
                     const hardware::Profile& profile, int jobs);

/// Logarithmic ratios only: one forecast a row.
std::vector<double> log_ratios(const Problem& problem, const hardware::Profile& profile);

/// One forecast a row, and one a constant that the row looks up; where `earlier` derivatives of the same rows
/// are given, only one a constant that moved the row then.
std::vector<RowSensitivity> sensitivities(const Problem& problem, const hardware::Profile& profile,
                                          const std::vector<RowSensitivity>& earlier,
                                          const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace rigcast::study
