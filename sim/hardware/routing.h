#pragma once

/// Which links a transfer crosses. Routes are found on the graph when first asked for and kept.

#include <cstdint>
#include <memory>
#include <vector>

#include "hardware/machine.h"

namespace rigcast::hardware {

/// One link in one direction.
struct Hop {
  std::uint32_t link = 0;  ///< index into Machine::links
  bool forward = true;     ///< from `from` to `to`
  double share =
      1;  ///< of the bytes: below 1 where a transfer is spread over parallel links (NVSwitch planes)
  bool operator==(const Hop&) const = default;
};

enum class RouteClass {
  kDirect,      ///< NVLink, xGMI between the two
  kSwitched,    ///< through NVSwitches
  kPeer,        ///< PCIe peer-to-peer within one socket
  kPeerAcross,  ///< PCIe peer-to-peer over the socket link
  kStaged,      ///< through host memory: two copies, DRAM written and read
};

struct Route {
  RouteClass route_class = RouteClass::kDirect;
  std::vector<Hop>
      hops;  ///< staged: source to RAM, then RAM to destination (memory links appear in both directions)
  BytesPerSecond bandwidth;  ///< what one transfer alone reaches: of the narrowest hop, achievable
  Seconds latency;           ///< of the links and forwarding devices along the way
};

/// Stands alone: the machine may change or go away. References stay valid as long as the router; not for
/// several threads.
class Router {
 public:
  explicit Router(const Machine& machine);
  ~Router();
  Router(Router&&) noexcept;

  /// Between two GPUs by the rules of peer access: a direct link or NVSwitch first, then PCIe peer-to-peer
  /// where parts and machine allow it, else staged through the memory of the source's socket.
  const Route& peer(DeviceId from, DeviceId to) const;
  /// Best path for host traffic: GPU, storage, NIC or CPU to any memory or the reverse. Shortest, then
  /// widest.
  const Route& host(DeviceId from, DeviceId to) const;
  /// The memory nearest to a device (same NUMA node where there is one).
  DeviceId nearest_memory(DeviceId device) const;
  /// The CPU nearest to a device.
  DeviceId nearest_cpu(DeviceId device) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rigcast::hardware
