#pragma once

/// Machines built from parts, and variants of machines: what `{"gpu","count","cpu",...}` and `{"base",...}`
/// mean.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "hardware/catalogue.h"
#include "hardware/machine.h"

namespace rigcast::hardware {

struct StorageChoice {
  std::string id;  ///< "" : storage0, storage1, ...
  std::string part;
  int count = 1;
};

struct NetworkChoice {
  std::string kind = "unknown";  ///< ib, roce, ethernet, efa, omnipath, unknown, none
  std::optional<double> gigabits_per_port;
  std::optional<int> ports_per_node;
};

struct GpuOverrides {
  std::optional<Bytes> memory;
  std::optional<BytesPerSecond> memory_bandwidth;
  std::optional<double> power_w;
  std::optional<Hertz> clock;
};

/// Fields of the machine object of the interface; what is absent stays as the base has it, or takes the
/// commonest value.
struct Composition {
  std::optional<std::string> gpu, cpu, host_link, interconnect;
  std::optional<int> count, sockets, pcie_lanes, nodes, nvlink_domain_gpus;
  std::optional<Bytes> ram;  ///< per node
  std::optional<bool> peer_access;
  std::optional<std::vector<StorageChoice>> storage;
  std::optional<NetworkChoice> network;
  GpuOverrides gpu_overrides;
  std::vector<std::string> remove;  ///< device ids, device types or link kinds
};

/// A machine from parts only. Errors name the field; assumptions go to Machine::notes. The result is not yet
/// checked
/// (`check` in machine.h).
std::optional<Machine> compose(const Catalogue& catalogue, const Composition& composition,
                               const Origin& origin, Diagnostics& diagnostics);

/// `base` with the composition's fields changed: another GPU in the same places, another interconnect (pcie
/// removes the NVLinks, nvlink-bridge joins pairs of cards that have a bridge), fewer or more GPUs where the
/// graph has room.
std::optional<Machine> vary(const Catalogue& catalogue, Machine base, const Composition& composition,
                            const Origin& origin, Diagnostics& diagnostics);

/// A catalogue CPU from an id or a description ("2x Xeon Gold 6230": sockets, cores and clock are read, else
/// the nearest part). `note` says what was assumed.
struct CpuChoice {
  CpuPart part;
  int sockets = 1;
  bool sockets_stated = false;
  std::string note;
};
std::optional<CpuChoice> find_cpu(const Catalogue& catalogue, std::string_view text);

}  // namespace rigcast::hardware
