#pragma once

/// Time constants of collectives: how an all-reduce's protocol and algorithm are chosen, and what the wire
/// reaches.

#include <string_view>

#include "base/units.h"
#include "hardware/profile.h"

namespace rigcast::cost {

/// Slowest class of hop a collective crosses: the key of its constants.
enum class HopClass { kGpuLink, kPcie, kStaged };
std::string_view name(HopClass hop);

enum class Algorithm { kRing, kTree };
enum class Protocol { kLowLatency, kSimple };

struct CollectiveChoice {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  Seconds latency;         ///< before and between bytes: base + steps x hop latency
  double wire_factor = 1;  ///< bytes each hop carries over the message's bytes
  double efficiency = 1;   ///< of the channel's rate: low-latency protocols send flags with the data
};

/// `wire` is the latency of the links a step crosses, beside the protocol's own.
/// All-reduce of `bytes` over `ranks`, on a fabric whose ring carries `rate` (bytes a second and hop): the
/// fastest of ring and tree, low-latency and simple, by latency + bytes / rate. Formula of NCCL's tuning
/// model: base + steps x hop, steps 2 (n - 1) for a ring and 2 log2 n for a tree; wire 2 (n - 1) / n and 2.
CollectiveChoice choose_all_reduce(Bytes bytes, int ranks, BytesPerSecond rate, HopClass hop, Seconds wire,
                                   const hardware::Profile& profile);

}  // namespace rigcast::cost
