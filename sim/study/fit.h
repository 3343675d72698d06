#pragma once

/// Constants of parts from measurements.

#include <functional>
#include <string>
#include <vector>

#include "hardware/profile.h"
#include "study/interval.h"
#include "study/validate.h"

namespace rigcast::study {

/// Where the prior of every constant is centred, and how wide it is.
enum class Prior {
  kBounds,   ///< the middle of its physical bounds (in logarithms), as wide as they are: rows decide
  kShipped,  ///< its present value and uncertainty: a few rows adjust what is known
};

struct FitOptions {
  int jobs = 1;
  Prior prior = Prior::kBounds;
  int steps = 8;  ///< at most; fewer when a step gains less than a thousandth
  std::function<void(std::size_t done, std::size_t total)> progress;
  /// Called after every step that improved the fit, to be kept in case the run ends early.
  std::function<void(const hardware::Profile&)> checkpoint;
};

struct FittedConstant {
  std::string key;
  hardware::Constant constant;  ///< fitted; uncertainty is one standard deviation
  double before = 0;
  int rows = 0;                       ///< measurements whose forecast it moves
  std::vector<std::string> rests_on;  ///< the sources with most of its information, most first
  bool at_bound = false;
};

struct Fit {
  hardware::Profile profile;
  std::vector<FittedConstant> constants;  ///< by key; only those that some row moves
  int steps = 0;
  double objective_before = 0, objective = 0;  ///< robust sum of squares a row
};

/// Robust non-linear least squares over every constant with bounds that some resolved row moves. The residual
/// of a row is the logarithm of forecast over measurement. Unresolved rows are left out.
Fit fit(const std::vector<Observation>& observations, const config::Library& library,
        const hardware::Profile& start, const FitOptions& options);

/// The same fit with each fold of whole (source, model, GPU) groups held out in turn, started at `fitted`.
struct CrossValidation {
  int folds = 0;
  std::vector<double> forecasts;  ///< by observation, from the fit it took no part in; NaN: not resolved
  std::vector<Residual> residuals;
};
CrossValidation cross_validate(const std::vector<Observation>& observations, const config::Library& library,
                               const Fit& fitted, int folds, const FitOptions& options);

/// As `cross_validate`, for given parts: held_out[i] says which observations part i leaves out. Forecasts of
/// observations in no part are NaN.
CrossValidation hold_out(const std::vector<Observation>& observations, const config::Library& library,
                         const Fit& fitted, const std::vector<std::vector<std::size_t>>& held_out,
                         const FitOptions& options);

}  // namespace rigcast::study
