/// All-reduce of every gradient bucket, on lanes of their own so that they overlap with the rest of backward.
/// A bucket is ready when every rank has it; buckets follow each other on a channel. A part of every bucket
/// (`framework.NAME.late_gradients`) is exchanged only when backward is over: fusion buffers, negotiation
/// cycles and kernels that find no free multiprocessors hold it back.

#include <algorithm>
#include <cmath>

#include "lower/collective.h"

namespace rigcast::lower {

void gradient_sync(State& state) {
  const plan::ResolvedPlan& plan = state.scenario.plan;
  if (plan.method == plan::Method::kIndependent) return;  // copies that train beside each other
  if (plan.method == plan::Method::kDataParallel) return reduce_to_first(state);
  if (plan.method == plan::Method::kParameterServer) {
    if (state.ranks.size() > 1 && plan.mode == plan::Mode::kTraining) push_and_pull(state);
    return;
  }
  if (state.channels.empty()) return;
  task::Graph& graph = state.out.graph;
  std::vector<task::LaneId> lanes;
  for (std::size_t c = 0; c < state.channels.size(); ++c)
    lanes.push_back(graph.add_lane("all-reduce channel " + std::to_string(c)));
  task::Demand instant;
  instant.rate_bound = 1;
  const task::DemandId ready_demand = graph.intern(std::move(instant));
  const std::vector<Segment>& segments = state.programs.front().backward;

  const double late =
      state.scenario.profile.value("framework", cost::execution_member(plan), "late_gradients");
  double held_bytes = 0, held_messages = 0;

  for (std::size_t b = 0; b < segments.size(); ++b) {
    double bytes = segments[b].gradient_bytes, messages = segments[b].buckets;
    const bool last = b + 1 == segments.size();
    if (!last) {
      held_bytes += bytes * late;
      held_messages += messages * late;
      bytes *= 1 - late;
    } else {
      bytes += held_bytes;
      messages = std::max(1.0, std::round(messages + held_messages));
    }
    if (bytes <= 0) continue;
    // Step by step is the ring's way.
    const Bytes message{bytes / messages};
    const cost::CollectiveChoice choice =
        state.steps
            ? cost::choose(cost::Collective::kAllReduce, message, cost::Algorithm::kRing, state.fabric,
                           state.scenario.profile)
            : cost::choose(cost::Collective::kAllReduce, message, state.fabric, state.scenario.profile);
    std::vector<Exchange> parts;
    for (const Channel& channel : state.channels)
      parts.push_back(prepare_exchange(state, channel, choice, bytes, messages));

    const std::uint32_t item = graph.item("gradient bucket " + std::to_string(b));
    for (std::size_t i = 0; i < state.iterations.size(); ++i) {
      task::Label label{task::Phase::kMarker, 0, static_cast<std::uint16_t>(i), 0, 0, item};
      const task::TaskId ready = graph.add({label, 0, ready_demand, {}, 0, {}});
      for (const RankIteration& rank : state.iterations[i]) {
        graph.add_edge(rank.buckets[b].stream, ready);
        graph.add_edge(rank.buckets[b].tail, ready);
      }
      label.phase = task::Phase::kGradientSync;
      std::vector<task::TaskId>& reduced = state.reduced[i];
      // Step by step there is no lane: the steps of a bucket wait for those of the one before.
      if (state.steps)
        for (const task::TaskId earlier : reduced) graph.add_edge(earlier, ready);
      if (state.steps) reduced.clear();
      for (std::size_t c = 0; c < parts.size(); ++c) {
        label.channel = static_cast<std::uint8_t>(c);
        const auto ends = add_exchange(state, parts[c], label, lanes[c], ready);
        reduced.insert(reduced.end(), ends.begin(), ends.end());
      }
    }
  }
}

}  // namespace rigcast::lower
