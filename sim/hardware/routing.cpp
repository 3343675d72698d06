#include "hardware/routing.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/check.h"
#include "graph/flow.h"
#include "graph/paths.h"

// Host traffic takes the path of fewest hops, and of those the widest, over every link that is not between
// GPUs. Only CPUs, PCIe switches, bridges, network cards and network switches pass traffic on; a GPU does so
// only where nothing else leads on (the network ports of Gaudi cards), which a high cost expresses.
//
// Between two GPUs the rules of peer access decide, in this order:
//   1. a link of their own: taken alone, never several GPUs in a row (drivers do not forward through a third
//   GPU, so a
//      two-hop detour over a cube mesh is the business of a collective's ring, not of a copy);
//   2. NVSwitches: every plane at once, so the route is a maximum flow through the switches and each hop
//   carries its share;
//   3. PCIe peer-to-peer where both parts and the machine allow it; a GeForce card never across sockets;
//   4. otherwise two copies through the memory nearest to the source.

namespace rigcast::hardware {
namespace {

constexpr double kThroughGpu = 1000;  // more than any path without GPUs has hops

bool forwards(DeviceType type) {
  return type == DeviceType::kCpu || type == DeviceType::kPcieSwitch || type == DeviceType::kBridge ||
         type == DeviceType::kNic || type == DeviceType::kNetworkSwitch;
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

struct Router::State {
  explicit State(const Machine& whole) : machine(whole), nvswitches(machine.all(DeviceType::kNvSwitch)) {
    for (std::uint32_t i = 0; i < machine.links.size(); ++i) {
      const Link& link = machine.links[i];
      if (is(link.from, DeviceType::kNvSwitch) || is(link.to, DeviceType::kNvSwitch))
        switch_links.push_back(i);
    }
  }

  Machine machine;
  std::vector<DeviceId> nvswitches;
  std::vector<std::uint32_t> switch_links;  // those with an NVSwitch at one end or both
  std::map<std::uint32_t, std::vector<std::optional<graph::Path>>> host_trees;  // by source
  std::map<Pair, Route> peers, hosts;
  std::map<std::uint32_t, DeviceId> memories, cpus;

  const Device& device(DeviceId id) const { return machine.device(id); }
  bool is(DeviceId id, DeviceType type) const { return device(id).type == type; }

  // Edges 2i and 2i+1 are link i forward and backward; what must not be used is left out by `cost` returning
  // a negative.
  template <class Cost>
  graph::Digraph digraph(std::vector<Hop>& hops, Cost cost) const {
    graph::Digraph graph{static_cast<std::uint32_t>(machine.devices.size()), {}};
    for (std::uint32_t i = 0; i < machine.links.size(); ++i) {
      const Link& link = machine.links[i];
      for (const bool forward : {true, false}) {
        const DeviceId from = forward ? link.from : link.to, to = forward ? link.to : link.from;
        const double price = cost(link, from, to);
        if (price < 0) continue;
        graph.add(from.index, to.index, price, link.achievable.value);
        hops.push_back({i, forward});
      }
    }
    return graph;
  }

  const std::vector<std::optional<graph::Path>>& host_tree(DeviceId source, std::vector<Hop>& hops) {
    const graph::Digraph graph = digraph(hops, [&](const Link& link, DeviceId from, DeviceId to) -> double {
      const bool inside_host =
          link.link_class != LinkClass::kGpuLink || is(from, DeviceType::kCpu) || is(to, DeviceType::kCpu);
      if (!inside_host) return kThroughGpu;
      if (from == source || forwards(device(from).type)) return 1;
      return is(from, DeviceType::kGpu) ? kThroughGpu : -1;
    });
    auto& tree = host_trees[source.index];
    if (tree.empty()) tree = graph::shortest_paths(graph, source.index);
    return tree;
  }

  DeviceId end_of(const Hop& hop) const {
    const Link& link = machine.links[hop.link];
    return hop.forward ? link.to : link.from;
  }

  // Fills in what the hops imply. A link crossed twice by one transfer (staging), or a half-duplex one in
  // both directions, gives each crossing its part. `peer`: socket links count with what GPU traffic reaches
  // on them.
  void finish(Route& route, bool peer) const {
    std::map<std::uint32_t, double> forward, backward;
    for (const Hop& hop : route.hops) (hop.forward ? forward : backward)[hop.link] += hop.share;
    double narrowest = std::numeric_limits<double>::infinity();
    for (const Hop& hop : route.hops) {
      const Link& link = machine.links[hop.link];
      const double load = link.half_duplex ? forward[hop.link] + backward[hop.link]
                                           : (hop.forward ? forward : backward)[hop.link];
      const double rate =
          peer && link.peer_achievable.value > 0 ? link.peer_achievable.value : link.achievable.value;
      narrowest = std::min(narrowest, rate / load);
      if (route.route_class == RouteClass::kSwitched) continue;
      route.latency += link.latency;
      if (const auto* part = std::get_if<SwitchPart>(&device(end_of(hop)).figures))
        route.latency += part->latency;
    }
    route.bandwidth = {narrowest};
  }

  std::optional<Route> direct(DeviceId from, DeviceId to) const {
    std::optional<Hop> best;
    for (std::uint32_t i = 0; i < machine.links.size(); ++i) {
      const Link& link = machine.links[i];
      if (link.link_class != LinkClass::kGpuLink) continue;
      const bool forward = link.from == from && link.to == to;
      if (!forward && !(link.from == to && link.to == from)) continue;
      if (!best || link.achievable > machine.links[best->link].achievable) best = Hop{i, forward};
    }
    if (!best) return std::nullopt;
    Route route{RouteClass::kDirect, {*best}, {}, {}};
    finish(route, true);
    return route;
  }

  // The vertices of this graph are the two GPUs and the switches only: a rack of 72 asks for thousands of
  // such routes.
  std::optional<Route> switched(DeviceId from, DeviceId to) const {
    std::vector<std::uint32_t> vertex(machine.devices.size(), 0);
    graph::Digraph graph{2, {}};
    vertex[from.index] = 1;
    vertex[to.index] = 2;
    for (const DeviceId each : nvswitches) vertex[each.index] = ++graph.vertices;
    std::vector<Hop> hops;
    for (const std::uint32_t i : switch_links) {
      const Link& link = machine.links[i];
      const std::uint32_t a = vertex[link.from.index], b = vertex[link.to.index];
      if (a == 0 || b == 0) continue;
      graph.add(a - 1, b - 1, 1, link.achievable.value);
      graph.add(b - 1, a - 1, 1, link.achievable.value);
      hops.push_back({i, true});
      hops.push_back({i, false});
    }
    const auto path = graph::shortest_path(graph, 0, 1);
    if (!path) return std::nullopt;
    const graph::Flow flow = graph::max_flow(graph, 0, 1);
    Route route{RouteClass::kSwitched, {}, {}, {}};
    for (std::uint32_t e = 0; e < hops.size(); ++e) {
      if (!(flow.on_edge[e] > 0)) continue;
      hops[e].share = flow.on_edge[e] / flow.value;
      route.hops.push_back(hops[e]);
    }
    finish(route, true);
    for (const std::uint32_t e : path->edges) {
      route.latency += machine.links[hops[e].link].latency;
      if (const auto* part = std::get_if<SwitchPart>(&device(end_of(hops[e])).figures))
        route.latency += part->latency;
    }
    return route;
  }

  std::optional<Route> over_pcie(DeviceId from, DeviceId to) const {
    const bool parts = device(from).gpu().peer_access_over_pcie && device(to).gpu().peer_access_over_pcie;
    if (!machine.peer_access.value_or(parts)) return std::nullopt;
    std::vector<Hop> hops;
    const graph::Digraph graph = digraph(hops, [&](const Link& link, DeviceId a, DeviceId b) -> double {
      if (link.link_class != LinkClass::kPcie && link.link_class != LinkClass::kSocket) return -1;
      if (a != from && !is(a, DeviceType::kCpu) && !is(a, DeviceType::kPcieSwitch)) return -1;
      return b == to || is(b, DeviceType::kCpu) || is(b, DeviceType::kPcieSwitch) ? 1 : -1;
    });
    const auto path = graph::shortest_path(graph, from.index, to.index);
    if (!path) return std::nullopt;
    Route route{RouteClass::kPeer, {}, {}, {}};
    for (const std::uint32_t e : path->edges) {
      route.hops.push_back(hops[e]);
      if (machine.links[hops[e].link].link_class == LinkClass::kSocket)
        route.route_class = RouteClass::kPeerAcross;
    }
    const bool geforce = device(from).gpu().market == "geforce" || device(to).gpu().market == "geforce";
    if (route.route_class == RouteClass::kPeerAcross && geforce && !machine.peer_access.value_or(false))
      return std::nullopt;
    finish(route, true);
    return route;
  }

  Route host(DeviceId from, DeviceId to, std::vector<Hop>* joined = nullptr) {
    std::vector<Hop> hops;
    const auto& path = host_tree(from, hops)[to.index];
    RIG_CHECK(path.has_value(), "no path for host traffic: the machine was not checked");
    Route route;
    for (const std::uint32_t e : path->edges) route.hops.push_back(hops[e]);
    if (joined != nullptr) joined->insert(joined->end(), route.hops.begin(), route.hops.end());
    finish(route, false);
    return route;
  }

  Route staged(DeviceId from, DeviceId to) {
    const DeviceId memory = nearest(from, DeviceType::kRam);
    Route route{RouteClass::kStaged, {}, {}, {}};
    host(from, memory, &route.hops);
    host(memory, to, &route.hops);
    finish(route, false);
    return route;
  }

  Route find_peer(DeviceId from, DeviceId to) {
    if (auto route = direct(from, to)) return *std::move(route);
    if (auto route = switched(from, to)) return *std::move(route);
    if (auto route = over_pcie(from, to)) return *std::move(route);
    return staged(from, to);
  }

  DeviceId nearest(DeviceId source, DeviceType type) {
    if (is(source, type)) return source;
    std::vector<Hop> hops;
    const auto& paths = host_tree(source, hops);
    DeviceId best = DeviceId::none();
    // Fewest hops, then the device's own socket, then file order.
    std::pair<double, int> least{std::numeric_limits<double>::infinity(), 0};
    for (const DeviceId candidate : machine.all(type)) {
      const auto& path = paths[candidate.index];
      if (!path) continue;
      const std::pair<double, int> distance{path->cost,
                                            device(candidate).numa == device(source).numa ? 0 : 1};
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best;
  }
};

Router::Router(const Machine& machine) : state_(std::make_unique<State>(machine)) {}
Router::~Router() = default;
Router::Router(Router&&) noexcept = default;

const Route& Router::peer(DeviceId from, DeviceId to) const {
  RIG_CHECK(from != to, "a transfer between two GPUs needs two");
  RIG_CHECK(state_->is(from, DeviceType::kGpu) && state_->is(to, DeviceType::kGpu), "peers are GPUs");
  const Pair key{from.index, to.index};
  const auto found = state_->peers.find(key);
  if (found != state_->peers.end()) return found->second;
  return state_->peers.emplace(key, state_->find_peer(from, to)).first->second;
}

const Route& Router::host(DeviceId from, DeviceId to) const {
  const Pair key{from.index, to.index};
  const auto found = state_->hosts.find(key);
  if (found != state_->hosts.end()) return found->second;
  return state_->hosts.emplace(key, state_->host(from, to)).first->second;
}

DeviceId Router::nearest_memory(DeviceId device) const {
  const auto [entry, fresh] = state_->memories.emplace(device.index, DeviceId::none());
  if (fresh) entry->second = state_->nearest(device, DeviceType::kRam);
  return entry->second;
}

DeviceId Router::nearest_cpu(DeviceId device) const {
  const auto [entry, fresh] = state_->cpus.emplace(device.index, DeviceId::none());
  if (fresh) entry->second = state_->nearest(device, DeviceType::kCpu);
  return entry->second;
}

}  // namespace rigcast::hardware
