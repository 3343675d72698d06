/// By default a collective is one activity a channel: work = bytes each hop carries, used on every link of
/// the channel and, over several nodes, on the node's network cards, with the latency of all steps in front.
/// A hop's links are used more than byte for byte where collectives reach less than plain copies do, so that
/// a saturated link carries just what collectives reach. Memory sees a byte read and two written and read for
/// every byte received; the collective's kernels hold a few multiprocessors of every GPU. `plan.detail:
/// steps` plays the ring step by step: 2 (n - 1) steps, each rank sending a chunk of 1/n to its successor.

#include "lower/collective.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigcast::lower {
namespace {

constexpr double kMemoryTrafficPerByte = 3;

/// What holds a channel back besides the links it uses: its share of the GPU links, or the copy through host
/// memory. Over PCIe, sockets and the network the links themselves say which of them it is.
void bound(const State& state, const Channel& channel, double efficiency, task::Demand& demand) {
  switch (channel.hop_class) {
    case cost::HopClass::kGpuLink:
      demand.bound_kind = state.ranks.size() > 1 ? task::Kind::kGpuLink : task::Kind::kNetwork;
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

/// What a byte of the bus uses by that choice.
std::vector<task::Use> uses_of(const State& state, const Channel& channel,
                               const cost::CollectiveChoice& choice) {
  std::vector<task::Use> uses;
  for (const auto& hop : channel.uses)
    for (const task::Use& use : hop) add_use(uses, use.resource, use.per_work / choice.efficiency);
  for (const task::Use& use : state.network_uses)
    add_use(uses, use.resource, use.per_work * choice.network_factor);
  return uses;
}

task::DemandId whole(State& state, const Exchange& exchange) {
  const Channel& channel = *exchange.channel;
  task::Demand demand;
  demand.uses = uses_of(state, channel, exchange.choice);
  bound(state, channel, exchange.choice.efficiency, demand);
  const double held =
      state.scenario.profile.value("collective", cost::name(channel.hop_class), "multiprocessors") /
      static_cast<double>(state.channels.size());
  const double alone = exchange.choice.rate.value * exchange.part * state.speedup(demand.bound_kind);
  if (std::isfinite(alone))
    for (const Rank& rank : state.ranks) add_use(demand.uses, rank.multiprocessors, held / alone);
  demand.latency = latency(state, exchange.choice.latency * exchange.messages);
  return state.out.graph.intern(std::move(demand));
}

task::DemandId step(State& state, const Exchange& exchange, std::size_t position) {
  const Channel& channel = *exchange.channel;
  task::Demand demand;
  for (const task::Use& use : channel.uses[position])
    add_use(demand.uses, use.resource, use.per_work / exchange.choice.efficiency);
  bound(state, channel, exchange.choice.efficiency, demand);
  const double steps = 2.0 * static_cast<double>(channel.order.size() - 1);
  demand.latency = latency(state, exchange.choice.latency * exchange.messages / steps);
  return state.out.graph.intern(std::move(demand));
}

std::vector<task::TaskId> step_by_step(State& state, const Exchange& collective, task::Label label,
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

void add_collective_uses(const State& state, const std::vector<hardware::Hop>& hops, double per_byte,
                         std::vector<task::Use>& uses) {
  for (const hardware::Hop& hop : hops) {
    const hardware::Link& link = state.scenario.machine.links[hop.link];
    double scale = 1;
    if (link.link_class == hardware::LinkClass::kSocket) {
      if (link.peer_achievable.value > 0) scale = link.achievable / link.peer_achievable;
    } else if (link.link_class != hardware::LinkClass::kMemory) {
      scale = link.achievable / (link.raw * state.scenario.profile.value("link", link.kind, "collective"));
    }
    add_use(uses, state.resource(hop), per_byte * scale * hop.share);
  }
}

void cost_hops(const State& state, Channel& channel) {
  const hardware::Machine& machine = state.scenario.machine;
  channel.uses.resize(channel.order.size());
  for (std::size_t position = 0; position < channel.hops.size(); ++position) {
    std::vector<task::Use>& uses = channel.uses[position];
    add_collective_uses(state, channel.hops[position], 1, uses);
    Seconds crossing;
    for (const hardware::Hop& hop : channel.hops[position])
      if (hop.share == 1) crossing += machine.links[hop.link].latency;
    channel.latency = std::max(channel.latency, crossing);
    const Rank& sender = state.ranks[static_cast<std::size_t>(channel.order[position])];
    if (channel.staged[position]) add_use(uses, state.staging.at(sender.cpu.index), 1);
    add_use(uses, sender.memory_bandwidth, kMemoryTrafficPerByte);
  }
}

Exchange prepare_exchange(State& state, const Channel& channel, const cost::CollectiveChoice& choice,
                          double bytes, double messages) {
  double rate = 0;
  for (const Channel& each : state.channels) rate += each.rate.value;
  const double part = channel.rate.value / rate;
  Exchange exchange{&channel, choice, part, bytes * part, messages, {}};
  if (!state.steps) {
    exchange.demands.push_back(whole(state, exchange));
    return exchange;
  }
  for (std::size_t position = 0; position < channel.order.size(); ++position)
    exchange.demands.push_back(step(state, exchange, position));
  return exchange;
}

std::vector<task::TaskId> add_exchange(State& state, const Exchange& exchange, task::Label label,
                                       task::LaneId lane, task::TaskId before) {
  if (state.steps) return step_by_step(state, exchange, label, before);
  const double wire = exchange.bytes * exchange.choice.wire_factor;
  const task::TaskId task = state.out.graph.add({label, wire, exchange.demands.front(), lane, 0, {}});
  state.out.graph.add_edge(before, task);
  return {task};
}

AloneTime time_alone(const State& state, cost::Collective op, Bytes size,
                     const cost::CollectiveChoice& choice) {
  // Of a broadcast or reduction every hop but the last carries the message one way: no ring is closed.
  const bool open = op == cost::Collective::kBroadcast || op == cost::Collective::kReduce;
  std::vector<double> load(state.out.resources.size(), 0);
  double total = 0;
  for (const Channel& channel : state.channels) total += channel.rate.value;
  for (const Channel& channel : state.channels) {
    const double part = channel.rate.value / total;
    Channel used = channel;
    if (open && used.uses.size() > 1) used.uses.pop_back();
    for (const task::Use& use : uses_of(state, used, choice)) load[use.resource.index] += use.per_work * part;
  }
  double rate = choice.rate.value;
  AloneTime alone;
  alone.limit = state.fabric.nodes > 1 && rate < state.fabric.rate.value * choice.efficiency
                    ? task::Kind::kNetwork
                : state.fabric.hop == cost::HopClass::kGpuLink ? task::Kind::kGpuLink
                : state.fabric.hop == cost::HopClass::kPcie    ? task::Kind::kPcie
                                                               : task::Kind::kHostMemory;
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (!(load[i] > 0)) continue;
    const task::Resource& resource = state.out.resources.all()[i];
    if (resource.capacity / load[i] >= rate) continue;
    rate = resource.capacity / load[i];
    alone.limit = resource.kind;
  }
  const Seconds moving = size * choice.wire_factor / BytesPerSecond{rate};
  alone.time = choice.latency + moving;
  if (choice.latency > moving) alone.limit = task::Kind::kCollectiveLatency;
  return alone;
}

}  // namespace rigcast::lower
