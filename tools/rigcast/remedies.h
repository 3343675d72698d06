#pragma once

/// What would make a scenario fit in memory. Every remedy is tried on the ledger before it is named.

#include <vector>

#include "hardware/catalogue.h"
#include "plan/scenario.h"
#include "report/memory.h"

namespace rigcast::tool {

/// The ledger, the largest batch, and the remedies that fit: smaller batch, accumulation, flash attention,
/// lower precision, GPUs of the catalogue with more memory. Where the scenario fits already there are none.
report::MemoryFindings find_memory(const plan::Scenario& scenario, const hardware::Catalogue& catalogue);

}  // namespace rigcast::tool
