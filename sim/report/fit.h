#pragma once

/// What a fit found.

#include <iosfwd>
#include <optional>

#include "study/fit.h"

namespace rigcast::report {

struct FitFindings {
  study::Fit fit;
  study::ErrorSummary before, in_sample;
  std::optional<study::ErrorSummary> out_of_sample;
  std::size_t rows = 0;
};

void fit_text(std::ostream& out, const FitFindings& findings);
void fit_json(std::ostream& out, const FitFindings& findings);

}  // namespace rigcast::report
