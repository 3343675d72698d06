#pragma once

/// The forecast for a person: the answer, what limits it, what would help, what was assumed. At most 80
/// columns and 40 lines, whatever the scenario.

#include <iosfwd>

#include "study/forecast.h"

namespace rigcast::report {

void forecast_text(std::ostream& out, const plan::Scenario& scenario, const study::Forecast& forecast,
                   bool colored);

}  // namespace rigcast::report
