#pragma once

/// Explains why nothing can start any more.

#include <vector>

#include "engine/admission.h"
#include "engine/simulate.h"

namespace rigcast::engine {

/// `missing[i]`: predecessors of task i that have not ended; kEnded: it has ended itself. Nothing is running.
inline constexpr std::uint32_t kEnded = 0xffffffffu;
Deadlock explain_deadlock(const task::Graph& graph, const Admission& admission,
                          const std::vector<std::uint32_t>& missing, Time now);

}  // namespace rigcast::engine
