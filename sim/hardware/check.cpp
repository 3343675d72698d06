#include <map>
#include <string>

#include "graph/order.h"
#include "hardware/machine.h"

// What every sound machine has, checked on the graph itself so that it holds for shipped files, foreign
// files, variants and compositions alike. Figures that a data sheet bounds (lanes, NVLinks, switch ports,
// generations) are held against the part.

namespace rigcast::hardware {
namespace {

class Checker {
 public:
  Checker(const Machine& machine, const std::string& file, Diagnostics& diagnostics)
      : machine_(machine), file_(file), diagnostics_(diagnostics) {}

  void run() {
    if (machine_.devices.empty()) diagnostics_.error({file_, 0, 0, "/nodes"}, "a machine needs devices");
    if (machine_.nodes < 1)
      diagnostics_.error({file_, 0, 0, "/node_count"}, "a machine has at least one node");
    duplicates();
    links();
    figures();
    reach();
    if (machine_.nodes > 1 && machine_.all(DeviceType::kNic).empty())
      diagnostics_.error({file_, 0, 0, "/node_count"},
                         std::to_string(machine_.nodes) + " nodes need a network card in each", "add a nic");
  }

 private:
  void device_error(std::uint32_t device, std::string message, std::string hint = {}) {
    diagnostics_.error({file_, 0, 0, "/nodes/" + std::to_string(device)}, std::move(message),
                       std::move(hint));
  }

  void link_error(std::uint32_t link, std::string message, std::string hint = {}) {
    const std::string& own = machine_.links[link].pointer;
    diagnostics_.error({file_, 0, 0, own.empty() ? "/links/" + std::to_string(link) : own},
                       std::move(message), std::move(hint));
  }

  void duplicates() {
    std::map<std::string_view, std::uint32_t> first;
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i) {
      const std::string& id = machine_.devices[i].id;
      if (!first.emplace(id, i).second) device_error(i, "two devices have the id \"" + id + "\"");
    }
  }

  void links() {
    for (std::uint32_t i = 0; i < machine_.links.size(); ++i) {
      const Link& link = machine_.links[i];
      if (link.from.index >= machine_.devices.size() || link.to.index >= machine_.devices.size()) {
        link_error(i, "a link joins two devices of the machine");
        continue;
      }
      if (link.from == link.to) link_error(i, "a link joins two different devices");
      if (link.count < 1) link_error(i, "a link has at least one lane");
      if (!(link.raw.value > 0) || !(link.achievable.value > 0))
        link_error(i, "a link needs a bandwidth above 0");
    }
  }

  static int pcie_generation(const Link& link) {
    return link.kind.size() == 5 && link.kind.starts_with("pcie") ? link.kind[4] - '0' : 0;
  }

  // Lanes and links in use at a device, and what its part has.
  struct Use {
    int lanes = 0, peer_links = 0;
  };

  Use count_use(DeviceId device) {
    Use use;
    for (std::uint32_t i = 0; i < machine_.links.size(); ++i) {
      const Link& link = machine_.links[i];
      if (link.from != device && link.to != device) continue;
      const int generation = pcie_generation(link);
      if (generation > 0) use.lanes += link.count;
      const DeviceId other = link.from == device ? link.to : link.from;
      const bool to_host =
          other.index < machine_.devices.size() && machine_.device(other).type == DeviceType::kCpu;
      if (link.link_class == LinkClass::kGpuLink && !to_host) use.peer_links += link.count;
      const int most = part_generation(device);
      if (most > 0 && generation > most)
        link_error(i,
                   "\"" + machine_.device(device).id + "\" speaks PCIe " + std::to_string(most) +
                       ".0 at most, the link is " + link.kind,
                   "write \"kind\": \"pcie" + std::to_string(most) + "\"");
    }
    return use;
  }

  int part_generation(DeviceId id) const {
    const Device& device = machine_.device(id);
    if (device.type == DeviceType::kGpu) return device.gpu().pcie_generation;
    if (device.type == DeviceType::kCpu) return device.cpu().pcie_generation;
    return 0;
  }

  void too_many(std::uint32_t device, int used, int has, const std::string& what) {
    if (has > 0 && used > has)
      device_error(device, "\"" + machine_.devices[device].id + "\" has " + std::to_string(has) + " " + what +
                               ", its links use " + std::to_string(used));
  }

  void figures() {
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i) {
      const Device& device = machine_.devices[i];
      const Use use = count_use({i});
      if (device.count < 1) device_error(i, "\"" + device.id + "\" has a count of at least 1");
      switch (device.type) {
        case DeviceType::kGpu:
          gpu(i, device, use);
          break;
        case DeviceType::kCpu:
          too_many(i, use.lanes, device.cpu().pcie_lanes, "PCIe lanes");
          break;
        case DeviceType::kRam:
          if (!(device.ram().capacity.value > 0))
            device_error(i, "\"" + device.id + "\" needs a capacity above 0");
          break;
        case DeviceType::kStorage:
          if (!(device.storage().sequential_read.value > 0))
            device_error(i, "\"" + device.id + "\" needs a sequential_read above 0");
          break;
        case DeviceType::kPcieSwitch:
        case DeviceType::kNvSwitch:
          if (const auto* part = std::get_if<SwitchPart>(&device.figures)) {
            too_many(i, use.lanes, part->lanes, "PCIe lanes");
            if (device.type == DeviceType::kNvSwitch) too_many(i, use.peer_links, part->ports, "ports");
          }
          break;
        default:
          break;
      }
    }
  }

  void gpu(std::uint32_t i, const Device& device, const Use& use) {
    const GpuPart& part = device.gpu();
    too_many(i, use.lanes, part.pcie_lanes, "PCIe lanes");
    if (use.peer_links > 0 && !part.peer_links)
      device_error(i, "\"" + device.id + "\" (" + part.id + ") has no links to other GPUs");
    else if (part.peer_links)
      too_many(i, use.peer_links, part.peer_links->count, part.peer_links->kind + " links");
    if (!(part.memory.value > 0)) device_error(i, "\"" + device.id + "\" needs a memory above 0");
    if (!(part.memory_bandwidth.value > 0))
      device_error(i, "\"" + device.id + "\" needs a memory_bandwidth above 0");
  }

  // Every device must hang together with a CPU and, where GPUs compute, with a memory.
  void reach() {
    graph::Digraph joined{static_cast<std::uint32_t>(machine_.devices.size()), {}};
    for (const Link& link : machine_.links)
      if (link.from.index < joined.vertices && link.to.index < joined.vertices)
        joined.add(link.from.index, link.to.index);
    const auto part = graph::components(joined);
    std::vector<bool> has_cpu(part.size(), false), has_memory(part.size(), false);
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (machine_.devices[i].type == DeviceType::kCpu) has_cpu[part[i]] = true;
      if (machine_.devices[i].type == DeviceType::kRam) has_memory[part[i]] = true;
    }
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const Device& device = machine_.devices[i];
      if (!has_cpu[part[i]])
        device_error(i, "\"" + device.id + "\" reaches no CPU", "join it with a link");
      else if (!has_memory[part[i]] && device.type == DeviceType::kCpu)
        device_error(i, "\"" + device.id + "\" reaches no memory", "add a ram and a link of kind ddr");
    }
  }

  const Machine& machine_;
  const std::string& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check(const Machine& machine, const std::string& file, Diagnostics& diagnostics) {
  Checker(machine, file, diagnostics).run();
}

}  // namespace rigcast::hardware
