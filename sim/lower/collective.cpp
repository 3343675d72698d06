/// By default a collective is one activity a channel: work = bytes each hop carries, used on every link of
/// the channel, with the latency of all steps in front. A hop's links are used more than byte for byte where
/// collectives reach less than plain copies do, so that a saturated link carries just what collectives reach.
/// Memory sees a byte read and two written and read for every byte received; the collective's kernels hold a
/// few multiprocessors of every GPU. `plan.detail: steps` plays the ring step by step: 2 (n - 1) steps, each
/// rank sending a chunk of 1/n to its successor.

#include "lower/collective.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigcast::lower {
namespace {

constexpr double kMemoryTrafficPerByte = 3;

/// What holds a channel back besides the links it uses: its share of the GPU links, or the copy through host
/// memory. Over PCIe and sockets the links themselves say which of them it is.
void bound(const State& state, const Channel& channel, double efficiency, task::Demand& demand) {
  switch (channel.hop_class) {
    case cost::HopClass::kGpuLink:
      demand.bound_kind = task::Kind::kGpuLink;
      demand.rate_bound = channel.rate.value * efficiency * state.speedup(demand.bound_kind);
      return;
    case cost::HopClass::kPcie:
      demand.bound_kind = task::Kind::kPcie;
      demand.rate_bound = std::numeric_limits<double>::infinity();
      return;
    case cost::HopClass::kStaged:
      demand.bound_kind = task::Kind::kHostMemory;
      demand.rate_bound = state.scenario.profile.value("collective", "staged", "hop_Bps") * efficiency *
                          state.speedup(demand.bound_kind);
      return;
  }
}

Time latency(const State& state, Seconds alone) {
  return Time::ceil(alone / state.speedup(task::Kind::kCollectiveLatency));
}

task::DemandId whole(State& state, const AllReduce& collective) {
  const Channel& channel = *collective.channel;
  task::Demand demand;
  for (const auto& hop : channel.uses)
    for (const task::Use& use : hop)
      add_use(demand.uses, use.resource, use.per_work / collective.choice.efficiency);
  bound(state, channel, collective.choice.efficiency, demand);
  const double held =
      state.scenario.profile.value("collective", cost::name(channel.hop_class), "multiprocessors") /
      static_cast<double>(state.channels.size());
  const double alone = channel.rate.value * collective.choice.efficiency * state.speedup(demand.bound_kind);
  if (std::isfinite(alone))
    for (const Rank& rank : state.ranks) add_use(demand.uses, rank.multiprocessors, held / alone);
  demand.latency = latency(state, collective.choice.latency * collective.messages);
  return state.out.graph.intern(std::move(demand));
}

/// The low-latency protocols exist for messages too small to be worth playing; a step moves its bytes in the
/// simple one.
task::DemandId step(State& state, const AllReduce& collective, std::size_t position) {
  const Channel& channel = *collective.channel;
  task::Demand demand;
  demand.uses = channel.uses[position];
  bound(state, channel, 1, demand);
  const double steps = 2.0 * static_cast<double>(channel.order.size() - 1);
  demand.latency = latency(state, collective.choice.latency * collective.messages / steps);
  return state.out.graph.intern(std::move(demand));
}

std::vector<task::TaskId> step_by_step(State& state, const AllReduce& collective, task::Label label,
                                       task::TaskId before) {
  task::Graph& graph = state.out.graph;
  const Channel& channel = *collective.channel;
  const std::size_t n = channel.order.size();
  std::vector<task::TaskId> last, now;
  for (std::size_t step = 0; step < 2 * (n - 1); ++step) {
    now.clear();
    for (std::size_t position = 0; position < n; ++position) {
      label.rank = static_cast<std::uint16_t>(channel.order[position]);
      label.micro_batch = static_cast<std::uint16_t>(step);
      const double chunk = collective.bytes / static_cast<double>(n);
      const task::TaskId send = graph.add({label, chunk, collective.demands[position], {}, 0, {}});
      if (step == 0)
        graph.add_edge(before, send);
      else
        for (const std::size_t needed : {position, (position + n - 1) % n})
          graph.add_edge(last[needed], send);
      now.push_back(send);
    }
    std::swap(last, now);
  }
  return last;
}

}  // namespace

void cost_hops(const State& state, Channel& channel) {
  const hardware::Machine& machine = state.scenario.machine;
  channel.uses.resize(channel.order.size());
  for (std::size_t position = 0; position < channel.order.size(); ++position) {
    std::vector<task::Use>& uses = channel.uses[position];
    Seconds crossing;
    for (const hardware::Hop& hop : channel.hops[position]) {
      const hardware::Link& link = machine.links[hop.link];
      double scale = 1;
      if (link.link_class == hardware::LinkClass::kSocket) {
        if (link.peer_achievable.value > 0) scale = link.achievable / link.peer_achievable;
      } else if (link.link_class != hardware::LinkClass::kMemory) {
        scale = link.achievable / (link.raw * state.scenario.profile.value("link", link.kind, "collective"));
      }
      add_use(uses, state.resource(hop), scale * hop.share);
      if (hop.share == 1) crossing += link.latency;
    }
    channel.latency = std::max(channel.latency, crossing);
    const Rank& sender = state.ranks[static_cast<std::size_t>(channel.order[position])];
    if (channel.staged[position]) add_use(uses, state.staging.at(sender.cpu.index), 1);
    add_use(uses, sender.memory_bandwidth, kMemoryTrafficPerByte);
  }
}

AllReduce prepare_all_reduce(State& state, const Channel& channel, const cost::CollectiveChoice& choice,
                             double bytes, double messages) {
  AllReduce collective{&channel, choice, bytes, messages, {}};
  if (!state.steps) {
    collective.demands.push_back(whole(state, collective));
    return collective;
  }
  for (std::size_t position = 0; position < channel.order.size(); ++position)
    collective.demands.push_back(step(state, collective, position));
  return collective;
}

std::vector<task::TaskId> add_all_reduce(State& state, const AllReduce& collective, task::Label label,
                                         task::LaneId lane, task::TaskId before) {
  if (state.steps) return step_by_step(state, collective, label, before);
  const double wire = collective.bytes * collective.choice.wire_factor;
  const task::TaskId task = state.out.graph.add({label, wire, collective.demands.front(), lane, 0, {}});
  state.out.graph.add_edge(before, task);
  return {task};
}

}  // namespace rigcast::lower
