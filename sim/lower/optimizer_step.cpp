/// Closes each iteration: the optimizer where there is one, a marker after all ranks, and what the next
/// iteration waits for. Data-parallel ranks need no barrier of their own (the collectives are one); a rank's
/// next forward follows its own optimizer.

#include "lower/state.h"

namespace rigcast::lower {
namespace {

/// The host thread runs ahead of the GPU by at most one iteration: training loops read the loss back once a
/// step.
constexpr std::size_t kIterationsAhead = 2;

}  // namespace

void optimizer_step(State& state) {
  task::Graph& graph = state.out.graph;
  const plan::ResolvedPlan& plan = state.scenario.plan;
  const std::string member = cost::execution_member(plan);
  // A gradient scaler reads a flag from the GPU before it lets the step go ahead.
  const bool waits = plan.precision == plan::Precision::kAmpFp16 &&
                     state.scenario.profile.value("framework", member, "synchronises_optimizer") > 0.5;
  const bool synchronous = plan.mode == plan::Mode::kInference ||
                           state.scenario.profile.value("framework", member, "synchronises_step") > 0.5;
  const std::size_t ahead = synchronous ? 1 : kIterationsAhead;
  const bool steps = plan.mode == plan::Mode::kTraining && plan.optimizer != plan::Optimizer::kNone;
  // nn.DataParallel keeps the parameters on the first GPU.
  const bool first_only = plan.method == plan::Method::kDataParallel;
  task::Demand instant;
  instant.rate_bound = 1;
  const task::DemandId marker_demand = graph.intern(std::move(instant));
  const std::uint32_t optimizer = graph.item("optimizer"), end = graph.item("end of iteration"),
                      summed = graph.item("gradients summed");

  for (std::size_t i = 0; i < state.iterations.size(); ++i) {
    const auto iteration = static_cast<std::uint16_t>(i);
    const task::TaskId marker =
        graph.add({{task::Phase::kMarker, 0, iteration, 0, 0, end}, 0, marker_demand, {}, 0, {}});
    task::TaskId reduced;  // every gradient is summed
    if (!state.reduced[i].empty()) {
      reduced = graph.add({{task::Phase::kMarker, 0, iteration, 0, 0, summed}, 0, marker_demand, {}, 0, {}});
      for (const task::TaskId part : state.reduced[i]) graph.add_edge(part, reduced);
      graph.add_edge(reduced, marker);
    }
    for (std::size_t r = 0; r < state.ranks.size(); ++r) {
      RankIteration& now = state.iterations[i][r];
      if (steps && (r == 0 || !first_only)) {
        now.end = emit(state, r, state.programs[state.ranks[r].program].optimizer,
                       {task::Phase::kOptimizer, 0, iteration, 0, 0, optimizer});
        follow(state, now.last, now.end);
        if (reduced.valid()) graph.add_edge(reduced, now.end.stream);
        if (waits)
          for (const task::TaskId id : {now.last.stream, now.last.tail, reduced}) {
            if (!id.valid()) continue;
            graph.add_edge(id, now.end.issue);
            graph.add_edge(id, now.end.tail);
          }
      }
      graph.add_edge(now.end.stream, marker);
      graph.add_edge(now.end.tail, marker);
      if (i > 0) {
        const Emitted& before = state.iterations[i - 1][r].end;
        follow(state, before, now.first);
        // A copy from pageable memory keeps its place in the stream, and the host waits for it: nothing
        // overlaps.
        if (plan.pageable && now.copied.valid())
          for (const task::TaskId id : {before.issue, before.stream, before.tail})
            graph.add_edge(id, now.copied);
      }
      if (i >= ahead) {
        const RankIteration& earlier = state.iterations[i - ahead][r];
        for (const task::TaskId id : {earlier.end.stream, earlier.end.tail}) {
          graph.add_edge(id, now.first.issue);
          graph.add_edge(id, now.first.tail);
          if (now.copied.valid()) graph.add_edge(id, now.copied);  // two batches on the GPU at most
        }
      }
    }
    state.out.iteration_ends.push_back(marker);
  }
}

}  // namespace rigcast::lower
