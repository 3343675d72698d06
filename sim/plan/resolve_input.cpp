#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "hardware/link.h"
#include "plan/resolve.h"

namespace rigcast::plan {

using hardware::Device;
using hardware::DeviceId;
using hardware::DeviceType;
using hardware::StoragePart;

namespace {

constexpr int kWorkersPerGpu = 4;
constexpr int kPrefetch = 2;

bool is_remote(const StoragePart& part) { return part.kind == "network" || part.kind == "object"; }

double capacity(const Device& device) { return device.storage().capacity.value * device.count; }

/// The largest local storage, else the largest at all; null when there is none. Ties go to the first.
const Device* usual_storage(const hardware::Machine& machine) {
  const Device* best = nullptr;
  for (const Device& device : machine.devices) {
    if (device.type != DeviceType::kStorage) continue;
    const bool better =
        best == nullptr || (is_remote(best->storage()) && !is_remote(device.storage())) ||
        (is_remote(best->storage()) == is_remote(device.storage()) && capacity(device) > capacity(*best));
    if (better) best = &device;
  }
  return best;
}

/// A plain NVMe drive of the catalogue: of those that hold at least 1 TB, the one of middling speed.
const StoragePart* default_drive(const hardware::Catalogue& catalogue) {
  std::vector<const StoragePart*> drives;
  for (const auto& [id, part] : catalogue.storage)
    if (part.kind == "nvme" && part.capacity.value >= 1e12 && catalogue.links.count(part.interface) > 0)
      drives.push_back(&part);
  std::stable_sort(drives.begin(), drives.end(),
                   [](const auto* a, const auto* b) { return a->sequential_read < b->sequential_read; });
  return drives.empty() ? nullptr : drives[drives.size() / 2];
}

/// Joins one default drive to the first CPU. Nothing when the catalogue has no such drive or the machine no
/// CPU.
const Device* add_default_storage(Resolving& r) {
  const StoragePart* part = default_drive(r.catalogue);
  hardware::Machine& machine = r.machine;
  const auto cpu = std::find_if(machine.devices.begin(), machine.devices.end(),
                                [](const Device& device) { return device.type == DeviceType::kCpu; });
  if (part == nullptr || cpu == machine.devices.end()) return nullptr;
  const DeviceId from{static_cast<std::uint32_t>(cpu - machine.devices.begin())};
  const DeviceId to{static_cast<std::uint32_t>(machine.devices.size())};
  const hardware::LinkKind& kind = r.catalogue.links.find(part->interface)->second;
  hardware::Link link = hardware::make_link(from, to, kind, {part->interface_count, {}, {}, {}});
  link.pointer = fmt::format("/links/{}", machine.links.size());
  Device device;
  device.id = "storage0";
  device.type = DeviceType::kStorage;
  device.part = part->id;
  device.figures = *part;
  device.numa = cpu->numa;
  machine.devices.push_back(std::move(device));
  machine.links.push_back(std::move(link));
  // In the machine's notes too, so that the echoed scenario says it again.
  std::string note =
      fmt::format("the machine has no storage: one {} was added to read the data set from", part->name);
  machine.notes.push_back(note);
  r.warnings.push_back(std::move(note));
  return &machine.devices.back();
}

const Device* find_storage(Resolving& r) {
  if (!r.plan.input.storage) {
    const Device* usual = usual_storage(r.machine);
    return usual != nullptr ? usual : add_default_storage(r);
  }
  const std::string& id = *r.plan.input.storage;
  std::vector<std::string> known;
  for (const Device& device : r.machine.devices) {
    if (device.type != DeviceType::kStorage) continue;
    if (device.id == id) return &device;
    known.push_back(device.id);
  }
  std::string hint = did_you_mean(id, known);
  if (hint.empty() && !known.empty()) hint = fmt::format("it has {}", fmt::join(known, ", "));
  r.error({"input/storage"}, fmt::format("no storage device \"{}\" in the machine", id), std::move(hint));
  return nullptr;
}

}  // namespace

void resolve_input(Resolving& r) {
  const Input& given = r.plan.input;
  const workload::Dataset& usual = r.network.dataset;
  ResolvedPlan& out = r.out;
  out.pageable = given.pageable;
  out.dataset = given.dataset;
  if (!given.dataset) return;

  out.samples = given.samples.value_or(usual.samples);
  if (out.samples <= 0)
    r.error({"input/samples", "input/source"},
            fmt::format("input.samples is missing: {} has no usual data set", r.network.name));
  out.sample_bytes = given.sample_bytes.value_or(Bytes{usual.sample_bytes});
  if (out.sample_bytes.value <= 0)
    r.error({"input/sample_bytes", "input/source"},
            fmt::format("input.sample_bytes is missing: {} has no usual data set", r.network.name));
  const bool prebatched = given.loader == Loader::kPrebatched;  // batches lie in order
  out.layout = given.layout.value_or(prebatched ? Layout::kRecords : Layout::kFiles);
  out.decode = given.decode.value_or(parse<Decode>(usual.decode).value_or(Decode::kNone));
  out.loader = given.loader.value_or(Loader::kFramework);
  out.workers = given.workers.value_or(kWorkersPerGpu * r.out.gpus / r.out.nodes);
  out.prefetch = given.prefetch.value_or(kPrefetch);
  const std::size_t errors = r.diagnostics.entries().size();
  const Device* storage = find_storage(r);
  if (storage != nullptr)
    out.storage = storage->id;
  else if (r.diagnostics.entries().size() == errors)
    r.error({"input/storage", "input/source"}, "the machine has no storage to read the data set from");
}

}  // namespace rigcast::plan
