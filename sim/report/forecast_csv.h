#pragma once

/// The forecast as a header line and one row, for spreadsheets; an empty cell is what null is in JSON.

#include <iosfwd>

#include "study/forecast.h"

namespace rigcast::report {

void forecast_csv(std::ostream& out, const plan::Scenario& scenario, const study::Forecast& forecast);

}  // namespace rigcast::report
