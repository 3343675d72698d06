#include "hardware/draft.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "hardware/link.h"

namespace rigcast::hardware {
namespace {

template <class Part>
std::string suggestion(const PartTable<Part>& table, const std::string& id) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& [name, part] : table) names.push_back(name);
  return did_you_mean(id, names);
}

template <class Part>
const Part* look_up(Draft& draft, const PartTable<Part>& table, std::string_view field, const std::string& id,
                    std::string_view what) {
  const auto found = table.find(id);
  if (found != table.end()) return &found->second;
  draft.error(field, "there is no " + std::string(what) + " \"" + id + "\" in the catalogue",
              suggestion(table, id));
  return nullptr;
}

}  // namespace

Draft::Draft(const Catalogue& parts, Machine start, Origin origin, Diagnostics& diagnostics)
    : catalogue(parts), machine(std::move(start)), origin_(std::move(origin)), diagnostics_(diagnostics) {}

void Draft::error(std::string_view field, std::string message, std::string hint) {
  Origin where = origin_;
  if (!field.empty()) where.pointer += "/" + std::string(field);
  diagnostics_.error(std::move(where), std::move(message), std::move(hint));
  ok_ = false;
}

const GpuPart* Draft::gpu_part(std::string_view field, const std::string& id) {
  return look_up(*this, catalogue.gpus, field, id, "GPU");
}

const StoragePart* Draft::storage_part(std::string_view field, const std::string& id) {
  return look_up(*this, catalogue.storage, field, id, "storage device");
}

const LinkKind* Draft::link_kind(std::string_view field, const std::string& id) {
  return look_up(*this, catalogue.links, field, id, "link kind");
}

DeviceId Draft::add(Device added) {
  machine.devices.push_back(std::move(added));
  return {static_cast<std::uint32_t>(machine.devices.size() - 1)};
}

void Draft::join(DeviceId from, DeviceId to, const std::string& kind, int count) {
  const LinkKind* found = link_kind("", kind);
  if (found == nullptr) return;
  LinkFigures figures{count, {}, {}, {}};
  if (found->link_class == LinkClass::kMemory) {
    const Device& end = is(from, DeviceType::kCpu) ? device(from) : device(to);
    if (end.type == DeviceType::kCpu) figures.raw = end.cpu().memory_bandwidth;
  }
  machine.links.push_back(make_link(from, to, *found, figures));
}

void Draft::erase_links(const std::function<bool(const Link&)>& which) {
  std::erase_if(machine.links, which);
}

void Draft::erase_devices(const std::function<bool(const Device&)>& which) {
  std::vector<DeviceId> moved;
  std::vector<Device> kept;
  for (Device& each : machine.devices) {
    const bool gone = which(each);
    moved.push_back(gone ? DeviceId::none() : DeviceId{static_cast<std::uint32_t>(kept.size())});
    if (!gone) kept.push_back(std::move(each));
  }
  machine.devices = std::move(kept);
  for (Link& link : machine.links) {
    link.from = moved[link.from.index];
    link.to = moved[link.to.index];
  }
  erase_links([](const Link& link) { return !link.from.valid() || !link.to.valid(); });
}

std::string Draft::fresh_id(std::string_view prefix) const {
  for (int i = 0;; ++i) {
    std::string id = std::string(prefix) + std::to_string(i);
    if (!machine.find(id).valid()) return id;
  }
}

bool Draft::between(const Link& link, DeviceType a, DeviceType b) const {
  return (is(link.from, a) && is(link.to, b)) || (is(link.from, b) && is(link.to, a));
}

bool Draft::is_peer_link(const Link& link) const {
  return link.link_class == LinkClass::kGpuLink &&
         (between(link, DeviceType::kGpu, DeviceType::kGpu) ||
          between(link, DeviceType::kGpu, DeviceType::kNvSwitch) ||
          between(link, DeviceType::kNvSwitch, DeviceType::kNvSwitch));
}

int Draft::lanes_used(DeviceId id) const {
  int lanes = 0;
  for (const Link& link : machine.links)
    if ((link.from == id || link.to == id) && pcie_generation(link.kind) > 0) lanes += link.count;
  return lanes;
}

int Draft::lanes_free(DeviceId cpu) const {
  const CpuPart& part = device(cpu).cpu();
  int lanes = part.gpu_lanes > 0 ? part.gpu_lanes : part.pcie_lanes;
  // EPYC sockets are joined by lanes that a single socket has for cards: x16 each.
  for (const Link& link : machine.links)
    if ((link.from == cpu || link.to == cpu) && link.kind.starts_with("xgmi")) lanes -= 16 * link.count;
  return lanes - lanes_used(cpu);
}

int pcie_generation(std::string_view kind) {
  return kind.size() == 5 && kind.starts_with("pcie") && kind[4] >= '1' && kind[4] <= '9' ? kind[4] - '0' : 0;
}

std::string pcie_kind(int generation) { return "pcie" + std::to_string(generation); }

void set_pcie(Draft& draft, Link& link, int generation, int lanes) {
  for (const DeviceId end : {link.from, link.to}) {
    if (draft.is(end, DeviceType::kGpu)) {
      generation = std::min(generation, draft.device(end).gpu().pcie_generation);
      lanes = std::min(lanes, draft.device(end).gpu().pcie_lanes);
    }
    if (draft.is(end, DeviceType::kCpu))
      generation = std::min(generation, draft.device(end).cpu().pcie_generation);
  }
  if (const LinkKind* kind = draft.link_kind("", pcie_kind(generation)))
    apply(link, *kind, {lanes, {}, {}, {}});
}

}  // namespace rigcast::hardware
