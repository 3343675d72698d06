/// Which network cards a node's ranks send through. Libraries pair GPUs with the cards nearest to them (those
/// behind the same PCIe switch), so cards farther away than the nearest ones, for storage and management, are
/// left alone. Ranks that use part of a node's GPUs drive that part of its cards.

#include <algorithm>

#include "lower/state.h"

namespace rigcast::lower {
namespace {

struct Candidate {
  hardware::DeviceId device;
  std::size_t rank = 0, hops = 0;
};

/// The nearest rank; of equals the one with fewest cards yet.
Candidate candidate(const State& state, hardware::DeviceId card, std::vector<int>& taken) {
  Candidate best{card, 0, 0};
  for (std::size_t r = 0; r < state.ranks.size(); ++r) {
    const std::size_t hops = state.router.host(state.ranks[r].gpu, card).hops.size();
    if (r == 0 || hops < best.hops || (hops == best.hops && taken[r] < taken[best.rank]))
      best = {card, r, hops};
  }
  ++taken[best.rank];
  return best;
}

task::ResourceId port(State& state, const std::string& id, const char* way, double rate) {
  state.out.resource_owner.push_back(id);
  return state.out.resources.add(
      {id + way, task::Kind::kNetwork, rate * state.speedup(task::Kind::kNetwork), "B"});
}

}  // namespace

void network_cards(State& state) {
  const hardware::Machine& machine = state.scenario.machine;
  if (state.scenario.plan.nodes < 2) return;
  std::vector<int> taken(state.ranks.size(), 0);
  std::vector<Candidate> candidates;
  std::size_t nearest = ~std::size_t{0};
  for (const hardware::DeviceId id : machine.all(hardware::DeviceType::kNic)) {
    const auto* part = std::get_if<hardware::SwitchPart>(&machine.device(id).figures);
    if (part == nullptr || !(part->port_achievable.value > 0)) continue;
    candidates.push_back(candidate(state, id, taken));
    nearest = std::min(nearest, candidates.back().hops);
  }
  std::erase_if(candidates, [&](const Candidate& each) { return each.hops > nearest; });
  const std::size_t gpus = machine.all(hardware::DeviceType::kGpu).size();
  const std::size_t used = (candidates.size() * state.ranks.size() + gpus - 1) / gpus;
  candidates.resize(std::min(candidates.size(), used));
  for (const Candidate& each : candidates) {
    const hardware::Device& device = machine.device(each.device);
    const auto& part = std::get<hardware::SwitchPart>(device.figures);
    const double rate = part.port_achievable.value * std::max(1, device.count);
    const task::ResourceId out = port(state, device.id, ".out", rate),
                           in = port(state, device.id, ".in", rate);
    state.cards.push_back({each.device, out, in, {rate}, each.rank});
  }
}

}  // namespace rigcast::lower
