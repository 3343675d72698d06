/// Embedding tables spread over the ranks: each rank looks its own tables' rows up for the samples of all,
/// and an all-to-all brings every sample's vectors to the rank that works on it; their gradients go back the
/// same way after backward. Nothing of the forward pass that follows can start before the vectors are there.

#include "lower/collective.h"

namespace rigcast::lower {
namespace {

struct AllToAll {
  std::vector<Exchange> parts;
  std::vector<task::LaneId> lanes;
};

AllToAll prepare(State& state, double bytes, const char* name) {
  AllToAll exchange;
  const cost::CollectiveChoice choice =
      cost::choose(cost::Collective::kAllToAll, {bytes}, state.fabric, state.scenario.profile);
  for (const Channel& channel : state.channels) {
    exchange.parts.push_back(prepare_exchange(state, channel, choice, bytes, 1));
    exchange.lanes.push_back(
        state.out.graph.add_lane(name + std::string(" channel ") + std::to_string(exchange.lanes.size())));
  }
  return exchange;
}

std::vector<task::TaskId> add(State& state, const AllToAll& exchange, task::Label label,
                              const std::vector<Emitted>& after, task::DemandId instant) {
  task::Graph& graph = state.out.graph;
  label.phase = task::Phase::kMarker;
  const task::TaskId ready = graph.add({label, 0, instant, {}, 0, {}});
  for (const Emitted& run : after) {
    graph.add_edge(run.stream, ready);
    graph.add_edge(run.tail, ready);
  }
  label.phase = task::Phase::kGradientSync;
  std::vector<task::TaskId> ends;
  for (std::size_t c = 0; c < exchange.parts.size(); ++c) {
    label.channel = static_cast<std::uint8_t>(c);
    const auto part = add_exchange(state, exchange.parts[c], label, exchange.lanes[c], ready);
    ends.insert(ends.end(), part.begin(), part.end());
  }
  return ends;
}

}  // namespace

void spread_tables(State& state) {
  if (state.channels.empty()) return;
  const std::vector<Segment>& runs = state.programs.front().forward;
  task::Graph& graph = state.out.graph;
  for (std::size_t f = 0; f + 1 < runs.size(); ++f) {
    if (runs[f].looked_up_bytes <= 0) continue;
    const AllToAll there = prepare(state, runs[f].looked_up_bytes, "vectors");
    const AllToAll back = prepare(state, runs[f].looked_up_bytes, "their gradients");
    task::Demand demand;
    demand.rate_bound = 1;
    const task::DemandId instant = graph.intern(std::move(demand));
    const std::uint32_t item = graph.item("looked-up vectors");
    for (std::size_t i = 0; i < state.iterations.size(); ++i) {
      const task::Label label{task::Phase::kMarker, 0, static_cast<std::uint16_t>(i), 0, 0, item};
      std::vector<Emitted> looked_up, last;
      for (const RankIteration& rank : state.iterations[i]) {
        looked_up.push_back(rank.forward[f]);
        last.push_back(rank.last);
      }
      for (const task::TaskId end : add(state, there, label, looked_up, instant))
        for (const RankIteration& rank : state.iterations[i]) graph.add_edge(end, rank.forward[f + 1].stream);
      if (state.scenario.plan.mode != plan::Mode::kTraining) continue;
      const auto ends = add(state, back, label, last, instant);
      state.reduced[i].insert(state.reduced[i].end(), ends.begin(), ends.end());
    }
  }
}

}  // namespace rigcast::lower
