#include "config/topology.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "config/parts.h"

namespace rigcast::config {

using hardware::Device;
using hardware::DeviceType;

namespace {

constexpr Need kOptional = Need::kOptional;
constexpr Need kRequired = Need::kRequired;

const std::array<std::string, 10> kDeviceTypes = {
    "gpu", "cpu", "ram", "pcie_switch", "nvswitch", "nic", "network_switch", "storage", "bridge", "slot"};

template <class Part>
std::vector<std::string> ids(const hardware::PartTable<Part>& table) {
  std::vector<std::string> names;
  for (const auto& [id, part] : table) names.push_back(id);
  return names;
}

/// The part the device names, or an error at the key.
template <class Part>
void take_part(Fields& f, Device& device, const hardware::PartTable<Part>& table, std::string_view kind) {
  if (device.part.empty()) return;
  const auto found = table.find(device.part);
  if (found != table.end())
    device.figures = found->second;
  else
    f.error("part", fmt::format("no {} part \"{}\"", kind, device.part),
            did_you_mean(device.part, ids(table)));
}

/// Gives the device empty figures of its type, or those of its part.
void prepare_figures(Fields& f, Device& device, const hardware::Catalogue* catalogue) {
  device.figures = empty_device(device.type).figures;
  if (catalogue == nullptr) return;
  const std::string& type = kDeviceTypes[static_cast<std::size_t>(device.type)];
  if (std::holds_alternative<hardware::GpuPart>(device.figures))
    take_part(f, device, catalogue->gpus, type);
  else if (std::holds_alternative<hardware::CpuPart>(device.figures))
    take_part(f, device, catalogue->cpus, type);
  else if (std::holds_alternative<hardware::StoragePart>(device.figures))
    take_part(f, device, catalogue->storage, type);
  else if (std::holds_alternative<hardware::SwitchPart>(device.figures))
    take_part(f, device, catalogue->switches, type);
}

void describe_figures(Fields& f, Device& device) {
  hardware::Provenance remarks;
  if (auto* gpu = std::get_if<hardware::GpuPart>(&device.figures)) {
    describe(f, *gpu, Form::kDevice);
  } else if (auto* cpu = std::get_if<hardware::CpuPart>(&device.figures)) {
    describe(f, *cpu, Form::kDevice);
  } else if (auto* storage = std::get_if<hardware::StoragePart>(&device.figures)) {
    describe(f, *storage, Form::kDevice);
  } else if (auto* forwarder = std::get_if<hardware::SwitchPart>(&device.figures)) {
    describe(f, *forwarder, Form::kDevice);
  } else if (auto* ram = std::get_if<hardware::Ram>(&device.figures)) {
    f.quantity({"capacity", kRequired, "of all its modules"}, ram->capacity);
    f.text({"kind", kOptional, "DDR4, ...; absent: the CPU's"}, ram->kind);
    describe_provenance(f, remarks, kOptional);
  } else if (auto* slot = std::get_if<hardware::Slot>(&device.figures)) {
    f.texts({"options", kOptional, "types or parts of what may go in"}, slot->options);
    describe_provenance(f, remarks, kOptional);
  }
}

/// All figures of a part are given by naming it; without a part the figures a device cannot do without are
/// its own.
void describe_with_part(Fields& f, Device& device) {
  f.all_optional = f.listing() || (!device.part.empty() && device.type != DeviceType::kRam);
  describe_figures(f, device);
  f.all_optional = false;
}

}  // namespace

void describe(Fields& f, MachineHead& head) {
  f.text({"name", kOptional, "what scenarios name it by"}, head.name);
  f.text({"title", kOptional, "one line for people"}, head.title);
  f.remark({"form", kOptional, "4U, cloud, workstation, ..."});
  describe_price(f, head.price);
  f.number({"usd_per_hour", kOptional, "cloud price"}, head.usd_per_hour, kNotNegative);
  f.remark({"usd_per_hour_note", kOptional, "kind of price and its date"});
  f.number({"max_power_w", kOptional, "of the whole machine"}, head.max_power_w, kPositive);
  f.remark({"power_note", kOptional, "where the power comes from"});
  f.remark({"claims", kOptional, "what a seller says; not used"});
  f.remark({"options", kOptional, "what else it is sold with; not used"});
  describe_provenance(f, head.provenance, kOptional);
  f.texts({"notes", kOptional, "what was assumed; shown as warnings"}, head.notes);
}

void describe(Fields& f, LinkEntry& link) {
  f.text({"from", kRequired, "device id"}, link.from);
  f.text({"to", kRequired, "device id"}, link.to);
  f.text({"kind", kRequired, "id of a link kind"}, link.kind);
  f.number({"lanes", kOptional, "PCIe; absent: 16"}, link.lanes, kCount);
  f.number({"count", kOptional, "parallel links; absent: 1"}, link.count, kCount);
  f.quantity({"bandwidth", kOptional, "raw, whole link, one direction"}, link.bandwidth);
  f.quantity({"achievable", kOptional, "what large transfers reach, whole link, one direction"},
             link.achievable);
  f.quantity({"peer_achievable", kOptional, "what PCIe traffic between GPUs reaches"}, link.peer_achievable);
  f.quantity({"latency", kOptional, "of the hop"}, link.latency);
  f.text({"note", kOptional, "a remark"}, link.note);
}

void describe(Fields& f, Device& device, const hardware::Catalogue* catalogue) {
  f.text({"id", kRequired, "unique in the machine"}, device.id);
  std::string type = kDeviceTypes[static_cast<std::size_t>(device.type)];
  if (f.reading()) type.clear();
  f.choice({"type", kRequired, "what it is"}, type, kDeviceTypes);
  f.text({"part", kOptional, "id of the catalogue"}, device.part);
  f.number({"numa", kOptional, "socket it belongs to; absent: 0"}, device.numa, kIndex);
  int count = device.count == 1 && !f.listing() ? 0 : device.count;
  f.number({"count", kOptional, "storage: equal drives read together; nic: ports"}, count, kCount);
  device.count = count == 0 ? 1 : count;
  if (f.reading()) {
    for (std::size_t i = 0; i < kDeviceTypes.size(); ++i)
      if (kDeviceTypes[i] == type) device.type = static_cast<DeviceType>(i);
    if (type.empty())
      device.type = DeviceType::kSlot;  // the error was reported; a slot asks for nothing more
    prepare_figures(f, device, catalogue);
  }
  describe_with_part(f, device);
}

void describe_override(Fields& f, Device& device, const hardware::Catalogue& catalogue) {
  const std::string before = device.part;
  f.text({"part", kOptional, "id of the catalogue"}, device.part);
  f.number({"numa", kOptional, "socket it belongs to"}, device.numa, kIndex);
  f.number({"count", kOptional, "storage: equal drives read together; nic: ports"}, device.count, kCount);
  if (device.part != before) prepare_figures(f, device, &catalogue);
  f.all_optional = true;
  describe_figures(f, device);
  f.all_optional = false;
}

Device empty_device(DeviceType type) {
  Device device;
  device.type = type;
  switch (type) {
    case DeviceType::kGpu:
      device.figures = hardware::GpuPart{};
      break;
    case DeviceType::kCpu:
      device.figures = hardware::CpuPart{};
      break;
    case DeviceType::kStorage:
      device.figures = hardware::StoragePart{};
      break;
    case DeviceType::kRam:
      device.figures = hardware::Ram{};
      break;
    case DeviceType::kSlot:
      device.figures = hardware::Slot{};
      break;
    case DeviceType::kPcieSwitch:
    case DeviceType::kNvSwitch:
    case DeviceType::kNic:
    case DeviceType::kNetworkSwitch:
    case DeviceType::kBridge: {
      hardware::SwitchPart plain;
      plain.kind = kDeviceTypes[static_cast<std::size_t>(type)];
      device.figures = std::move(plain);
    }
  }
  return device;
}

bool is_topology(const Value& machine) {
  const Value* nodes = machine.find("nodes");
  return nodes != nullptr && nodes->is(JsonKind::kArray);
}

}  // namespace rigcast::config
