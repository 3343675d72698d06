#pragma once

/// One number for a whole timeline: equal for equal runs, different when any task starts or ends a picosecond
/// apart.

#include <cstdint>
#include <span>

#include "timeline/timeline.h"

namespace rigcast::timeline {

/// What one task adds to the fingerprint. The sum over all tasks is taken modulo 2^64, so tasks may come in
/// any order and no span needs to be kept.
std::uint64_t fingerprint_term(task::TaskId task, Time start, Time end);

/// Timeline::fingerprint from recorded spans.
std::uint64_t fingerprint(std::span<const Span> spans);

}  // namespace rigcast::timeline
