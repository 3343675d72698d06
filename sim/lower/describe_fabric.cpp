/// What the channels and network cards of a node are together: the figures by which a collective's algorithm
/// is chosen, and what a byte that leaves the node uses.

#include <limits>

#include "lower/collective.h"

namespace rigcast::lower {
namespace {

/// Whose latencies a collective of these GPUs has: their own links, else PCIe or the copy through the host.
std::string latency_kind(const State& state) {
  const Channel& channel = state.channels.front();
  if (channel.hop_class != cost::HopClass::kGpuLink) return std::string(cost::name(channel.hop_class));
  if (!channel.hops.empty()) return state.scenario.machine.links[channel.hops.front().front().link].kind;
  const hardware::GpuPart& gpu = state.scenario.machine.device(state.ranks.front().gpu).gpu();
  return gpu.peer_links && !gpu.peer_links->bridge_only ? gpu.peer_links->kind : "pcie";
}

}  // namespace

/// Cards carry a node's traffic in proportion to their rates, each from and to the GPU that drives it.
void cost_cards(State& state) {
  BytesPerSecond all;
  for (const NetworkCard& card : state.cards) all += card.rate;
  for (const NetworkCard& card : state.cards) {
    const double part = card.rate / all;
    const hardware::DeviceId gpu = state.ranks[card.rank].gpu;
    add_use(state.network_uses, card.out, part);
    add_use(state.network_uses, card.in, part);
    add_uses(state, state.router.host(gpu, card.device).hops, part, state.network_uses);
    add_uses(state, state.router.host(card.device, gpu).hops, part, state.network_uses);
  }
}

void describe_fabric(State& state) {
  const hardware::Machine& machine = state.scenario.machine;
  const Channel& first = state.channels.front();
  cost::Fabric& fabric = state.fabric;
  fabric.ranks = state.scenario.plan.gpus;
  fabric.nodes = state.scenario.plan.nodes;
  fabric.hop = first.hop_class;
  fabric.link = latency_kind(state);
  fabric.wire = first.latency;
  if (state.ranks.size() > 1)
    for (const Channel& channel : state.channels) fabric.rate += channel.rate;
  else
    fabric.rate = {std::numeric_limits<double>::infinity()};
  for (const hardware::DeviceId id : machine.all(hardware::DeviceType::kNvSwitch))
    if (const auto* part = std::get_if<hardware::SwitchPart>(&machine.device(id).figures))
      fabric.reducing_switches = fabric.reducing_switches || part->in_network_reduction;
  for (const NetworkCard& card : state.cards) {
    fabric.network_rate += card.rate;
    const auto& part = std::get<hardware::SwitchPart>(machine.device(card.device).figures);
    fabric.network = cost::network_of(part.port_link);
  }
  if (fabric.nodes > 1 && fabric.network.empty()) fabric.network = "default";
}

}  // namespace rigcast::lower
