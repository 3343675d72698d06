/// t = base + steps x hop + fill + W / B, with W the bytes a rank sends and B what its links carry.
///
/// Steps: a ring takes n - 1 for one pass round and two passes for an all-reduce; over nodes, every n / nodes
/// of them cross the network once. A tree goes along the GPUs of a node and log2 of the nodes up and down.
/// Fill: libraries send a large message in chunks over several protocols (flags beside the data while it is
/// small, then whole buffers): the smallest of their times is one smooth curve, and the best chunk of a
/// pipeline of k chunks, k x a + W / (k B), adds a term that grows as the root of the wire time. So the curve
/// needs one constant, fill = sqrt(t0 x W / B), instead of latency and rate of each protocol; it reproduces
/// the slow mid sizes (0.1 to 16 MiB) of nccl-tests sweeps on every generation of links. Bytes: on exactly
/// two nodes a tree sends half of what a ring does over the network, because each of its two trees crosses it
/// once; that is how bus bandwidth exceeds the wire (NVIDIA/nccl issue 209). A switch that reduces takes one
/// copy from every GPU instead of two: the gain is 2 (n - 1) / n over that of 8 GPUs, and it is used from
/// five GPUs on (stas00/ml-engineering, NVLS on and off by count). Pairs reach less than more GPUs do, and
/// all-to-all and send/receive less than rings.

#include "cost/collective.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace rigcast::cost {
namespace {

constexpr int kFewestForSwitch = 5;
constexpr int kLargestBox = 16;  ///< GPUs; larger NVLink domains are racks

bool point_to_point(Collective op) { return op == Collective::kAllToAll || op == Collective::kSendReceive; }

int levels(int count) { return count > 1 ? std::bit_width(static_cast<unsigned>(count - 1)) : 0; }

struct Cost {
  const Fabric& fabric;
  const hardware::Profile& profile;

  double of(std::string_view member, std::string_view name) const {
    return profile.value("collective", member, name);
  }
  double here(std::string_view name) const { return of(fabric.link, name); }
  double hop() const { return here("hop_s") + fabric.wire.value; }
  double network_hop() const { return fabric.nodes > 1 ? of(fabric.network, "hop_s") : 0; }
};

double ring_steps(Collective op, int ranks) {
  switch (op) {
    case Collective::kAllReduce:
      return 2.0 * (ranks - 1);
    case Collective::kSendReceive:
    case Collective::kAllToAll:
      return 1;
    default:
      return ranks - 1.0;
  }
}

double steps_time(Collective op, Bytes size, Algorithm algorithm, const Cost& cost) {
  const Fabric& f = cost.fabric;
  const int each = std::max(1, f.ranks / f.nodes);
  if (point_to_point(op)) {
    // A message to everybody is posted one by one; a single one is not.
    const double call = op == Collective::kAllToAll
                            ? (cost.of("point-to-point", "base_factor") - 1) * cost.here("base_s")
                            : 0;
    const bool small = size.value <= cost.of("point-to-point", "small_bytes");
    return call + cost.network_hop() + (small ? cost.hop() : cost.of("point-to-point", "handshake_s"));
  }
  const double both_ways = op == Collective::kAllReduce ? 2 : 1;
  if (algorithm == Algorithm::kInSwitch)
    return cost.of("in-switch", "start_s") + both_ways * levels(f.nodes) * cost.network_hop();
  if (algorithm == Algorithm::kTree)
    return both_ways * ((each - 1) * cost.hop() + levels(f.nodes) * cost.network_hop());
  const double steps = ring_steps(op, f.ranks);
  const double crossing = f.nodes > 1 ? steps / each : 0;
  return (steps - crossing) * cost.hop() + crossing * cost.network_hop();
}

double inside_efficiency(Collective op, Algorithm algorithm, const Cost& cost) {
  const Fabric& f = cost.fabric;
  double efficiency = 1;
  const bool one_way = op == Collective::kBroadcast || op == Collective::kReduce;
  if (one_way && f.hop == HopClass::kStaged) efficiency *= cost.of("staged", "one_way");
  if (op == Collective::kSendReceive) return efficiency;
  if (f.ranks / f.nodes == 2 && f.hop == HopClass::kGpuLink) efficiency *= cost.here("pair");
  if (op == Collective::kAllToAll) efficiency *= cost.of("point-to-point", "efficiency");
  if (algorithm == Algorithm::kInSwitch) {
    const double n = f.ranks / f.nodes;
    efficiency *= cost.here("in_switch_gain") * std::min(1.0, (2 * (n - 1) / n) / (2 * 7.0 / 8));
  }
  // More than two racks of one NVLink domain each do not keep all their cards busy.
  if (f.nodes > 2 && f.ranks / f.nodes > kLargestBox) efficiency *= cost.of("in-switch", "many_domains");
  if (algorithm == Algorithm::kTree) efficiency *= cost.of("tree", "efficiency");
  return efficiency;
}

double network_factor(Collective op, Algorithm algorithm, const Cost& cost) {
  const Fabric& f = cost.fabric;
  const double n = f.ranks;
  const double each = n / f.nodes;
  switch (op) {
    case Collective::kAllReduce:
      // Reducing switches in the network take one copy of the whole from a node instead of nearly two.
      if (f.network_reduces && algorithm != Algorithm::kRing) return n / (2 * (n - 1));
      if (algorithm != Algorithm::kRing && f.nodes == 2)
        return n / (2 * (n - 1)) / cost.of("tree", "network_efficiency");
      return 1;
    case Collective::kAllToAll:
      // Every GPU of a node sends to all that are elsewhere.
      return each * (n - each) / std::max(1.0, n - 1);
    case Collective::kSendReceive:
      return 1;
    default:
      return 1;
  }
}

}  // namespace

std::string_view name(HopClass hop) {
  switch (hop) {
    case HopClass::kGpuLink:
      return "gpu-link";
    case HopClass::kPcie:
      return "pcie";
    case HopClass::kStaged:
      return "staged";
  }
  return "pcie";
}

double wire_factor(Collective op, int ranks) {
  const double n = ranks;
  switch (op) {
    case Collective::kAllReduce:
      return 2 * (n - 1) / n;
    case Collective::kAllGather:
    case Collective::kReduceScatter:
    case Collective::kAllToAll:
      return (n - 1) / n;
    default:
      return 1;
  }
}

bool possible(Collective op, Algorithm algorithm, const Fabric& fabric) {
  switch (algorithm) {
    case Algorithm::kRing:
      return true;
    case Algorithm::kTree:
      return op == Collective::kAllReduce && fabric.nodes > 1;
    case Algorithm::kInSwitch:
      return op == Collective::kAllReduce && fabric.reducing_switches &&
             fabric.ranks / fabric.nodes >= kFewestForSwitch;
    case Algorithm::kDirect:
      return op == Collective::kAllReduce && fabric.nodes == 1;
  }
  return false;
}

CollectiveChoice choose(Collective op, Bytes size, Algorithm algorithm, const Fabric& fabric,
                        const hardware::Profile& profile) {
  const Cost cost{fabric, profile};
  CollectiveChoice choice;
  choice.algorithm = algorithm;
  choice.wire_factor = wire_factor(op, fabric.ranks);
  choice.efficiency = inside_efficiency(op, algorithm, cost);
  choice.rate = fabric.rate * choice.efficiency;
  if (fabric.nodes > 1) {
    choice.network_factor = network_factor(op, algorithm, cost);
    choice.rate = std::min(choice.rate, fabric.network_rate / choice.network_factor);
  }
  const Seconds wire = size * choice.wire_factor / choice.rate;
  if (algorithm == Algorithm::kDirect) {
    choice.latency = {cost.of("direct", "base_s")};
    return choice;
  }
  // A lone message goes in its buffers as they come: nothing to fill but the first.
  const double fill =
      op == Collective::kSendReceive
          ? 0
          : std::sqrt(cost.of(fabric.nodes > 1 ? fabric.network : fabric.link, "fill_s") * wire.value);
  choice.latency = {cost.here("base_s") + steps_time(op, size, algorithm, cost) + fill};
  return choice;
}

CollectiveChoice choose(Collective op, Bytes size, const Fabric& fabric, const hardware::Profile& profile) {
  CollectiveChoice best = choose(op, size, Algorithm::kRing, fabric, profile);
  for (const Algorithm algorithm : {Algorithm::kTree, Algorithm::kInSwitch}) {
    if (!possible(op, algorithm, fabric)) continue;
    const CollectiveChoice other = choose(op, size, algorithm, fabric, profile);
    if (other.duration(size) < best.duration(size)) best = other;
  }
  return best;
}

std::string network_of(std::string_view port_link) {
  std::size_t end = 0;
  while (end < port_link.size() && port_link[end] >= 'a' && port_link[end] <= 'z') ++end;
  return std::string(port_link.substr(0, end));
}

}  // namespace rigcast::cost
