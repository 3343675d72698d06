#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "hardware/attach.h"
#include "hardware/hosts.h"
#include "hardware/interconnect.h"
#include "hardware/link.h"

// Fields are applied in an order in which each sees what it depends on: places and parts first, then the
// links between them, then what hangs on the machine, overrides, and removals last, so that `remove` has the
// final word.

namespace rigcast::hardware {
namespace {

void set_count(Draft& draft, int count) {
  const std::vector<DeviceId> gpus = draft.gpus();
  const int places = static_cast<int>(gpus.size());
  if (count > places)
    return draft.error("count",
                       "\"" + draft.machine.name + "\" has places for " + std::to_string(places) +
                           " GPUs, not " + std::to_string(count),
                       "leave out \"base\" to compose a machine from parts");
  if (count < 0) return draft.error("count", "a machine has 0 or more GPUs");
  if (count < places) {
    draft.machine.price = {};
    draft.machine.usd_per_hour.reset();
    if (draft.machine.max_power_w > 0)
      draft.machine.max_power_w -= (places - count) * draft.device(gpus.back()).gpu().power_w;
  }
  int seen = 0;
  draft.erase_devices(
      [&](const Device& device) { return device.type == DeviceType::kGpu && seen++ >= count; });
}

void replace_gpu(Draft& draft, const GpuPart& part) {
  const std::vector<DeviceId> gpus = draft.gpus();
  if (gpus.empty()) return draft.error("gpu", "the machine has no places for GPUs");
  const GpuPart before = draft.device(gpus.front()).gpu();
  if (before.id == part.id) return;
  for (const DeviceId id : gpus) {
    draft.device(id).figures = part;
    draft.device(id).part = part.id;
    draft.machine.max_power_w += draft.machine.max_power_w > 0 ? part.power_w - before.power_w : 0;
  }
  refit_peer_links(draft, before, part);
  const bool superchip = part.form_factor == "superchip";
  for (Link& link : draft.machine.links) {
    if (pcie_generation(link.kind) > 0 &&
        (draft.is(link.from, DeviceType::kGpu) || draft.is(link.to, DeviceType::kGpu)))
      set_pcie(draft, link, pcie_generation(link.kind), link.count);
    if (link.kind == "nvlink-c2c" && draft.between(link, DeviceType::kCpu, DeviceType::kGpu) && !superchip)
      set_pcie(draft, link, 6, 16);
  }
  draft.note(part.name + " in the places of " + before.name);
  draft.machine.price = {};
  draft.machine.usd_per_hour.reset();
}

void override_figures(Draft& draft, const GpuOverrides& overrides) {
  for (const DeviceId id : draft.gpus()) {
    GpuPart part = draft.device(id).gpu();
    if (overrides.memory) part.memory = *overrides.memory;
    if (overrides.memory_bandwidth) part.memory_bandwidth = *overrides.memory_bandwidth;
    if (overrides.power_w) part.power_w = *overrides.power_w;
    if (overrides.clock) {
      const double scale = *overrides.clock / part.boost_clock;
      PeakRates& peak = part.peak;
      for (FlopsPerSecond* rate :
           {&peak.fp64, &peak.fp64_matrix, &peak.fp32, &peak.fp32_matrix, &peak.fp16_vector,
            &peak.fp16_matrix, &peak.fp16_matrix_fp16_accumulate, &peak.bf16_matrix, &peak.tf32_matrix,
            &peak.fp8_matrix, &peak.fp4_matrix, &peak.int8_vector, &peak.int8_matrix})
        *rate *= scale;
      part.boost_clock = *overrides.clock;
    }
    draft.device(id).figures = std::move(part);
  }
}

void remove(Draft& draft, const std::vector<std::string>& names) {
  for (const std::string& gone : names) {
    std::vector<std::string> known;
    bool found = false;
    for (const Device& device : draft.machine.devices) {
      known.push_back(device.id);
      known.emplace_back(name(device.type));
      found = found || device.id == gone || name(device.type) == gone;
    }
    for (const Link& link : draft.machine.links) {
      known.push_back(link.kind);
      found = found || link.kind == gone;
    }
    if (!found) {
      draft.error("remove", "\"" + gone + "\" is no device, type of device or kind of link of this machine",
                  did_you_mean(gone, known));
      continue;
    }
    draft.erase_links([&](const Link& link) { return link.kind == gone; });
    draft.erase_devices([&](const Device& device) { return device.id == gone || name(device.type) == gone; });
  }
}

void set_cpu(Draft& draft, const Composition& composition) {
  int sockets = composition.sockets.value_or(0);
  if (composition.cpu) {
    const auto choice = find_cpu(draft.catalogue, *composition.cpu);
    if (!choice)
      return draft.error("cpu", "\"" + *composition.cpu + "\" is no CPU of the catalogue and describes none");
    if (!choice->note.empty()) draft.note(choice->note);
    if (sockets == 0 && choice->sockets_stated) sockets = choice->sockets;
    if (sockets == 0 && choice->part.socket_link.empty()) sockets = 1;
    if (sockets == 1) set_sockets(draft, 1);
    replace_cpu(draft, choice->part);
  }
  if (sockets > 0) set_sockets(draft, sockets);
}

}  // namespace

std::optional<Machine> vary(const Catalogue& catalogue, Machine base, const Composition& composition,
                            const Origin& origin, Diagnostics& diagnostics) {
  Draft draft(catalogue, std::move(base), origin, diagnostics);
  // Pointers of the base's file mean nothing to the user of a variant.
  for (Link& link : draft.machine.links) link.pointer.clear();
  if (composition.count) set_count(draft, *composition.count);
  if (composition.gpu && draft.ok()) {
    if (const GpuPart* part = draft.gpu_part("gpu", *composition.gpu)) replace_gpu(draft, *part);
  }
  if (draft.ok()) set_cpu(draft, composition);
  if (composition.host_link && draft.ok()) set_host_link(draft, *composition.host_link);
  if (composition.pcie_lanes && draft.ok()) set_lanes(draft, *composition.pcie_lanes);
  if (composition.interconnect && draft.ok()) {
    if (*composition.interconnect == "unknown")
      draft.note("interconnect is not known: that of the machine assumed");
    else
      set_interconnect(draft, *composition.interconnect, composition.nvlink_domain_gpus.value_or(0));
  }
  if (composition.peer_access) draft.machine.peer_access = composition.peer_access;
  if (composition.ram && draft.ok()) set_ram(draft, *composition.ram);
  if (composition.network && draft.ok()) set_network(draft, *composition.network);
  if (composition.storage && draft.ok()) set_storage(draft, *composition.storage);
  if (composition.nodes && draft.ok()) {
    if (*composition.nodes < 1) draft.error("nodes", "a machine has at least one node");
    draft.machine.nodes = *composition.nodes;
    if (draft.machine.nodes > 1 && draft.machine.all(DeviceType::kNic).empty() && !composition.network) {
      draft.note("nodes without a network card: the usual one assumed");
      set_network(draft, usual_network(draft));
    }
  }
  if (draft.ok()) override_figures(draft, composition.gpu_overrides);
  if (draft.ok()) remove(draft, composition.remove);
  if (!draft.ok()) return std::nullopt;
  return std::move(draft.machine);
}

}  // namespace rigcast::hardware
