#include "hardware/machine.h"

#include "base/check.h"

namespace rigcast::hardware {

std::string_view name(DeviceType type) {
  switch (type) {
    case DeviceType::kGpu:
      return "gpu";
    case DeviceType::kCpu:
      return "cpu";
    case DeviceType::kRam:
      return "ram";
    case DeviceType::kPcieSwitch:
      return "pcie_switch";
    case DeviceType::kNvSwitch:
      return "nvswitch";
    case DeviceType::kNic:
      return "nic";
    case DeviceType::kNetworkSwitch:
      return "network_switch";
    case DeviceType::kStorage:
      return "storage";
    case DeviceType::kBridge:
      return "bridge";
    case DeviceType::kSlot:
      return "slot";
  }
  RIG_CHECK(false, "unknown device type");
  return "";
}

std::vector<DeviceId> Machine::all(DeviceType type) const {
  std::vector<DeviceId> found;
  for (std::uint32_t i = 0; i < devices.size(); ++i)
    if (devices[i].type == type) found.push_back({i});
  return found;
}

DeviceId Machine::find(std::string_view id) const {
  for (std::uint32_t i = 0; i < devices.size(); ++i)
    if (devices[i].id == id) return {i};
  return DeviceId::none();
}

}  // namespace rigcast::hardware
