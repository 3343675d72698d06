#include "hardware/hosts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hardware/link.h"
#include "hardware/routing.h"

namespace rigcast::hardware {
namespace {

bool carries_gpus(const Draft& draft, const Link& link) {
  return pcie_generation(link.kind) > 0 &&
         (draft.is(link.from, DeviceType::kGpu) || draft.is(link.to, DeviceType::kGpu) ||
          draft.between(link, DeviceType::kCpu, DeviceType::kPcieSwitch) ||
          draft.between(link, DeviceType::kPcieSwitch, DeviceType::kPcieSwitch));
}

void join_sockets(Draft& draft) {
  const std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  if (cpus.size() < 2) return;
  const CpuPart part = draft.device(cpus.front()).cpu();
  if (part.socket_link.empty()) {
    draft.error("sockets", part.name + " works alone: it has no link to a second socket");
    return;
  }
  for (std::size_t i = 0; i < cpus.size(); ++i)
    for (std::size_t j = i + 1; j < cpus.size(); ++j)
      draft.join(cpus[i], cpus[j], part.socket_link,
                 std::max(1, used_socket_links(part) / static_cast<int>(cpus.size() - 1)));
}

void move_links(Draft& draft, DeviceId from, DeviceId to, const std::vector<std::size_t>& which) {
  for (const std::size_t i : which) {
    Link& link = draft.machine.links[i];
    if (link.from == from) link.from = to;
    if (link.to == from) link.to = to;
  }
}

// Links of a CPU to its cards, switches, drives: all but memory and sockets.
std::vector<std::size_t> card_links(const Draft& draft, DeviceId cpu) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < draft.machine.links.size(); ++i) {
    const Link& link = draft.machine.links[i];
    if ((link.from == cpu || link.to == cpu) && link.link_class != LinkClass::kMemory &&
        link.link_class != LinkClass::kSocket)
      found.push_back(i);
  }
  return found;
}

// NVLink between CPU and GPU instead of PCIe: POWER9 gives each V100 three links; a Grace is joined by C2C.
void nvlink_host(Draft& draft, const std::string& kind, int count) {
  const Router router(draft.machine);
  std::vector<std::pair<DeviceId, DeviceId>> pairs;
  for (const DeviceId gpu : draft.gpus()) pairs.emplace_back(router.nearest_cpu(gpu), gpu);
  draft.erase_links([&](const Link& link) {
    return link.link_class == LinkClass::kPcie &&
           (draft.is(link.from, DeviceType::kGpu) || draft.is(link.to, DeviceType::kGpu));
  });
  for (const auto& [cpu, gpu] : pairs) draft.join(cpu, gpu, kind, count);
}

}  // namespace

int used_socket_links(const CpuPart& part) {
  return part.socket_link.starts_with("xgmi") ? std::min(3, part.socket_links) : part.socket_links;
}

void replace_cpu(Draft& draft, const CpuPart& part) {
  const std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  if (cpus.empty()) return draft.error("cpu", "the machine has no CPU to replace");
  for (const DeviceId cpu : cpus) {
    draft.device(cpu).figures = part;
    draft.device(cpu).part = draft.catalogue.cpus.contains(part.id) ? part.id : "";
  }
  for (Link& link : draft.machine.links) {
    if (!draft.is(link.from, DeviceType::kCpu) && !draft.is(link.to, DeviceType::kCpu)) continue;
    if (link.link_class == LinkClass::kMemory) {
      if (const LinkKind* kind = draft.link_kind("cpu", link.kind))
        apply(link, *kind, {link.count, part.memory_bandwidth, {}, {}});
    } else if (const int generation = pcie_generation(link.kind); generation > part.pcie_generation) {
      set_pcie(draft, link, part.pcie_generation, link.count);
    }
  }
  for (const DeviceId ram : draft.machine.all(DeviceType::kRam))
    std::get<Ram>(draft.device(ram).figures).kind = part.memory_kind;
  draft.erase_links(
      [&](const Link& link) { return draft.between(link, DeviceType::kCpu, DeviceType::kCpu); });
  join_sockets(draft);
}

void set_sockets(Draft& draft, int sockets) {
  if (sockets < 1 || sockets > 2)
    return draft.error("sockets", "a machine composed here has one or two sockets");
  std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  if (cpus.empty() || static_cast<int>(cpus.size()) == sockets) return;
  draft.erase_links(
      [&](const Link& link) { return draft.between(link, DeviceType::kCpu, DeviceType::kCpu); });

  Bytes memory{0};
  for (const DeviceId ram : draft.machine.all(DeviceType::kRam)) memory += draft.device(ram).ram().capacity;
  if (sockets == 1) {
    for (std::size_t i = 1; i < cpus.size(); ++i)
      move_links(draft, cpus[i], cpus[0], card_links(draft, cpus[i]));
    const std::vector<DeviceId> rams = draft.machine.all(DeviceType::kRam);
    if (!rams.empty()) std::get<Ram>(draft.device(rams[0]).figures).capacity = memory;
    bool cpu_kept = false, ram_kept = false;
    draft.erase_devices([&](const Device& device) {
      if (device.type == DeviceType::kCpu) return std::exchange(cpu_kept, true);
      if (device.type == DeviceType::kRam) return std::exchange(ram_kept, true);
      return false;
    });
    return settle_sockets(draft);
  }

  Device second = draft.device(cpus[0]);
  const std::string memory_link = second.cpu().memory_kind.starts_with("LPDDR") ? "lpddr5x" : "ddr";
  second.id = draft.fresh_id("cpu");
  second.numa = 1;
  const std::string ram_kind = second.cpu().memory_kind;
  const DeviceId cpu = draft.add(std::move(second));
  const DeviceId ram = draft.add({draft.fresh_id("ram"), DeviceType::kRam, "", Ram{{0}, ram_kind}, 1, 1});
  draft.join(cpu, ram, memory_link);
  for (const DeviceId each : draft.machine.all(DeviceType::kRam))
    std::get<Ram>(draft.device(each).figures).capacity = memory / 2;
  std::vector<std::size_t> half;
  for (const std::size_t i : card_links(draft, cpus[0]))
    if (carries_gpus(draft, draft.machine.links[i])) half.push_back(i);
  half.erase(half.begin(), half.begin() + static_cast<std::ptrdiff_t>((half.size() + 1) / 2));
  move_links(draft, cpus[0], cpu, half);
  join_sockets(draft);
  settle_sockets(draft);
}

void settle_sockets(Draft& draft) {
  const std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  for (std::size_t i = 0; i < cpus.size(); ++i) draft.device(cpus[i]).numa = static_cast<int>(i);
  const Router router(draft.machine);
  for (std::uint32_t i = 0; i < draft.machine.devices.size(); ++i) {
    const DeviceId id{i};
    if (draft.is(id, DeviceType::kCpu) || draft.is(id, DeviceType::kNvSwitch)) continue;
    if (const DeviceId cpu = router.nearest_cpu(id); cpu.valid())
      draft.device(id).numa = draft.device(cpu).numa;
  }
}

void set_host_link(Draft& draft, const std::string& kind) {
  if (kind == "nvlink-cpu") return nvlink_host(draft, "nvlink2", 3);
  if (kind == "c2c") return nvlink_host(draft, "nvlink-c2c", 1);
  const int generation = pcie_generation(kind);
  if (generation == 0)
    return draft.error("host_link",
                       "\"" + kind + "\" is no host link: expected pcie1..pcie6, nvlink-cpu or c2c");
  bool lowered = false;
  for (Link& link : draft.machine.links) {
    if (!carries_gpus(draft, link)) continue;
    set_pcie(draft, link, generation, link.count);
    lowered = lowered || pcie_generation(link.kind) < generation;
  }
  if (lowered)
    draft.note("host_link " + kind + ": a CPU or GPU of this machine cannot, those links stay slower");
}

void set_lanes(Draft& draft, int lanes) {
  for (Link& link : draft.machine.links)
    if (pcie_generation(link.kind) > 0 &&
        (draft.is(link.from, DeviceType::kGpu) || draft.is(link.to, DeviceType::kGpu)))
      set_pcie(draft, link, pcie_generation(link.kind), lanes);
}

}  // namespace rigcast::hardware
