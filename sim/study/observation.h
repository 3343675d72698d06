#pragma once

/// A measurement that can be forecast again and again with other constants: resolved once, simulated often.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/load.h"
#include "plan/scenario.h"
#include "study/interval.h"
#include "study/row.h"

namespace rigcast::study {

struct Observation {
  Row row;
  std::unique_ptr<plan::Scenario> scenario;  ///< of training and inference rows
  std::string reason;                        ///< not empty: it cannot be forecast
  bool unsupported = false;                  ///< its kind of plan is not built

  bool resolved() const { return reason.empty(); }
};

/// Resolves a row to machine, workload and plan. Micro rows are only read.
Observation observe(Row row, const config::Library& library);

struct Prediction {
  double value = 0;  ///< in the row's metric
  std::string bottleneck;
  std::string reason;            ///< not empty: there is none
  double peak_memory_bytes = 0;  ///< of the fullest GPU; 0 for micro rows, or when not attributed
};

/// The forecast of a resolved observation with these constants. `attribute`: also what limits it, which costs
/// about as much again.
Prediction predict(const Observation& observation, const config::Library& library,
                   const hardware::Profile& profile, bool attribute);

/// What the row's forecast is comparable by. `library` knows the GPUs of micro rows.
Comparable comparable_by(const Observation& observation, const config::Library& library);

}  // namespace rigcast::study
