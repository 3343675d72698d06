#pragma once

/// The timeline as trace-event JSON, for Perfetto (ui.perfetto.dev) and chrome://tracing.

#include <iosfwd>

#include "study/forecast.h"

namespace rigcast::report {

void trace(std::ostream& out, const study::Run& run);

}  // namespace rigcast::report
