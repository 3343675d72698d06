#pragma once

/// The forecast as one JSON document: SI units in plain doubles, null for what is not known or does not
/// apply.

#include <iosfwd>

#include "study/forecast.h"

namespace rigcast::report {

void forecast_json(std::ostream& out, const plan::Scenario& scenario, const study::Forecast& forecast);

}  // namespace rigcast::report
