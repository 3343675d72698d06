#include "hardware/attach.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.h"
#include "hardware/link.h"

// Where a new drive or card goes: a free slot that takes its type first; then the PCIe switches that carry
// GPUs (network cards only: data for GPUs should not cross the CPU); then a CPU with lanes to spare; then the
// chipset; and at last a CPU regardless, which the check of the machine reports as too many lanes.

namespace rigcast::hardware {
namespace {

struct Place {
  DeviceId parent;
  int generation = 3;
  DeviceId slot;  ///< to be freed; none() when the place is no slot
};

std::optional<Place> free_slot(const Draft& draft, std::string_view type, const std::string& part) {
  for (const DeviceId slot : draft.machine.all(DeviceType::kSlot)) {
    const auto& options = std::get<Slot>(draft.device(slot).figures).options;
    const bool takes = std::any_of(options.begin(), options.end(), [&](const std::string& option) {
      return option == type || option == part;
    });
    if (!takes) continue;
    for (const Link& link : draft.machine.links)
      if (link.from == slot || link.to == slot)
        return Place{draft.other_end(link, slot), std::max(1, pcie_generation(link.kind)), slot};
  }
  return std::nullopt;
}

int generation_of(const Draft& draft, DeviceId parent) {
  if (draft.is(parent, DeviceType::kCpu)) return draft.device(parent).cpu().pcie_generation;
  int most = 3;
  for (const Link& link : draft.machine.links)
    if (link.from == parent || link.to == parent) most = std::max(most, pcie_generation(link.kind));
  return most;
}

Place spare_lanes(const Draft& draft, int lanes, std::size_t start) {
  const std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const DeviceId cpu = cpus[(start + i) % cpus.size()];
    // What a desktop CPU keeps for cards is for cards; its other lanes are for drives.
    const CpuPart& part = draft.device(cpu).cpu();
    const int free = part.gpu_lanes > 0 ? part.pcie_lanes - draft.lanes_used(cpu) : draft.lanes_free(cpu);
    if (free >= lanes) return {cpu, generation_of(draft, cpu), DeviceId::none()};
  }
  for (const DeviceId bridge : draft.machine.all(DeviceType::kBridge))
    return {bridge, generation_of(draft, bridge), DeviceId::none()};
  for (const DeviceId bridge : draft.machine.all(DeviceType::kPcieSwitch))
    return {bridge, generation_of(draft, bridge), DeviceId::none()};
  return {cpus.front(), generation_of(draft, cpus.front()), DeviceId::none()};
}

std::vector<DeviceId> switches_with_gpus(const Draft& draft) {
  std::vector<DeviceId> found;
  for (const DeviceId id : draft.machine.all(DeviceType::kPcieSwitch))
    for (const Link& link : draft.machine.links)
      if ((link.from == id || link.to == id) && draft.is(draft.other_end(link, id), DeviceType::kGpu)) {
        found.push_back(id);
        break;
      }
  return found;
}

void join_pcie(Draft& draft, const Place& place, DeviceId device, int lanes, int most_generation) {
  draft.device(device).numa = draft.device(place.parent).numa;
  draft.join(place.parent, device, pcie_kind(std::min(place.generation, most_generation)), lanes);
}

void free(Draft& draft, const Place& place) {
  if (!place.slot.valid()) return;
  const std::string id = draft.device(place.slot).id;
  draft.erase_devices([&](const Device& device) { return device.id == id; });
}

int drive_generation(const StoragePart& part) {
  const auto at = part.interface.find("gen");
  return at == std::string::npos ? 4 : part.interface[at + 3] - '0';
}

void attach_drive(Draft& draft, Device device) {
  const StoragePart part = device.storage();
  const bool on_network = part.kind == "network" || part.kind == "object";
  if (on_network) {
    const std::vector<DeviceId> cards = draft.machine.all(DeviceType::kNic);
    std::string kind = part.interface.empty() ? "eth10" : part.interface;
    DeviceId card = DeviceId::none();
    for (const DeviceId each : cards)
      if (!card.valid() || std::get<SwitchPart>(draft.device(each).figures).port_bandwidth >
                               std::get<SwitchPart>(draft.device(card).figures).port_bandwidth)
        card = each;
    if (!card.valid()) {
      SwitchPart adapter;
      adapter.id = "nic-for-storage";
      adapter.name = "network card for " + part.name;
      adapter.kind = "nic";
      adapter.port_link = kind;
      if (const LinkKind* link = draft.link_kind("storage", kind)) {
        adapter.port_bandwidth = link->raw;
        adapter.port_achievable = link->achievable;
        adapter.port_latency = link->latency;
      }
      const Place place = spare_lanes(draft, 8, 0);
      card = draft.add({draft.fresh_id("nic"), DeviceType::kNic, "", adapter, 1, 0});
      join_pcie(draft, place, card, 8, place.generation);
      draft.note("a network card of " + kind + " is assumed for \"" + device.id + "\"");
    } else {
      const auto& adapter = std::get<SwitchPart>(draft.device(card).figures);
      if (!adapter.port_link.empty()) kind = adapter.port_link;
    }
    device.numa = draft.device(card).numa;
    const DeviceId id = draft.add(std::move(device));
    draft.join(card, id, kind);
    return;
  }
  const bool on_bus = part.interface.starts_with("sata") || part.interface.starts_with("sas");
  if (on_bus) {
    const auto bridges = draft.machine.all(DeviceType::kBridge);
    const DeviceId parent = bridges.empty() ? draft.machine.all(DeviceType::kCpu).front() : bridges.back();
    const int links = device.count * std::max(1, part.interface_count);
    device.numa = draft.device(parent).numa;
    const DeviceId id = draft.add(std::move(device));
    draft.join(parent, id, part.interface, links);
    return;
  }
  const int lanes = std::min(16, 4 * device.count * std::max(1, part.interface_count));
  const auto slot = free_slot(draft, "storage", part.id);
  const Place place = slot ? *slot : spare_lanes(draft, lanes, 0);
  const DeviceId id = draft.add(std::move(device));
  join_pcie(draft, place, id, lanes, drive_generation(part));
  if (slot) free(draft, place);
}

// How the link kinds of a network are named in the catalogue.
std::string_view family_of(std::string_view network) {
  if (network == "ib") return "ib-";
  if (network == "omnipath") return "opa";
  if (network == "ethernet") return "eth";
  if (network == "efa") return "efa";
  return "roce";
}

// The network's kind of nearest speed, scaled to the one that was asked for.
std::optional<LinkKind> scaled_kind(const Draft& draft, const NetworkChoice& choice, double gigabits) {
  const std::string_view family = family_of(choice.kind);
  const BytesPerSecond rate{gigabits * 1e9 / 8};
  const LinkKind* best = nullptr;
  for (const auto& [id, kind] : draft.catalogue.links) {
    if (kind.link_class != LinkClass::kNetwork || !id.starts_with(family)) continue;
    if (best == nullptr || std::fabs(kind.raw.value - rate.value) < std::fabs(best->raw.value - rate.value))
      best = &kind;
  }
  if (best == nullptr) return std::nullopt;
  LinkKind kind = *best;
  kind.achievable *= rate / kind.raw;
  kind.raw = rate;
  return kind;
}

SwitchPart card_for(const Catalogue& catalogue, const LinkKind& port) {
  SwitchPart card;
  card.id = "nic-" + port.id;
  card.name = "network card for " + port.name;
  card.kind = "nic";
  for (const auto& [id, part] : catalogue.switches)
    if (part.kind == "nic" && part.port_link == port.id) {
      card = part;
      break;
    }
  card.ports = 1;
  card.port_link = port.id;
  card.port_bandwidth = port.raw;
  card.port_achievable = port.achievable;
  card.port_latency = port.latency;
  return card;
}

}  // namespace

void set_ram(Draft& draft, Bytes per_node) {
  const std::vector<DeviceId> rams = draft.machine.all(DeviceType::kRam);
  for (const DeviceId id : rams)
    std::get<Ram>(draft.device(id).figures).capacity = per_node / static_cast<double>(rams.size());
}

void set_storage(Draft& draft, const std::vector<StorageChoice>& choices) {
  std::vector<Device> wanted;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const StorageChoice& choice = choices[i];
    const StoragePart* part = draft.storage_part("storage", choice.part);
    if (part == nullptr) return;
    if (choice.count < 1) return draft.error("storage", "\"" + choice.part + "\" has a count of at least 1");
    const std::string id = choice.id.empty() ? "storage" + std::to_string(i) : choice.id;
    wanted.push_back({id, DeviceType::kStorage, part->id, *part, choice.count, 0});
  }
  draft.erase_devices([&](const Device& device) {
    return device.type == DeviceType::kStorage &&
           std::none_of(wanted.begin(), wanted.end(), [&](const Device& each) {
             return each.id == device.id && each.storage().interface == device.storage().interface &&
                    each.count == device.count;
           });
  });
  for (Device& device : wanted) {
    const DeviceId there = draft.machine.find(device.id);
    if (!there.valid()) {
      attach_drive(draft, std::move(device));
    } else if (draft.is(there, DeviceType::kStorage)) {
      device.numa = draft.device(there).numa;
      draft.device(there) = std::move(device);
    } else {
      return draft.error("storage", "\"" + device.id + "\" is already a " +
                                        std::string(name(draft.device(there).type)) + " of this machine");
    }
  }
}

NetworkChoice usual_network(const Draft& draft) {
  int generation = 3;
  bool module = false;
  for (const DeviceId id : draft.gpus()) {
    generation = std::max(generation, draft.device(id).gpu().pcie_generation);
    module = module || draft.device(id).gpu().form_factor.find("PCIe") == std::string::npos;
  }
  const int gpus = std::max(1, static_cast<int>(draft.gpus().size()));
  if (!module) return {"ib", generation >= 5 ? 200 : 100, 1};
  if (generation <= 3) return {"ib", 100, std::max(1, gpus / 2)};
  return {"ib", generation == 4 ? 200 : 400, gpus};
}

void set_network(Draft& draft, const NetworkChoice& choice) {
  static const std::vector<std::string> kinds{"ib", "roce", "ethernet", "efa", "omnipath", "unknown", "none"};
  if (std::find(kinds.begin(), kinds.end(), choice.kind) == kinds.end())
    return draft.error("network",
                       "\"" + choice.kind +
                           "\" is no network: expected ib, roce, ethernet, efa, omnipath, "
                           "unknown or none",
                       did_you_mean(choice.kind, kinds));
  // Places of the cards that go, so that the new ones sit where they sat.
  std::vector<Place> places;
  std::vector<std::string> going;
  for (const DeviceId card : draft.machine.all(DeviceType::kNic)) {
    std::optional<Place> place;
    bool carries = false;
    for (const Link& link : draft.machine.links) {
      if (link.from != card && link.to != card) continue;
      if (link.link_class == LinkClass::kNetwork) carries = true;
      if (link.link_class == LinkClass::kPcie)
        place = Place{draft.other_end(link, card), std::max(1, pcie_generation(link.kind)), DeviceId::none()};
    }
    if (carries) continue;
    going.push_back(draft.device(card).id);
    if (place && !draft.is(place->parent, DeviceType::kBridge)) places.push_back(*place);
  }
  std::vector<std::string> parents;
  for (const Place& place : places) parents.push_back(draft.device(place.parent).id);
  draft.erase_devices(
      [&](const Device& device) { return std::find(going.begin(), going.end(), device.id) != going.end(); });
  if (choice.kind == "none") return;
  for (std::size_t i = 0; i < places.size(); ++i) places[i].parent = draft.machine.find(parents[i]);

  const NetworkChoice usual = usual_network(draft);
  const double gigabits = choice.gigabits_per_port.value_or(*usual.gigabits_per_port);
  const int ports = choice.ports_per_node.value_or(choice.gigabits_per_port ? 1 : *usual.ports_per_node);
  if (!(gigabits > 0) || ports < 1)
    return draft.error("network", "a network has gbps_per_port above 0 and at least one of ports_per_node");
  if (choice.kind == "unknown") draft.note("the kind of network is not known: RDMA over Ethernet assumed");
  if (!choice.gigabits_per_port || !choice.ports_per_node)
    draft.note("network: " + std::to_string(ports) + " x " + std::to_string(static_cast<int>(gigabits)) +
               " Gb/s a node assumed where not stated");
  const auto kind = scaled_kind(draft, choice, gigabits);
  if (!kind)
    return draft.error("network", "the catalogue has no link kind for network \"" + choice.kind + "\"");

  const SwitchPart card = card_for(draft.catalogue, *kind);
  const int lanes = kind->raw.value > 7e9 ? 16 : kind->raw.value > 1e9 ? 8 : 4;
  if (places.empty())
    for (const DeviceId id : switches_with_gpus(draft))
      places.push_back({id, generation_of(draft, id), DeviceId::none()});
  for (int port = 0; port < ports; ++port) {
    const auto slot = free_slot(draft, "nic", card.id);
    Place place = slot             ? *slot
                  : places.empty() ? spare_lanes(draft, lanes, static_cast<std::size_t>(port))
                                   : places[static_cast<std::size_t>(port) % places.size()];
    const DeviceId id = draft.add({draft.fresh_id("nic"), DeviceType::kNic,
                                   draft.catalogue.switches.contains(card.id) ? card.id : "", card, 1, 0});
    join_pcie(draft, place, id, lanes, 6);
    if (slot) {
      std::vector<std::string> names;
      for (const Place& each : places) names.push_back(draft.device(each.parent).id);
      free(draft, place);
      for (std::size_t i = 0; i < places.size(); ++i) places[i].parent = draft.machine.find(names[i]);
    }
  }
}

}  // namespace rigcast::hardware
