#pragma once

/// How the time of one task divides into kinds: the unit of which shares and explanations are made.

#include <functional>
#include <span>

#include "task/graph.h"
#include "timeline/timeline.h"

namespace rigcast::analysis {

/// Receives pieces of time: what they were spent on, at which resource (none: no shared one), and their
/// length.
using Piece = std::function<void(task::Kind, task::ResourceId, double seconds)>;

/// Divides the part of `task` that lies in [from, to] into pieces that add up to it. `steps` are all of the
/// task's, in order of time.
void attribute(const task::Graph& graph, const task::Resources& resources, task::TaskId task,
               const timeline::Span& span, std::span<const timeline::RateStep> steps, Time from, Time to,
               const Piece& piece);

}  // namespace rigcast::analysis
