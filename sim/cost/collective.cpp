#include "cost/collective.h"

#include <bit>
#include <string>

namespace rigcast::cost {

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

CollectiveChoice choose_all_reduce(Bytes bytes, int ranks, BytesPerSecond rate, HopClass hop, Seconds wire,
                                   const hardware::Profile& profile) {
  const double n = ranks;
  const int levels = ranks > 1 ? std::bit_width(static_cast<unsigned>(ranks - 1)) : 0;
  CollectiveChoice best;
  double best_time = -1;
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kTree})
    for (const Protocol protocol : {Protocol::kLowLatency, Protocol::kSimple}) {
      const bool ring = algorithm == Algorithm::kRing;
      const std::string suffix = protocol == Protocol::kSimple ? "simple" : "low_latency";
      const auto constant = [&](const std::string& what, const char* unit) {
        return profile.value("collective", name(hop), what + "_" + suffix + unit);
      };
      CollectiveChoice choice{algorithm, protocol, {}, ring ? 2 * (n - 1) / n : 2, 1};
      const double steps = ring ? 2 * (n - 1) : 2.0 * levels;
      choice.latency = {constant("base", "_s") +
                        steps * (constant(ring ? "ring_hop" : "tree_hop", "_s") + wire.value)};
      choice.efficiency = protocol == Protocol::kSimple ? 1 : constant("efficiency", "");
      const double time =
          choice.latency.value + (bytes * choice.wire_factor / (rate * choice.efficiency)).value;
      if (best_time < 0 || time < best_time) {
        best_time = time;
        best = choice;
      }
    }
  return best;
}

}  // namespace rigcast::cost
