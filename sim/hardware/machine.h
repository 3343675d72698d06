#pragma once

/// A machine as a graph: devices joined by links, a node template and how many equal nodes there are. Parts
/// are copied into their devices, so that an override of one device touches nothing else and a machine stands
/// alone.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "base/id.h"
#include "hardware/parts.h"

namespace rigcast::hardware {

using DeviceId = Id<struct DeviceTag>;

enum class DeviceType {
  kGpu,
  kCpu,
  kRam,
  kPcieSwitch,
  kNvSwitch,
  kNic,
  kNetworkSwitch,
  kStorage,
  kBridge,
  kSlot
};

/// "gpu", "pcie_switch", ... as in topology files.
std::string_view name(DeviceType type);

struct Ram {
  Bytes capacity;
  std::string kind;  ///< "DDR4"
};

/// A free place, with what may go in.
struct Slot {
  std::vector<std::string> options;
};

struct Device {
  std::string id;
  DeviceType type = DeviceType::kBridge;
  std::string part;  ///< id in the catalogue; "" when the file gives its own figures
  std::variant<std::monostate, GpuPart, CpuPart, Ram, StoragePart, SwitchPart, Slot> figures;
  int count = 1;  ///< storage: equal drives read together; nic: ports
  int numa = 0;   ///< the socket it belongs to

  const GpuPart& gpu() const { return std::get<GpuPart>(figures); }
  const CpuPart& cpu() const { return std::get<CpuPart>(figures); }
  const Ram& ram() const { return std::get<Ram>(figures); }
  const StoragePart& storage() const { return std::get<StoragePart>(figures); }
};

/// A cable, trace or bus between two devices; both directions have the same figures.
struct Link {
  DeviceId from, to;
  std::string kind;  ///< id in the catalogue
  LinkClass link_class = LinkClass::kPcie;
  int count = 1;              ///< lanes (PCIe) or parallel links, already multiplied into the bandwidths
  BytesPerSecond raw;         ///< per direction, all lanes or links
  BytesPerSecond achievable;  ///< per direction
  BytesPerSecond
      peer_achievable;  ///< per direction, PCIe traffic between GPUs; less than achievable on socket links
  Seconds latency;
  bool half_duplex = false;
  std::string pointer;  ///< JSON pointer in the file it came from, for "had no effect"
};

struct Machine {
  std::string name, title;
  std::vector<Device> devices;  ///< of one node
  std::vector<Link> links;
  int nodes = 1;                    ///< equal nodes; the network joins them
  std::optional<bool> peer_access;  ///< stated for the whole machine ("p2p"); else each part's rule
  Price price;                      ///< of the whole, one node; else the sum of its parts where all are known
  std::optional<double> usd_per_hour;  ///< cloud machines
  double max_power_w = 0;              ///< 0: not known
  Provenance provenance;
  std::vector<std::string> notes;  ///< what was assumed when it was composed; become warnings

  const Device& device(DeviceId id) const { return devices[id.index]; }
  /// In file order; their place is the rank of a GPU.
  std::vector<DeviceId> all(DeviceType type) const;
  DeviceId find(std::string_view id) const;  ///< none when there is no such device
};

/// What no sound machine has: a GPU that reaches no CPU, more lanes than a part has, two devices of one id, a
/// memory without a CPU. `file` is for the messages.
void check(const Machine& machine, const std::string& file, Diagnostics& diagnostics);

}  // namespace rigcast::hardware
