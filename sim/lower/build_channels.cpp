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
      : machine_(machine),
        left_(machine.links.size() * 2),
        adjacent_(machine.devices.size()),
        mesh_(machine.all(DeviceType::kNvSwitch).empty()) {
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

  /// No switches: every hop is a link of its own.
  bool mesh() const { return mesh_; }
  /// Links left straight from one GPU to another.
  double direct(DeviceId from, DeviceId to) const {
    double most = 0;
    for (const Hop hop : adjacent_[from.index])
      if (head(hop) == to) most = std::max(most, left(hop));
    return most;
  }

  double widest() const { return left_.empty() ? 0 : *std::max_element(left_.begin(), left_.end()); }

 private:
  double left(Hop hop) const { return left_[2 * hop.link + (hop.forward ? 0 : 1)]; }
  DeviceId head(Hop hop) const {
    return hop.forward ? machine_.links[hop.link].to : machine_.links[hop.link].from;
  }

  const hardware::Machine& machine_;
  std::vector<double> left_;
  std::vector<std::vector<Hop>> adjacent_;
  bool mesh_;
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

  /// Ranks not yet on the way; over a mesh those with most links left first, which leaves room for more
  /// cycles.
  std::vector<std::size_t> candidates(DeviceId at) const {
    std::vector<std::size_t> list;
    for (std::size_t next = 1; next < ranks.size(); ++next)
      if (!used[next]) list.push_back(next);
    if (fabric.mesh())
      std::stable_sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
        return fabric.direct(at, ranks[a].gpu) > fabric.direct(at, ranks[b].gpu);
      });
    return list;
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
    for (const std::size_t next : candidates(at)) {
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

/// Channels of cycles no wider than `start`.
std::vector<Channel> cycles_from(const State& state, double start) {
  std::vector<Channel> channels;
  Fabric fabric(state.scenario.machine);
  for (double width = start; width >= 1;) {
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
    channels.push_back(std::move(channel));
  }
  return channels;
}

double total(const std::vector<Channel>& channels) {
  double rate = 0;
  for (const Channel& channel : channels) rate += channel.rate.value;
  return rate;
}

/// Wide cycles first waste links on some meshes (four GPUs, two links a pair), so narrower starts are tried
/// too.
void gpu_link_channels(State& state) {
  const Fabric fabric(state.scenario.machine);
  const double widest = fabric.widest();
  state.channels = cycles_from(state, widest);
  if (!fabric.mesh()) return;
  for (double width = widest - 1; width >= 1; --width) {
    std::vector<Channel> other = cycles_from(state, width);
    if (total(other) > total(state.channels) * 1.001) state.channels = std::move(other);
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

/// One GPU a node: what it sends goes to the network.
void lone_rank(State& state) {
  Channel channel;
  channel.order = {0};
  channel.uses.resize(1);
  for (const NetworkCard& card : state.cards) channel.rate += card.rate;
  state.channels.push_back(std::move(channel));
}

/// More tasks than this take many seconds, for every what-if again, to say what one activity a channel says
/// too.
constexpr double kMostSteps = 5e5;

/// Whether the plan's step-by-step detail is to be had.
bool can_step(State& state) {
  if (!state.scenario.plan.steps) return false;
  if (state.scenario.plan.method != plan::Method::kDdp) return false;
  if (state.fabric.nodes > 1 || state.ranks.size() < 2) {
    state.out.warnings.push_back(
        "plan.detail \"steps\" had no effect: steps are played inside one node only");
    return false;
  }
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
  const plan::ResolvedPlan& plan = state.scenario.plan;
  const bool exchanges = plan.method == plan::Method::kDataParallel ||
                         (plan.mode == plan::Mode::kTraining && plan.method == plan::Method::kDdp);
  if (plan.gpus < 2 || !exchanges) return;
  if (state.ranks.size() > 1) {
    gpu_link_channels(state);
    if (state.channels.empty()) mixed_ring(state);
  } else {
    lone_rank(state);
  }
  for (Channel& channel : state.channels) cost_hops(state, channel);
  cost_cards(state);
  describe_fabric(state);
  state.steps = can_step(state);
}

}  // namespace rigcast::lower
