#include "hardware/compose.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hardware/draft.h"
#include "hardware/hosts.h"
#include "hardware/interconnect.h"
#include "hardware/link.h"

// A machine from parts alone, the way such machines are usually built:
//   cards     straight to the CPU while its lanes last (a server keeps x16 per socket for network and
//   drives); then, on desktop
//             CPUs, narrower slots (x16/x8/x8, x8/x8), and on servers PCIe switches with up to two x16
//             uplinks a socket;
//   modules   (SXM, OAM) behind switches, two a switch up to PCIe 4.0 and one a switch from 5.0 on, as DGX
//   boards are; superchips on their Grace CPU over NVLink-C2C.
// What the composition leaves out takes the commonest value and is written into the machine's notes.
// Everything that a variant could change as well is left to `vary`, so that both mean the same by a field.

namespace rigcast::hardware {
namespace {

bool is_module(const GpuPart& part) { return part.form_factor.find("PCIe") == std::string::npos; }
bool is_superchip(const GpuPart& part) { return part.form_factor == "superchip"; }
// Boards for these CPUs split few lanes over slots instead of using switches.
bool is_desktop(const CpuPart& part) { return part.socket_link.empty() && part.pcie_lanes <= 64; }

struct Host {
  CpuPart cpu;
  int sockets = 1;
};

// The commonest host for `count` such GPUs whose slots are of PCIe `generation`.
const CpuPart* usual_cpu(const Catalogue& catalogue, const GpuPart* gpu, int count, int generation) {
  using Names = std::array<std::string_view, 3>;  // PCIe 3, 4, 5
  static constexpr Names desktop{"core-i7-9700k", "ryzen-5950x", "ryzen-7950x"};
  static constexpr Names workstation{"core-i9-10980xe", "tr-pro-5975wx", "tr-pro-7955wx"};
  static constexpr Names server{"xeon-gold-6148", "epyc-7763", "xeon-platinum-8480+"};
  const bool card = gpu != nullptr && !is_module(*gpu) && gpu->market != "datacenter";
  const Names& names = card && count <= 2 ? desktop : card && count <= 4 ? workstation : server;
  std::string_view id = names[static_cast<std::size_t>(std::clamp(generation, 3, 5) - 3)];
  if (gpu != nullptr && is_superchip(*gpu)) id = "grace-72";
  if (const auto found = catalogue.cpus.find(id); found != catalogue.cpus.end()) return &found->second;
  return catalogue.cpus.empty() ? nullptr : &catalogue.cpus.begin()->second;
}

std::optional<Host> choose_host(Draft& draft, const Composition& composition, const GpuPart* gpu, int count) {
  Host host;
  bool stated = composition.sockets.has_value();
  int sockets = composition.sockets.value_or(0);
  if (composition.cpu) {
    const auto choice = find_cpu(draft.catalogue, *composition.cpu);
    if (!choice) {
      draft.error("cpu", "\"" + *composition.cpu + "\" is no CPU of the catalogue and describes none");
      return std::nullopt;
    }
    host.cpu = choice->part;
    if (!choice->note.empty()) draft.note(choice->note);
    if (!stated && choice->sockets_stated) {
      sockets = choice->sockets;
      stated = true;
    }
  } else {
    int generation = gpu != nullptr ? gpu->pcie_generation : 4;
    for (const auto& wish : {composition.host_link, composition.interconnect})
      if (wish && pcie_generation(*wish) > 0) generation = std::min(generation, pcie_generation(*wish));
    const CpuPart* part = usual_cpu(draft.catalogue, gpu, count, generation);
    if (part == nullptr) {
      draft.error("cpu", "the catalogue has no CPUs");
      return std::nullopt;
    }
    host.cpu = *part;
  }
  const bool pair = !host.cpu.socket_link.empty() && gpu != nullptr && count > 2;
  host.sockets = stated ? sockets : pair ? 2 : 1;
  if (gpu != nullptr && is_superchip(*gpu))
    host.sockets = gpu->id.starts_with("gh") ? count : (count + 1) / 2;
  if (host.sockets < 1 || (host.sockets > 2 && (gpu == nullptr || !is_superchip(*gpu)))) {
    draft.error("sockets", "a machine composed here has one or two sockets");
    return std::nullopt;
  }
  if (host.sockets > 1 && host.cpu.socket_link.empty()) {
    draft.error("sockets", host.cpu.name + " works alone: it has no link to a second socket");
    return std::nullopt;
  }
  if (!composition.cpu || !stated)
    draft.note("host not stated: " + std::to_string(host.sockets) + "x " + host.cpu.name + " assumed");
  return host;
}

Bytes usual_ram(const GpuPart* gpu, int count, const Host& host) {
  constexpr double kGib = 1024.0 * 1024 * 1024;
  const double gpus = gpu != nullptr ? gpu->memory.value * count : 0;
  const auto twice = static_cast<unsigned long long>(std::ceil(2 * gpus / kGib));
  const double wanted =
      static_cast<double>(std::bit_ceil(std::max(twice, is_desktop(host.cpu) ? 32ull : 256ull))) * kGib;
  const double most = host.cpu.max_memory.value * host.sockets;
  return {most > 0 ? std::min(wanted, most) : wanted};
}

void add_host(Draft& draft, const Composition& composition, const Host& host, const GpuPart* gpu, int count) {
  const std::string part = draft.catalogue.cpus.contains(host.cpu.id) ? host.cpu.id : "";
  const Bytes ram = composition.ram.value_or(usual_ram(gpu, count, host));
  if (!composition.ram)
    draft.note("ram not stated: " +
               std::to_string(static_cast<long long>(ram.value / (1024.0 * 1024 * 1024))) + " GiB assumed");
  const std::string memory_link = host.cpu.memory_kind.starts_with("LPDDR") ? "lpddr5x" : "ddr";
  std::vector<DeviceId> cpus;
  for (int socket = 0; socket < host.sockets; ++socket) {
    const std::string n = std::to_string(socket);
    cpus.push_back(draft.add({"cpu" + n, DeviceType::kCpu, part, host.cpu, 1, socket}));
    const DeviceId memory =
        draft.add({"ram" + n, DeviceType::kRam, "",
                   Ram{ram / static_cast<double>(host.sockets), host.cpu.memory_kind}, 1, socket});
    draft.join(cpus.back(), memory, memory_link);
    // Two sockets a board.
    if (socket % 2 == 1)
      draft.join(cpus[cpus.size() - 2], cpus.back(), host.cpu.socket_link, used_socket_links(host.cpu));
  }
}

// Widths of `count` slots on a CPU with few lanes: the widest slot that comes last is halved until all fit.
std::vector<int> slot_widths(int count, int width, int lanes) {
  std::vector<int> widths(static_cast<std::size_t>(count), width);
  for (;;) {
    int sum = 0;
    for (const int each : widths) sum += each;
    if (sum <= lanes) return widths;
    const auto last_widest = std::max_element(widths.rbegin(), widths.rend());
    if (*last_widest <= 4) return {};
    *last_widest /= 2;
  }
}

void on_desktop(Draft& draft, const std::vector<DeviceId>& gpus, const CpuPart& cpu, int width,
                int generation, bool width_stated) {
  const int lanes = cpu.gpu_lanes > 0 ? cpu.gpu_lanes : cpu.pcie_lanes;
  const int count = static_cast<int>(gpus.size());
  const std::vector<int> widths = slot_widths(count, width, lanes);
  if (widths.empty() || (width_stated && widths.back() < width))
    return draft.error(width_stated ? "pcie_lanes" : "count",
                       cpu.name + " has " + std::to_string(lanes) + " lanes for cards: too few for " +
                           std::to_string(count) + " GPUs at x" + std::to_string(width_stated ? width : 4),
                       "name a server CPU");
  const DeviceId host = draft.machine.all(DeviceType::kCpu).front();
  std::string narrowed;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    draft.join(host, gpus[i], pcie_kind(generation), widths[i]);
    narrowed += (i > 0 ? "/x" : "x") + std::to_string(widths[i]);
  }
  if (widths.back() < width) draft.note(cpu.name + " has lanes for slots of " + narrowed + " only");
}

void behind_switches(Draft& draft, DeviceId cpu, const std::vector<DeviceId>& gpus, int uplinks, int width,
                     int generation) {
  const std::string part = pcie_kind(generation) + "-switch";
  SwitchPart figures;
  figures.id = part;
  figures.name = "PCIe switch";
  figures.kind = "pcie_switch";
  if (const auto found = draft.catalogue.switches.find(part); found != draft.catalogue.switches.end())
    figures = found->second;
  std::vector<DeviceId> switches;
  for (int i = 0; i < uplinks; ++i) {
    switches.push_back(draft.add({draft.fresh_id("switch"), DeviceType::kPcieSwitch,
                                  draft.catalogue.switches.contains(part) ? part : "", figures, 1, 0}));
    draft.join(cpu, switches.back(), pcie_kind(generation), 16);
  }
  for (std::size_t i = 0; i < gpus.size(); ++i)
    draft.join(switches[i * switches.size() / gpus.size()], gpus[i], pcie_kind(generation), width);
}

void on_servers(Draft& draft, const std::vector<DeviceId>& gpus, const GpuPart& gpu, int width,
                int generation) {
  const std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  for (std::size_t s = 0; s < cpus.size(); ++s) {
    const auto begin =
        gpus.begin() + static_cast<std::ptrdiff_t>((gpus.size() * s + cpus.size() - 1) / cpus.size());
    const auto end =
        gpus.begin() + static_cast<std::ptrdiff_t>((gpus.size() * (s + 1) + cpus.size() - 1) / cpus.size());
    const std::vector<DeviceId> mine(begin, end);
    const int count = static_cast<int>(mine.size());
    if (count == 0) continue;
    const int lanes = std::max(16, draft.lanes_free(cpus[s]) - 16);
    if (is_module(gpu)) {
      const int wanted = generation >= 5 ? count : (count + 1) / 2;
      behind_switches(draft, cpus[s], mine, std::min(wanted, std::max(1, draft.lanes_free(cpus[s]) / 16)),
                      width, generation);
    } else if (count * width <= lanes) {
      for (const DeviceId id : mine) draft.join(cpus[s], id, pcie_kind(generation), width);
    } else {
      const int uplinks = std::clamp(std::min(lanes / 16, (count + 1) / 2), 1, 2);
      behind_switches(draft, cpus[s], mine, uplinks, width, generation);
      if (s == 0)
        draft.note("PCIe tree assumed: " + std::to_string(uplinks) + " switch" + (uplinks > 1 ? "es" : "") +
                   " a socket, " + std::to_string(count) + " GPUs behind");
    }
  }
}

void on_superchips(Draft& draft, const std::vector<DeviceId>& gpus) {
  const std::vector<DeviceId> cpus = draft.machine.all(DeviceType::kCpu);
  const LinkKind* kind = draft.link_kind("gpu", "nvlink-c2c");
  if (kind == nullptr) return;
  const std::size_t each = (gpus.size() + cpus.size() - 1) / cpus.size();
  LinkFigures figures;
  figures.raw = kind->raw / static_cast<double>(each);  // the GPUs of a CPU share its C2C ports
  for (std::size_t i = 0; i < gpus.size(); ++i)
    draft.machine.links.push_back(make_link(cpus[i / each], gpus[i], *kind, figures));
}

/// An NVLink domain of several trays is one node: `count` GPUs a tray in `nodes` trays become the domain's.
Composition by_domain(Composition composition) {
  const int domain = composition.nvlink_domain_gpus.value_or(0), nodes = composition.nodes.value_or(1);
  const int count = composition.count.value_or(1);
  if (domain <= count || nodes < 2 || count < 1) return composition;
  const int trays = std::min(domain / count, nodes);
  if (trays < 2 || nodes % trays != 0) return composition;
  composition.count = count * trays;
  composition.nodes = nodes / trays;
  composition.sockets.reset();
  return composition;
}

}  // namespace

std::optional<Machine> compose(const Catalogue& catalogue, const Composition& given, const Origin& origin,
                               Diagnostics& diagnostics) {
  const Composition composition = by_domain(given);
  Draft draft(catalogue, Machine{}, origin, diagnostics);
  const bool without = !composition.gpu || *composition.gpu == "none";
  const int count = composition.count.value_or(without ? 0 : 1);
  if (count < 0) draft.error("count", "a machine has 0 or more GPUs");
  if (without && count > 0)
    draft.error("gpu", "which GPU the " + std::to_string(count) + " are is not said", "add \"gpu\"");
  if (without && !composition.cpu) draft.error("", "a machine needs a \"base\", a \"gpu\" or a \"cpu\"");
  if (!draft.ok()) return std::nullopt;
  const GpuPart* gpu = without || count == 0 ? nullptr : draft.gpu_part("gpu", *composition.gpu);
  if (!draft.ok()) return std::nullopt;

  const auto host = choose_host(draft, composition, gpu, count);
  if (!host) return std::nullopt;
  add_host(draft, composition, *host, gpu, count);
  Machine& machine = draft.machine;
  machine.name = gpu != nullptr ? std::to_string(count) + "x " + gpu->id : host->cpu.id;
  machine.title = (gpu != nullptr ? std::to_string(count) + "x " + gpu->name + ", " : "") +
                  std::to_string(host->sockets) + "x " + host->cpu.name;
  machine.provenance.source = "composed from parts";

  Composition rest = composition;
  if (gpu != nullptr) {
    for (int i = 0; i < count; ++i)
      draft.add({"gpu" + std::to_string(i), DeviceType::kGpu, gpu->id, *gpu, 1, 0});
    const std::vector<DeviceId> gpus = draft.gpus();
    const int width = std::min(composition.pcie_lanes.value_or(gpu->pcie_lanes), gpu->pcie_lanes);
    const int generation = std::min(gpu->pcie_generation, host->cpu.pcie_generation);
    if (is_superchip(*gpu))
      on_superchips(draft, gpus);
    else if (is_desktop(host->cpu))
      on_desktop(draft, gpus, host->cpu, width, generation, composition.pcie_lanes.has_value());
    else
      on_servers(draft, gpus, *gpu, width, generation);
    if (!rest.interconnect) rest.interconnect = usual_interconnect(*gpu, count);
    if (*rest.interconnect == "unknown" && draft.ok()) {
      set_interconnect(draft, "unknown", composition.nvlink_domain_gpus.value_or(0));
      rest.interconnect.reset();
    }
    if (draft.ok()) settle_sockets(draft);
  }
  if (!draft.ok()) return std::nullopt;
  rest.gpu.reset();
  rest.count.reset();
  rest.cpu.reset();
  rest.sockets.reset();
  rest.ram.reset();
  rest.pcie_lanes.reset();
  return vary(catalogue, std::move(machine), rest, origin, diagnostics);
}

}  // namespace rigcast::hardware
