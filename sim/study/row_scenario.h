#pragma once

/// Measurement row -> scenario, by the interface's rules.

#include <string>

#include "base/expected.h"
#include "config/json.h"
#include "study/row.h"

namespace rigcast::study {

struct NoScenario {
  std::string reason;
  bool unsupported = false;  ///< the kind of plan is not built
};

/// The scenario of a training or inference row as JSON. What the source does not state is left to the
/// scenario's defaults.
Expected<config::Value, NoScenario> scenario_of(const Row& row);

}  // namespace rigcast::study
