#pragma once

/// Time of collectives: which algorithm a message of some size takes over some fabric, what it waits for and
/// what each hop carries.

#include <string>
#include <string_view>

#include "base/units.h"
#include "hardware/profile.h"

namespace rigcast::cost {

/// Slowest class of hop a collective crosses inside a node.
enum class HopClass { kGpuLink, kPcie, kStaged };
std::string_view name(HopClass hop);

enum class Collective {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kBroadcast,
  kReduce,
  kSendReceive
};

/// Ring; tree over the nodes with a chain inside each; reduction inside the NVSwitches; kernels in which
/// every GPU reads its peers directly (inference libraries, small messages).
enum class Algorithm { kRing, kTree, kInSwitch, kDirect };

/// What a collective runs over. Rates are bus rates: bytes each rank sends and receives a second.
struct Fabric {
  int ranks = 1;  ///< all of them
  int nodes = 1;  ///< machines, or NVLink domains
  HopClass hop = HopClass::kGpuLink;
  std::string link;     ///< whose latencies apply: a GPU link kind, "pcie" or "staged"
  BytesPerSecond rate;  ///< the rings of a node, all channels; infinite with one GPU a node
  Seconds wire;         ///< latency of the links of a hop
  bool reducing_switches = false;
  std::string network;          ///< "ib", "roce", "eth", "efa", "opa"; empty on one node
  BytesPerSecond network_rate;  ///< the network cards of a node together, one direction
  bool network_reduces = false;
};

/// Time = latency + size x wire_factor / rate, with what the hops carry beside it.
struct CollectiveChoice {
  Algorithm algorithm = Algorithm::kRing;
  Seconds latency;            ///< before and between bytes, with the filling of the pipeline
  double wire_factor = 1;     ///< bus bytes over the size of the message
  double efficiency = 1;      ///< of the rate inside a node
  double network_factor = 1;  ///< bytes a node's cards carry, each direction, over bus bytes
  BytesPerSecond rate;        ///< bus rate alone, inside and between nodes

  Seconds duration(Bytes size) const { return latency + size * wire_factor / rate; }
};

/// Bus bytes over the size (the larger of send and receive buffer), as nccl-tests counts them.
double wire_factor(Collective op, int ranks);

/// The fastest way for a message of that size.
CollectiveChoice choose(Collective op, Bytes size, const Fabric& fabric, const hardware::Profile& profile);
/// That algorithm's, whether or not it is the fastest.
CollectiveChoice choose(Collective op, Bytes size, Algorithm algorithm, const Fabric& fabric,
                        const hardware::Profile& profile);
bool possible(Collective op, Algorithm algorithm, const Fabric& fabric);

/// "ib-hdr" -> "ib", "roce400" -> "roce".
std::string network_of(std::string_view port_link);

}  // namespace rigcast::cost
