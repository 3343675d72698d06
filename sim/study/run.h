#pragma once

/// Lowers, simulates and reads one scenario: the step every study repeats.

#include "analysis/analysis.h"
#include "lower/lower.h"
#include "study/forecast.h"

namespace rigcast::study {

/// Time of a steady iteration only: what what-if questions need, spans recorded but no attribution.
Seconds iteration_time(const plan::Scenario& scenario, const lower::Options& options);

/// Everything. A deadlock is a bug of the lowering.
Run run(const plan::Scenario& scenario, const lower::Options& options);

}  // namespace rigcast::study
