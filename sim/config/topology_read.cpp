#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/text.h"
#include "config/topology.h"
#include "hardware/link.h"

/// A link's figures come from its kind: raw and achievable rates of one lane or link, times the lanes or
/// links. What the file states instead replaces them; a stated bandwidth keeps the kind's ratio of achievable
/// to raw, because what is lost to packets and flow control is a share of the rate.

namespace rigcast::config {

using hardware::Catalogue;
using hardware::Device;
using hardware::DeviceId;
using hardware::DeviceType;
using hardware::Link;
using hardware::LinkClass;
using hardware::LinkKind;
using hardware::Machine;

namespace {

constexpr int kDefaultPcieLanes = 16;

using DeviceIndex = std::map<std::string, std::uint32_t, std::less<>>;

std::optional<DeviceId> find_device(Fields& f, std::string_view field, const std::string& id,
                                    const DeviceIndex& index) {
  if (const auto found = index.find(id); found != index.end()) return DeviceId{found->second};
  if (id.empty()) return std::nullopt;  // reported as missing already
  std::vector<std::string> known;
  for (const auto& [name, place] : index) known.push_back(name);
  f.error(field, fmt::format("no device \"{}\" in this machine", id), did_you_mean(id, known));
  return std::nullopt;
}

/// The bandwidth of a memory link when the file gives none: that of the CPU at one of its ends.
BytesPerSecond memory_bandwidth(const Machine& machine, const Link& link) {
  for (const DeviceId end : {link.from, link.to})
    if (const auto* cpu = std::get_if<hardware::CpuPart>(&machine.devices[end.index].figures))
      return cpu->memory_bandwidth;
  return {};
}

void fill_link(const LinkEntry& entry, const LinkKind& kind, const Machine& machine, Link& link) {
  hardware::LinkFigures figures;
  const int given = entry.lanes > 0 ? entry.lanes : entry.count;
  figures.count = given > 0 ? given : (kind.link_class == LinkClass::kPcie ? kDefaultPcieLanes : 1);
  figures.latency = entry.latency;
  if (entry.bandwidth.value > 0) figures.raw = entry.bandwidth;
  if (const BytesPerSecond memory = memory_bandwidth(machine, link);
      !figures.raw && kind.link_class == LinkClass::kMemory && memory.value > 0)
    figures.raw = memory;
  if (entry.achievable.value > 0) figures.achievable = entry.achievable;
  hardware::apply(link, kind, figures);
  if (figures.achievable && kind.peer_achievable.value > 0)
    link.peer_achievable = link.achievable * (kind.peer_achievable / kind.achievable);
  if (entry.peer_achievable.value > 0) link.peer_achievable = entry.peer_achievable;
}

void read_link(Fields& f, const Catalogue& catalogue, const DeviceIndex& index, std::string pointer,
               Machine& machine) {
  LinkEntry entry;
  describe(f, entry);
  const auto from = find_device(f, "from", entry.from, index);
  const auto to = find_device(f, "to", entry.to, index);
  if (from && to && *from == *to) f.error("to", fmt::format("a link joins \"{}\" to itself", entry.to), {});
  const auto kind = catalogue.links.find(entry.kind);
  if (kind == catalogue.links.end()) {
    std::vector<std::string> known;
    for (const auto& [id, part] : catalogue.links) known.push_back(id);
    if (!entry.kind.empty())
      f.error("kind", fmt::format("no link kind \"{}\"", entry.kind), did_you_mean(entry.kind, known));
    return;
  }
  if (kind->second.link_class == LinkClass::kPcie && entry.count > 0)
    f.error("count", "a PCIe link is given in lanes, not in links", "write \"lanes\"");
  if (kind->second.link_class != LinkClass::kPcie && entry.lanes > 0)
    f.error("lanes", fmt::format("only PCIe has lanes; \"{}\" is given in links", entry.kind),
            "write \"count\"");
  if (entry.achievable.value > 0 && entry.bandwidth.value > 0 && entry.achievable > entry.bandwidth)
    f.error("achievable", "more than the bandwidth of the link", {});
  if (!from || !to) return;
  Link link;
  link.from = *from;
  link.to = *to;
  link.pointer = std::move(pointer);
  fill_link(entry, kind->second, machine, link);
  machine.links.push_back(std::move(link));
}

}  // namespace

std::optional<Machine> read_topology(const Cursor& cursor, const Catalogue& catalogue,
                                     Diagnostics& diagnostics) {
  Diagnostics found;
  Machine machine;
  read_object(cursor, found, [&](Fields& f) {
    MachineHead head;
    describe(f, head);
    machine.name = head.name;
    machine.title = head.title;
    machine.price = head.price;
    machine.usd_per_hour = head.usd_per_hour;
    machine.max_power_w = head.max_power_w;
    machine.provenance = head.provenance;
    machine.notes = head.notes;
    f.number({"node_count", Need::kOptional, "equal nodes of this template; absent: 1"}, machine.nodes,
             kCount);
    f.flag(
        {"p2p", Need::kOptional, "PCIe peer-to-peer for the whole machine, in place of the GPUs' own rule"},
        machine.peer_access);
    DeviceIndex index;
    f.list({"nodes", Need::kRequired, "devices"}, machine.devices, [&](Fields& inner, Device& device) {
      describe(inner, device, &catalogue);
      const auto place = static_cast<std::uint32_t>(&device - machine.devices.data());
      if (!device.id.empty() && !index.emplace(device.id, place).second)
        inner.error("id", fmt::format("two devices have the id \"{}\"", device.id), {});
    });
    // Not a field list: a link needs its position and the devices, and may not become one at all.
    f.custom({"links", Need::kRequired, "cables, traces and buses"},
             {[&](const Cursor& links, Diagnostics& errors) {
                if (!expect(links, JsonKind::kArray, errors)) return;
                for (std::size_t i = 0; i < links.value->elements.size(); ++i)
                  read_object(links.element(i), errors, [&](Fields& inner) {
                    read_link(inner, catalogue, index, links.element(i).pointer(), machine);
                  });
              },
              {},
              {}});
    f.custom({"set", Need::kOptional, "device id -> figures to change"},
             {[&](const Cursor& set, Diagnostics& errors) { apply_set(set, machine, catalogue, errors); },
              {},
              {}});
  });
  const bool good = found.ok();
  diagnostics.append(found);
  if (!good) return std::nullopt;
  return machine;
}

namespace {

constexpr std::string_view kLinkPrefix = "link:";

std::optional<std::size_t> link_index(std::string_view key) {
  if (key.substr(0, kLinkPrefix.size()) != kLinkPrefix) return std::nullopt;
  std::size_t index = 0;
  const char* end = key.data() + key.size();
  const auto [rest, error] = std::from_chars(key.data() + kLinkPrefix.size(), end, index);
  if (error != std::errc() || rest != end) return std::nullopt;
  return index;
}

/// What of a link may be changed; its ends and its kind may not.
void override_link(Fields& f, Link& link) {
  BytesPerSecond bandwidth, achievable, peer_achievable;
  std::optional<Seconds> latency;
  f.quantity({"bandwidth", Need::kOptional, "raw, whole link, one direction"}, bandwidth);
  f.quantity({"achievable", Need::kOptional, "whole link, one direction"}, achievable);
  f.quantity({"peer_achievable", Need::kOptional, "of PCIe traffic between GPUs"}, peer_achievable);
  f.quantity({"latency", Need::kOptional, "of the hop"}, latency);
  if (bandwidth.value > 0) {
    const double factor = bandwidth / link.raw;
    link.raw = bandwidth;
    link.achievable = link.achievable * factor;
    link.peer_achievable = link.peer_achievable * factor;
  }
  if (achievable.value > 0) {
    link.peer_achievable = link.peer_achievable * (achievable / link.achievable);
    link.achievable = achievable;
    if (link.raw < achievable) link.raw = achievable;
  }
  if (peer_achievable.value > 0) link.peer_achievable = peer_achievable;
  if (latency) link.latency = *latency;
}

}  // namespace

void apply_set(const Cursor& set, Machine& machine, const Catalogue& catalogue, Diagnostics& diagnostics) {
  if (!expect(set, JsonKind::kObject, diagnostics)) return;
  for (const JsonMember& member : set.value->members) {
    const Cursor at = set.member(member);
    if (const auto index = link_index(member.key)) {
      if (*index >= machine.links.size())
        diagnostics.error(at.origin(),
                          fmt::format("no link {}: the machine has {}", *index, machine.links.size()));
      else
        read_object(at, diagnostics, [&](Fields& f) { override_link(f, machine.links[*index]); }),
            machine.links[*index].pointer = at.pointer();
      continue;
    }
    const auto device = std::find_if(machine.devices.begin(), machine.devices.end(),
                                     [&](const Device& d) { return d.id == member.key; });
    if (device == machine.devices.end()) {
      std::vector<std::string> known;
      for (const Device& d : machine.devices) known.push_back(d.id);
      diagnostics.error(at.origin(), fmt::format("no device \"{}\" in this machine", member.key),
                        did_you_mean(member.key, known));
      continue;
    }
    read_object(at, diagnostics, [&](Fields& f) { describe_override(f, *device, catalogue); });
    // The memory link carries what the CPU's channels do.
    if (const auto* cpu = std::get_if<hardware::CpuPart>(&device->figures);
        cpu != nullptr && at.value->find("memory_bandwidth")) {
      const DeviceId id{static_cast<std::uint32_t>(device - machine.devices.begin())};
      for (Link& link : machine.links)
        if (link.link_class == LinkClass::kMemory && (link.from == id || link.to == id)) {
          const double factor = cpu->memory_bandwidth / link.raw;
          link.raw = link.raw * factor;
          link.achievable = link.achievable * factor;
          link.peer_achievable = link.peer_achievable * factor;
        }
    }
  }
}

}  // namespace rigcast::config
