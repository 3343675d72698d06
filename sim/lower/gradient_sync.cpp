/// All-reduce of every gradient bucket. By default one activity a channel: work = bytes each hop carries,
/// used on every link of the channel, with the latency of all steps in front. A hop's links are used more
/// than byte for byte where collectives reach less than plain copies do, so that a saturated link carries
/// just what collectives reach. Memory sees a byte read and two written and read for every byte received; the
/// collective's kernels hold a few multiprocessors of every GPU. `plan.detail: steps` plays the ring step by
/// step: 2 (n - 1) steps, each rank sending a chunk of 1/n to its successor.

#include <algorithm>

#include "lower/state.h"

namespace rigcast::lower {
namespace {

constexpr double kMemoryTrafficPerByte = 3;

/// Uses of one hop per byte it carries.
void hop_uses(const State& state, const Channel& channel, std::size_t position,
              std::vector<task::Use>& uses) {
  const hardware::Machine& machine = state.scenario.machine;
  for (const hardware::Hop& hop : channel.hops[position]) {
    const hardware::Link& link = machine.links[hop.link];
    double scale = 1;
    if (link.link_class == hardware::LinkClass::kSocket) {
      if (link.peer_achievable.value > 0) scale = link.achievable / link.peer_achievable;
    } else if (link.link_class != hardware::LinkClass::kMemory) {
      scale = link.achievable / (link.raw * state.scenario.profile.value("link", link.kind, "collective"));
    }
    add_use(uses, state.resource(hop), scale * hop.share);
  }
  const Rank& sender = state.ranks[static_cast<std::size_t>(channel.order[position])];
  if (channel.staged[position]) add_use(uses, state.staging.at(sender.cpu.index), 1);
  add_use(uses, sender.memory_bandwidth, kMemoryTrafficPerByte);
}

struct Plan {
  cost::CollectiveChoice choice;
  double bytes = 0;  ///< of the channel's part
};

task::Kind link_kind(cost::HopClass hop) {
  return hop == cost::HopClass::kGpuLink ? task::Kind::kGpuLink : task::Kind::kPcie;
}

/// One activity for the whole channel.
task::TaskId whole(State& state, const Channel& channel, const Plan& plan, task::Label label,
                   task::LaneId lane) {
  task::Demand demand;
  for (std::size_t position = 0; position < channel.order.size(); ++position)
    hop_uses(state, channel, position, demand.uses);
  const double slow = 1 / plan.choice.efficiency;
  for (task::Use& use : demand.uses) use.per_work *= slow;
  const double speedup = state.speedup(link_kind(channel.hop_class));
  const double alone = channel.rate.value * plan.choice.efficiency * speedup;
  const double held =
      state.scenario.profile.value("collective", cost::name(channel.hop_class), "multiprocessors") /
      static_cast<double>(state.channels.size());
  if (alone < 1e300)
    for (const Rank& rank : state.ranks) add_use(demand.uses, rank.multiprocessors, held / alone);
  demand.rate_bound = alone;
  demand.bound_kind = link_kind(channel.hop_class);
  demand.share = 1;  // kernels count their own bytes of memory: a collective reaches its rate first and they
                     // get the rest
  demand.latency = Time::ceil(plan.choice.latency / state.speedup(task::Kind::kCollectiveLatency));
  task::Graph& graph = state.out.graph;
  return graph.add(
      {label, plan.bytes * plan.choice.wire_factor, graph.intern(std::move(demand)), lane, 0, {}});
}

/// Ring step by step; returns the last step's tasks.
std::vector<task::TaskId> step_by_step(State& state, const Channel& channel, const Plan& plan,
                                       task::Label label, const std::vector<task::TaskId>& before) {
  const std::size_t n = channel.order.size();
  task::Graph& graph = state.out.graph;
  const double steps = 2.0 * static_cast<double>(n - 1);
  std::vector<task::DemandId> demands;
  for (std::size_t position = 0; position < n; ++position) {
    task::Demand demand;
    hop_uses(state, channel, position, demand.uses);
    demand.rate_bound = channel.rate.value * state.speedup(link_kind(channel.hop_class));
    demand.bound_kind = link_kind(channel.hop_class);
    demand.latency = Time::ceil(plan.choice.latency / steps / state.speedup(task::Kind::kCollectiveLatency));
    demands.push_back(graph.intern(std::move(demand)));
  }
  std::vector<task::TaskId> last;
  for (std::size_t step = 0; step < 2 * (n - 1); ++step) {
    std::vector<task::TaskId> now;
    for (std::size_t position = 0; position < n; ++position) {
      label.rank = static_cast<std::uint16_t>(channel.order[position]);
      label.micro_batch = static_cast<std::uint16_t>(step);
      const task::TaskId send =
          graph.add({label, plan.bytes / static_cast<double>(n), demands[position], {}, 0, {}});
      if (step == 0)
        for (const task::TaskId id : before) graph.add_edge(id, send);
      else
        for (const std::size_t needed : {position, (position + n - 1) % n})
          graph.add_edge(last[needed], send);
      now.push_back(send);
    }
    last = std::move(now);
  }
  return last;
}

}  // namespace

void gradient_sync(State& state) {
  if (state.channels.empty()) return;
  const plan::Scenario& s = state.scenario;
  task::Graph& graph = state.out.graph;
  double total_rate = 0;
  for (const Channel& channel : state.channels) total_rate += channel.rate.value;
  std::vector<task::LaneId> lanes;
  for (std::size_t c = 0; c < state.channels.size(); ++c)
    lanes.push_back(graph.add_lane("all-reduce channel " + std::to_string(c)));
  const std::size_t buckets = state.programs.front().backward.size();

  for (std::size_t i = 0; i < state.iterations.size(); ++i) {
    std::vector<task::TaskId> previous;  // steps have no lane: buckets follow each other
    for (std::size_t b = 0; b < buckets; ++b) {
      const double bytes = state.programs.front().backward[b].gradient_bytes;
      if (bytes <= 0) continue;
      std::vector<task::TaskId> before = previous;
      for (const RankIteration& rank : state.iterations[i]) {
        before.push_back(rank.buckets[b].stream);
        before.push_back(rank.buckets[b].tail);
      }
      const task::Label label{task::Phase::kGradientSync,
                              0,
                              static_cast<std::uint16_t>(i),
                              0,
                              0,
                              graph.item("gradient bucket " + std::to_string(b))};
      std::vector<task::TaskId> ends;
      for (std::size_t c = 0; c < state.channels.size(); ++c) {
        const Channel& channel = state.channels[c];
        Plan plan;
        plan.choice = cost::choose_all_reduce({bytes}, static_cast<int>(state.ranks.size()), {total_rate},
                                              channel.hop_class, s.profile);
        plan.bytes = bytes * channel.rate.value / total_rate;
        task::Label mine = label;
        mine.channel = static_cast<std::uint8_t>(c);
        if (s.plan.steps) {
          const auto last = step_by_step(state, channel, plan, mine, before);
          ends.insert(ends.end(), last.begin(), last.end());
        } else {
          const task::TaskId task = whole(state, channel, plan, mine, lanes[c]);
          for (const task::TaskId id : before) graph.add_edge(id, task);
          ends.push_back(task);
        }
      }
      if (s.plan.steps) previous = ends;
      state.reduced[i].insert(state.reduced[i].end(), ends.begin(), ends.end());
    }
  }
}

}  // namespace rigcast::lower
