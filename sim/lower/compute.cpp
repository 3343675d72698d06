/// One iteration of a rank: the accumulated micro-batches, then forward of the last one, then its backward
/// segment by segment.

#include <cmath>

#include "lower/state.h"

namespace rigcast::lower {
namespace {

/// Demand of a run of kernels counted in seconds of its own time: what it takes of the GPU while it runs.
task::DemandId stream_demand(State& state, const Rank& rank, const Segment& segment) {
  task::Demand demand;
  demand.rate_bound = 1;
  demand.bound_kind = task::Kind::kGpuLatency;
  const double time = segment.stream.value;
  if (time > 0) {
    const cost::GpuModel& gpu = state.models[rank.program];
    const double flops = gpu.matrix_units ? segment.matrix_flops.value : segment.vector_flops.value;
    if (flops > 0) demand.uses.push_back({rank.matrix, flops / time});
    // A run holds all multiprocessors; where a what-if makes them free there is nothing to hold.
    const double held = gpu.multiprocessors * state.speedup(task::Kind::kGpuVector);
    if (std::isfinite(held)) demand.uses.push_back({rank.multiprocessors, held});
    if (segment.bytes.value > 0) {
      demand.uses.push_back({rank.memory_bandwidth, segment.bytes.value / time});
      demand.share = time / segment.bytes.value;
    }
  }
  return state.out.graph.intern(std::move(demand));
}

task::DemandId host_delay(State& state) {
  task::Demand demand;
  demand.rate_bound = 1;
  demand.bound_kind = task::Kind::kHostLaunch;
  return state.out.graph.intern(std::move(demand));
}

void edge(task::Graph& graph, task::TaskId before, task::TaskId after) {
  if (before.valid()) graph.add_edge(before, after);
}

}  // namespace

Emitted emit(State& state, std::size_t index, const Segment& segment, task::Label label) {
  const Rank& rank = state.ranks[index];
  task::Graph& graph = state.out.graph;
  label.rank = static_cast<std::uint16_t>(index);
  task::Label issue = label;
  issue.phase = task::Phase::kIssue;
  task::Label tail = issue;
  tail.item = graph.item("tail of " + graph.items()[label.item]);
  Emitted emitted;
  emitted.issue = graph.add({issue, segment.issue.value, host_delay(state), rank.host, 0, {}});
  emitted.stream = graph.add({label, segment.stream.value, stream_demand(state, rank, segment), rank.stream,
                              0, segment.stream_slices});
  emitted.tail = graph.add({tail, segment.tail.value, host_delay(state), {}, 0, segment.tail_slices});
  return emitted;
}

void follow(State& state, const Emitted& previous, const Emitted& next, bool waits) {
  task::Graph& graph = state.out.graph;
  if (waits)
    for (const task::TaskId end : {previous.stream, previous.tail}) {
      edge(graph, end, next.issue);
      edge(graph, end, next.tail);
    }
  edge(graph, previous.issue, next.issue);
  edge(graph, previous.issue, next.tail);
  edge(graph, previous.stream, next.stream);
  edge(graph, previous.tail, next.stream);
}

void compute(State& state) {
  task::Graph& graph = state.out.graph;
  const std::uint32_t accumulated = graph.item("accumulated micro-batches");
  const std::uint32_t forward = graph.item("network");
  const plan::ResolvedPlan& plan = state.scenario.plan;
  for (std::size_t i = 0; i < state.iterations.size(); ++i)
    for (std::size_t r = 0; r < state.ranks.size(); ++r) {
      RankIteration& now = state.iterations[i][r];
      const Program& program = state.programs[state.ranks[r].program];
      task::Label label{task::Phase::kForward, 0, static_cast<std::uint16_t>(i), 0, 0, accumulated};
      bool waits = false;
      const auto append = [&](const Segment& segment) {
        const Emitted next = emit(state, r, segment, label);
        if (now.last.stream.valid())
          follow(state, now.last, next, waits);
        else
          now.first = next;
        waits = segment.synchronises;
        now.last = next;
        return next;
      };
      if (plan.grad_accum > 1) append(program.accumulated);
      label.item = forward;
      for (const Segment& segment : program.forward) now.forward.push_back(append(segment));
      label.phase = task::Phase::kBackward;
      for (std::size_t b = 0; b < program.backward.size(); ++b) {
        label.item = graph.item("segment " + std::to_string(b));
        now.buckets.push_back(append(program.backward[b]));
      }
      edge(graph, now.copied, now.first.stream);
      // The training loop asks the loader for the batch before it issues anything.
      edge(graph, now.prepared, now.first.issue);
      edge(graph, now.prepared, now.first.tail);
      // A copy from pageable memory holds the host until it is over.
      if (plan.pageable) {
        edge(graph, now.copied, now.first.issue);
        edge(graph, now.copied, now.first.tail);
      }
      now.end = now.last;
    }
}

}  // namespace rigcast::lower
