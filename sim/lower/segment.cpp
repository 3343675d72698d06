/// Sums of a run of kernels (see Segment), and its slices: consecutive ones of one operator and kind are
/// joined, so that a breakdown reads like a profile.

#include <algorithm>

#include "lower/state.h"

namespace rigcast::lower {
namespace {

using cost::Kernel;

task::Kind kind_of_bound(cost::Bound bound) {
  switch (bound) {
    case cost::Bound::kMatrix:
      return task::Kind::kGpuMatrix;
    case cost::Bound::kVector:
      return task::Kind::kGpuVector;
    case cost::Bound::kMemory:
      return task::Kind::kGpuMemory;
    case cost::Bound::kLatency:
      return task::Kind::kGpuLatency;
  }
  return task::Kind::kGpuLatency;
}

class Slices {
 public:
  void add(std::uint32_t item, task::Kind kind, Seconds time) {
    if (time.value <= 0) return;
    if (!slices_.empty() && slices_.back().item == item && slices_.back().kind == kind)
      slices_.back().seconds += time.value;
    else
      slices_.push_back({item, kind, time.value});
  }
  void kernel(std::uint32_t item, const Kernel& kernel) {
    add(item, kind_of_bound(kernel.bound()), kernel.busy());
    add(item, task::Kind::kGpuLatency, kernel.latency);
  }
  task::BreakdownId intern(task::Graph& graph) {
    return slices_.empty() ? task::BreakdownId::none() : graph.add_breakdown(std::move(slices_));
  }

 private:
  std::vector<task::Slice> slices_;
};

std::uint32_t item_of(State& state, const Kernel& kernel) {
  if (kernel.op == Kernel::kNoOperator) return state.out.graph.item("optimizer");
  if (kernel.op == Kernel::kLoop) return state.out.graph.item("between steps");
  return state.out.graph.item(state.scenario.network.operators[kernel.op].name);
}

}  // namespace

void finish_segment(State& state, Segment& segment, double slowest) {
  const auto faster = [&](task::Kind kind, Seconds& time) { time /= state.speedup(kind); };
  std::size_t last_issued = 0;
  Seconds rest;  // of the kernels from some j on
  for (Kernel& kernel : segment.kernels) {
    faster(task::Kind::kGpuMatrix, kernel.matrix);
    faster(task::Kind::kGpuVector, kernel.vector);
    faster(task::Kind::kGpuMemory, kernel.memory);
    faster(task::Kind::kGpuLatency, kernel.latency);
    faster(task::Kind::kHostLaunch, kernel.host);
    segment.issue += kernel.host;
    segment.stream += kernel.duration();
    (kernel.matrix.value > 0 ? segment.matrix_flops : segment.vector_flops) += kernel.flops;
    segment.bytes += kernel.bytes;
  }
  Seconds issued = segment.issue;
  segment.tail = {-1};
  for (std::size_t i = segment.kernels.size(); i-- > 0;) {
    rest += segment.kernels[i].duration();
    if (issued + rest > segment.tail) {
      segment.tail = issued + rest;
      last_issued = i;
    }
    issued -= segment.kernels[i].host;
  }
  segment.tail = std::max(segment.tail, Seconds{});
  const Seconds waited = segment.stream * (slowest - 1);
  segment.issue *= slowest;
  segment.stream *= slowest;
  segment.tail *= slowest;
  if (!state.options.breakdowns) return;
  Slices stream, tail;
  for (std::size_t i = 0; i < segment.kernels.size(); ++i) {
    const std::uint32_t item = item_of(state, segment.kernels[i]);
    stream.kernel(item, segment.kernels[i]);
    if (i <= last_issued) tail.add(item, task::Kind::kHostLaunch, segment.kernels[i].host);
  }
  for (std::size_t i = last_issued; i < segment.kernels.size(); ++i)
    tail.kernel(item_of(state, segment.kernels[i]), segment.kernels[i]);
  if (waited.value > 0) {
    const std::uint32_t item = state.out.graph.item("wait for the slowest replica");
    stream.add(item, task::Kind::kDependency, waited);
    tail.add(item, task::Kind::kDependency, segment.tail * (1 - 1 / slowest));
  }
  segment.stream_slices = stream.intern(state.out.graph);
  segment.tail_slices = tail.intern(state.out.graph);
}

void repeat_segment(State& state, Segment& segment, int runs) {
  const bool host_bound = segment.issue > segment.stream;
  std::vector<task::Slice> stream, tail;
  const auto scaled = [&](task::BreakdownId id, double factor, std::vector<task::Slice>& into) {
    if (!id.valid()) return;
    for (task::Slice slice : state.out.graph.slices(id)) {
      slice.seconds *= factor;
      into.push_back(slice);
    }
  };
  scaled(segment.stream_slices, runs, stream);
  if (host_bound)
    tail.push_back({state.out.graph.item("accumulated micro-batches"), task::Kind::kHostLaunch,
                    segment.issue.value * (runs - 1)});
  else
    scaled(segment.stream_slices, runs - 1, tail);
  scaled(segment.tail_slices, 1, tail);
  segment.tail += std::max(segment.issue, segment.stream) * (runs - 1);
  segment.issue *= runs;
  segment.stream *= runs;
  segment.matrix_flops *= runs;
  segment.vector_flops *= runs;
  segment.bytes *= runs;
  if (!stream.empty()) segment.stream_slices = state.out.graph.add_breakdown(std::move(stream));
  if (!tail.empty()) segment.tail_slices = state.out.graph.add_breakdown(std::move(tail));
}

}  // namespace rigcast::lower
