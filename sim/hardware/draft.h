#pragma once

/// A machine under construction: the edits that variants and compositions are made of. Each edit reports what
/// cannot be done as a diagnostic of the composition's field, and what it assumed as a note of the machine.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "hardware/catalogue.h"
#include "hardware/compose.h"
#include "hardware/machine.h"

namespace rigcast::hardware {

class Draft {
 public:
  Draft(const Catalogue& catalogue, Machine machine, Origin origin, Diagnostics& diagnostics);

  const Catalogue& catalogue;
  Machine machine;

  void error(std::string_view field, std::string message, std::string hint = {});
  void note(std::string text) { machine.notes.push_back(std::move(text)); }
  bool ok() const { return ok_; }

  // Parts by id; a null pointer after an error with the nearest name.
  const GpuPart* gpu_part(std::string_view field, const std::string& id);
  const StoragePart* storage_part(std::string_view field, const std::string& id);
  /// A kind the shipped catalogue has; another catalogue that lacks it gets an error.
  const LinkKind* link_kind(std::string_view field, const std::string& id);

  // The graph.
  DeviceId add(Device device);
  /// Nothing happens when the kind is not in the catalogue (an error is reported).
  void join(DeviceId from, DeviceId to, const std::string& kind, int count = 1);
  void erase_links(const std::function<bool(const Link&)>& which);
  /// With all their links. Ids of later devices move.
  void erase_devices(const std::function<bool(const Device&)>& which);
  /// "prefix0", "prefix1", ...: the first that is free.
  std::string fresh_id(std::string_view prefix) const;

  // Questions.
  std::vector<DeviceId> gpus() const { return machine.all(DeviceType::kGpu); }
  const Device& device(DeviceId id) const { return machine.device(id); }
  Device& device(DeviceId id) { return machine.devices[id.index]; }
  bool is(DeviceId id, DeviceType type) const { return device(id).type == type; }
  DeviceId other_end(const Link& link, DeviceId id) const { return link.from == id ? link.to : link.from; }
  bool between(const Link& link, DeviceType a, DeviceType b) const;
  /// A link between GPUs, or of a GPU and an NVSwitch, or among NVSwitches.
  bool is_peer_link(const Link& link) const;
  /// PCIe lanes of a device that its links use.
  int lanes_used(DeviceId id) const;
  /// Lanes a CPU has for cards, after what its socket links take.
  int lanes_free(DeviceId cpu) const;

 private:
  Origin origin_;
  Diagnostics& diagnostics_;
  bool ok_ = true;
};

/// 3 for "pcie3", 0 for every other kind.
int pcie_generation(std::string_view kind);
std::string pcie_kind(int generation);

/// Sets the generation and lanes of a PCIe link, bounded by what the GPU at its end can do.
void set_pcie(Draft& draft, Link& link, int generation, int lanes);

}  // namespace rigcast::hardware
