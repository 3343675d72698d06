/// Ways round all ranks for ring and tree collectives, from the machine's graph.
///
/// GPU links first: a channel is a cycle through all ranks whose every hop is a direct link or a path over
/// NVSwitches with capacity left. Cycles are taken widest first, their width is subtracted, until none is
/// left; directions count apart, so a cube mesh of 8 V100 gives one cycle of double links and one of single
/// links, each both ways round: 6 links out of every GPU. The search is a depth-first search over ranks from
/// rank 0 with the width as lower bound; a budget of steps keeps it bounded (machines where every pair is
/// switched succeed at once). Without such a cycle: one ring over the best peer route of each hop, nearest
/// neighbour next; bridged pairs stay together. The slowest class of hop rules.

#include <algorithm>
#include <limits>

#include "lower/collective.h"

namespace rigcast::lower {
namespace {

using hardware::DeviceId;
using hardware::DeviceType;
using hardware::Hop;

/// Links left, by link and direction.
class Fabric {
 public:
  explicit Fabric(const hardware::Machine& machine)
      : machine_(machine), left_(machine.links.size() * 2), adjacent_(machine.devices.size()) {
    for (std::uint32_t i = 0; i < machine.links.size(); ++i) {
      const hardware::Link& link = machine.links[i];
      const auto forwards = [&](DeviceId id) {
        const DeviceType type = machine.device(id).type;
        return type == DeviceType::kGpu || type == DeviceType::kNvSwitch;
      };
      if (link.link_class != hardware::LinkClass::kGpuLink || !forwards(link.from) || !forwards(link.to))
        continue;
      left_[2 * i] = left_[2 * i + 1] = link.count;
      adjacent_[link.from.index].push_back({i, true});
      adjacent_[link.to.index].push_back({i, false});
    }
  }

  /// A path of at least `width` links from one GPU to another over at most two switches; empty when there is
  /// none.
  std::vector<Hop> path(DeviceId from, DeviceId to, double width) const {
    for (const Hop first : adjacent_[from.index]) {
      if (left(first) < width) continue;
      const DeviceId a = head(first);
      if (a == to) return {first};
      if (machine_.device(a).type != DeviceType::kNvSwitch) continue;
      for (const Hop second : adjacent_[a.index]) {
        if (left(second) < width) continue;
        const DeviceId b = head(second);
        if (b == to) return {first, second};
        if (machine_.device(b).type != DeviceType::kNvSwitch) continue;
        for (const Hop third : adjacent_[b.index])
          if (left(third) >= width && head(third) == to) return {first, second, third};
      }
    }
    return {};
  }

  void take(const std::vector<Hop>& hops, double width) {
    for (const Hop hop : hops) left_[2 * hop.link + (hop.forward ? 0 : 1)] -= width;
  }
  void give_back(const std::vector<Hop>& hops, double width) { take(hops, -width); }

  double widest() const { return left_.empty() ? 0 : *std::max_element(left_.begin(), left_.end()); }

 private:
  double left(Hop hop) const { return left_[2 * hop.link + (hop.forward ? 0 : 1)]; }
  DeviceId head(Hop hop) const {
    return hop.forward ? machine_.links[hop.link].to : machine_.links[hop.link].from;
  }

  const hardware::Machine& machine_;
  std::vector<double> left_;
  std::vector<std::vector<Hop>> adjacent_;
};

struct CycleSearch {
  Fabric& fabric;
  const std::vector<Rank>& ranks;
  double width;
  int budget = 200000;
  std::vector<int> order = {0};
  std::vector<std::vector<Hop>> hops = {};
  std::vector<bool> used = {};

  bool run() {
    used.assign(ranks.size(), false);
    used[0] = true;
    return extend();
  }

  bool extend() {
    if (--budget < 0) return false;
    const DeviceId at = ranks[static_cast<std::size_t>(order.back())].gpu;
    if (order.size() == ranks.size()) {
      std::vector<Hop> home = fabric.path(at, ranks[0].gpu, width);
      if (home.empty()) return false;
      fabric.take(home, width);
      hops.push_back(std::move(home));
      return true;
    }
    for (std::size_t next = 1; next < ranks.size(); ++next) {
      if (used[next]) continue;
      std::vector<Hop> path = fabric.path(at, ranks[next].gpu, width);
      if (path.empty()) continue;
      fabric.take(path, width);
      used[next] = true;
      order.push_back(static_cast<int>(next));
      hops.push_back(path);
      if (extend()) return true;
      hops.pop_back();
      order.pop_back();
      used[next] = false;
      fabric.give_back(path, width);
    }
    return false;
  }
};

double collective_fraction(const State& state, const std::string& kind) {
  return state.scenario.profile.value("link", kind, "collective");
}

void gpu_link_channels(State& state) {
  Fabric fabric(state.scenario.machine);
  for (double width = fabric.widest(); width >= 1;) {
    CycleSearch search{fabric, state.ranks, width};
    if (!search.run()) {
      width -= 1;
      continue;
    }
    const hardware::Link& link = state.scenario.machine.links[search.hops.front().front().link];
    Channel channel;
    channel.hops = std::move(search.hops);
    channel.order = std::move(search.order);
    channel.staged.assign(state.ranks.size(), false);
    channel.rate =
        link.raw / static_cast<double>(link.count) * (width * collective_fraction(state, link.kind));
    state.channels.push_back(std::move(channel));
  }
}

/// Rate of a collective over one hop's route, alone.
BytesPerSecond route_rate(const State& state, const hardware::Route& route, cost::HopClass& hop_class) {
  const hardware::Machine& machine = state.scenario.machine;
  double rate = std::numeric_limits<double>::infinity();
  for (const Hop hop : route.hops) {
    const hardware::Link& link = machine.links[hop.link];
    if (link.link_class == hardware::LinkClass::kSocket)
      rate = std::min(
          rate,
          (link.peer_achievable.value > 0 ? link.peer_achievable.value : link.achievable.value) / hop.share);
    else if (link.link_class != hardware::LinkClass::kMemory)
      rate = std::min(rate, link.raw.value * collective_fraction(state, link.kind) / hop.share);
  }
  if (route.route_class == hardware::RouteClass::kStaged) {
    rate = std::min(rate, state.scenario.profile.value("collective", "staged", "hop_Bps"));
    hop_class = cost::HopClass::kStaged;
  } else if (route.route_class != hardware::RouteClass::kDirect &&
             route.route_class != hardware::RouteClass::kSwitched) {
    hop_class = std::max(hop_class, cost::HopClass::kPcie);
  }
  return {rate};
}

void mixed_ring(State& state) {
  const std::size_t n = state.ranks.size();
  Channel channel;
  channel.order = {0};
  std::vector<bool> used(n);
  used[0] = true;
  while (channel.order.size() < n) {
    const DeviceId at = state.ranks[static_cast<std::size_t>(channel.order.back())].gpu;
    std::size_t best = 0;
    for (std::size_t next = 1; next < n; ++next) {
      if (used[next]) continue;
      const auto better = [&](const hardware::Route& a, const hardware::Route& b) {
        if (a.route_class != b.route_class) return a.route_class < b.route_class;
        return a.hops.size() < b.hops.size();
      };
      if (best == 0 ||
          better(state.router.peer(at, state.ranks[next].gpu), state.router.peer(at, state.ranks[best].gpu)))
        best = next;
    }
    used[best] = true;
    channel.order.push_back(static_cast<int>(best));
  }
  channel.rate = {std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < n; ++i) {
    const auto from = static_cast<std::size_t>(channel.order[i]),
               to = static_cast<std::size_t>(channel.order[(i + 1) % n]);
    const hardware::Route& route = state.router.peer(state.ranks[from].gpu, state.ranks[to].gpu);
    channel.rate = std::min(channel.rate, route_rate(state, route, channel.hop_class));
    channel.hops.push_back(route.hops);
    channel.staged.push_back(route.route_class == hardware::RouteClass::kStaged);
  }
  state.channels.push_back(std::move(channel));
}

/// More tasks than this take many seconds, for every what-if again, to say what one activity a channel says
/// too.
constexpr double kMostSteps = 5e5;

/// Whether the plan's step-by-step detail is to be had.
bool can_step(State& state) {
  if (!state.scenario.plan.steps) return false;
  const double n = static_cast<double>(state.ranks.size());
  const double tasks = 2 * (n - 1) * n * static_cast<double>(state.channels.size()) *
                       static_cast<double>(state.programs.front().backward.size()) * state.options.iterations;
  if (tasks <= kMostSteps) return true;
  state.out.warnings.push_back("plan.detail \"steps\" had no effect: the collectives of " +
                               std::to_string(state.ranks.size()) +
                               " GPUs would be over 500,000 steps; each channel is one activity");
  return false;
}

}  // namespace

void build_channels(State& state) {
  if (state.ranks.size() < 2 || state.scenario.plan.mode != plan::Mode::kTraining) return;
  gpu_link_channels(state);
  if (state.channels.empty()) mixed_ring(state);
  for (Channel& channel : state.channels) cost_hops(state, channel);
  state.steps = can_step(state);
}

}  // namespace rigcast::lower
