#pragma once

/// Measurements beside forecasts.

#include <iosfwd>

#include "study/validate.h"

namespace rigcast::report {

void validation_text(std::ostream& out, const study::Validation& validation);
void validation_json(std::ostream& out, const study::Validation& validation);
/// One line a row: id, metric, measured, forecast, ratio, low, high, bottleneck, reason.
void validation_csv(std::ostream& out, const study::Validation& validation);
/// JSON Lines, one object a row.
void validation_each(std::ostream& out, const study::Validation& validation);

}  // namespace rigcast::report
