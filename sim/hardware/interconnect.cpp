#include "hardware/interconnect.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "hardware/link.h"

// Shapes of links between GPUs.
//   bridge      pairs (0,1), (2,3), ... of cards that have a connector for one; every link of the card goes
//   to its peer. mesh        up to four (or as many as the part has links for): every pair, links shared out
//   evenly. Eight NVLink
//               modules: the hybrid cube mesh, two fully joined quads and an edge between opposite corners;
//               the link counts below are read from `nvidia-smi topo -m` of a DGX-1 (NVIDIA/nccl,
//               microsoft/taccl topo-ndv2): six links on V100; four on P100, one to each of the quad and one
//               across. Parts with more links multiply the six.
//   nvswitch    planes: each GPU spreads its links over all switches. As many switches as boards have (6, 6,
//   4, 2 for
//               generations 1 to 4), more when their ports do not suffice (18 in a rack of 72).
//   xgmi        every pair where the part has links enough, else a ring with chords.

namespace rigcast::hardware {
namespace {

constexpr std::array<std::array<int, 8>, 8> kCubeMesh{{{0, 1, 1, 2, 2, 0, 0, 0},
                                                       {1, 0, 2, 1, 0, 2, 0, 0},
                                                       {1, 2, 0, 2, 0, 0, 1, 0},
                                                       {2, 1, 2, 0, 0, 0, 0, 1},
                                                       {2, 0, 0, 0, 0, 1, 1, 2},
                                                       {0, 2, 0, 0, 1, 0, 2, 1},
                                                       {0, 0, 1, 0, 1, 2, 0, 2},
                                                       {0, 0, 0, 1, 2, 1, 2, 0}}};

const GpuPart& first_part(const Draft& draft) { return draft.device(draft.gpus().front()).gpu(); }

void join_pair(Draft& draft, DeviceId a, DeviceId b, const PeerLinks& links, int count) {
  if (count > 0) draft.join(a, b, links.kind, count);
}

void bridge(Draft& draft) {
  const GpuPart& part = first_part(draft);
  if (!part.peer_links || !part.peer_links->bridge_only) {
    draft.error("interconnect", part.name + " has no bridge connector",
                part.peer_links ? "say \"nvlink-mesh\" or \"nvswitch\""
                                : "say \"pcie" + std::to_string(part.pcie_generation) + "\"");
    return;
  }
  const PeerLinks links = *part.peer_links;
  const std::vector<DeviceId> gpus = draft.gpus();
  for (std::size_t i = 0; i + 1 < gpus.size(); i += 2)
    join_pair(draft, gpus[i], gpus[i + 1], links, links.count);
  if (gpus.size() % 2 == 1) draft.note("an odd number of GPUs: the last has no bridge");
}

void full_mesh(Draft& draft, const PeerLinks& links, int each) {
  const std::vector<DeviceId> gpus = draft.gpus();
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = i + 1; j < gpus.size(); ++j) join_pair(draft, gpus[i], gpus[j], links, each);
}

void mesh(Draft& draft) {
  const GpuPart& part = first_part(draft);
  const int count = static_cast<int>(draft.gpus().size());
  if (!part.peer_links || part.peer_links->bridge_only) {
    draft.error("interconnect", part.name + " has no links for a mesh",
                part.peer_links ? "say \"nvlink-bridge\"" : "");
    return;
  }
  const PeerLinks links = *part.peer_links;
  const bool nvlink = links.kind.starts_with("nvlink");
  if (count > 4 && count <= 8 && nvlink && links.count >= 4) {
    const std::vector<DeviceId> gpus = draft.gpus();
    for (std::size_t i = 0; i < gpus.size(); ++i)
      for (std::size_t j = i + 1; j < gpus.size(); ++j) {
        const int six = kCubeMesh[i][j];
        join_pair(draft, gpus[i], gpus[j], links,
                  links.count >= 6 ? six * (links.count / 6) : std::min(six, 1));
      }
    return;
  }
  const int each = links.count / std::max(1, count - 1);
  if (each < 1) {
    draft.error("interconnect",
                "a mesh of " + std::to_string(count) + " " + part.name + " needs " +
                    std::to_string(count - 1) + " links each, the part has " + std::to_string(links.count),
                "say \"nvswitch\"");
    return;
  }
  full_mesh(draft, links, each);
}

const SwitchPart* switch_for(const Catalogue& catalogue, const std::string& link_kind) {
  for (const auto& [id, part] : catalogue.switches)
    if (part.kind == "nvswitch" && part.port_link == link_kind) return &part;
  return nullptr;
}

// Shares `total` links over `planes` switches: 18 over 4 is 5, 4, 5, 4.
int share(int total, int planes, int plane) { return total * (plane + 1) / planes - total * plane / planes; }

void planes(Draft& draft, const std::vector<DeviceId>& gpus, const PeerLinks& links, const SwitchPart& part) {
  static constexpr std::array usual{6, 6, 6, 4, 2};
  const LinkKind* kind = draft.link_kind("interconnect", links.kind);
  if (kind == nullptr) return;
  const int generation = std::clamp(kind->generation - 1, 0, 4);
  int count = std::min(usual[static_cast<std::size_t>(generation)], links.count);
  const auto ports_needed = [&](int switches) {
    return (links.count + switches - 1) / switches * static_cast<int>(gpus.size());
  };
  while (count < links.count && part.ports > 0 && ports_needed(count) > part.ports) ++count;
  for (int plane = 0; plane < count; ++plane) {
    const DeviceId id = draft.add({draft.fresh_id("nvs"), DeviceType::kNvSwitch, part.id, part, 1, 0});
    for (const DeviceId gpu : gpus) draft.join(gpu, id, links.kind, share(links.count, count, plane));
  }
}

void nvswitch(Draft& draft, int domain) {
  const GpuPart& gpu = first_part(draft);
  const SwitchPart* part = gpu.peer_links && !gpu.peer_links->bridge_only
                               ? switch_for(draft.catalogue, gpu.peer_links->kind)
                               : nullptr;
  if (part == nullptr) {
    draft.error("interconnect", gpu.name + " does not work with NVSwitches");
    return;
  }
  const PeerLinks links = *gpu.peer_links;
  const SwitchPart chosen = *part;
  const std::vector<DeviceId> gpus = draft.gpus();
  const std::size_t group = domain > 0 ? static_cast<std::size_t>(domain) : gpus.size();
  for (std::size_t first = 0; first < gpus.size(); first += group) {
    const auto begin = gpus.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = gpus.begin() + static_cast<std::ptrdiff_t>(std::min(first + group, gpus.size()));
    planes(draft, {begin, end}, links, chosen);
  }
}

void xgmi(Draft& draft) {
  const GpuPart& part = first_part(draft);
  const std::vector<DeviceId> gpus = draft.gpus();
  if (!part.peer_links || part.peer_links->kind.starts_with("nvlink")) {
    draft.error("interconnect", part.name + " has no Infinity Fabric links");
    return;
  }
  const PeerLinks links = *part.peer_links;
  const int count = static_cast<int>(gpus.size());
  if (links.count >= count - 1) return full_mesh(draft, links, links.count / std::max(1, count - 1));
  draft.note("fewer links than peers: the GPUs are joined in a ring with chords");
  for (int step = 1; step <= links.count / 2; ++step)
    for (int i = 0; i < count; ++i)
      join_pair(draft, gpus[static_cast<std::size_t>(i)], gpus[static_cast<std::size_t>((i + step) % count)],
                links, 1);
}

void set_host_generation(Draft& draft, int generation) {
  for (Link& link : draft.machine.links)
    if (pcie_generation(link.kind) > 0 &&
        (draft.is(link.from, DeviceType::kGpu) || draft.is(link.to, DeviceType::kGpu) ||
         draft.between(link, DeviceType::kCpu, DeviceType::kPcieSwitch) ||
         draft.between(link, DeviceType::kPcieSwitch, DeviceType::kPcieSwitch)))
      set_pcie(draft, link, generation, link.count);
}

}  // namespace

void remove_peer_links(Draft& draft) {
  draft.erase_links([&](const Link& link) { return draft.is_peer_link(link); });
  draft.erase_devices([](const Device& device) { return device.type == DeviceType::kNvSwitch; });
}

std::string usual_interconnect(const GpuPart& part, int count) {
  if (count < 2 || !part.peer_links || part.peer_links->bridge_only) return "none";
  const std::string& kind = part.peer_links->kind;
  if (kind.starts_with("xgmi")) return "xgmi";
  if (!kind.starts_with("nvlink")) return "nvlink-mesh";
  if (part.form_factor == "SXM3" || kind == "nvlink4" || kind == "nvlink5") return "nvswitch";
  if (kind == "nvlink3") return count <= 4 ? "nvlink-mesh" : "nvswitch";
  return count <= 8 ? "nvlink-mesh" : "nvswitch";
}

void set_interconnect(Draft& draft, const std::string& name, int domain) {
  if (draft.gpus().empty()) {
    if (name != "none" && name != "unknown") draft.error("interconnect", "the machine has no GPUs to join");
    return;
  }
  if (name == "unknown") {
    const std::string usual = usual_interconnect(first_part(draft), static_cast<int>(draft.gpus().size()));
    draft.note("interconnect is not known: " + (usual == "none" ? "PCIe only" : usual) + " assumed");
    if (usual != "none") set_interconnect(draft, usual, domain);
    return;
  }
  remove_peer_links(draft);
  if (name == "none") return;
  if (name == "pcie?") {
    draft.note("the PCIe generation is not stated: that of CPU and GPUs assumed");
  } else if (const int generation = pcie_generation(name); generation > 0) {
    set_host_generation(draft, generation);
  } else if (draft.gpus().size() < 2) {
    return;  // nothing to join
  } else if (name == "nvlink-bridge") {
    bridge(draft);
  } else if (name == "nvlink-mesh") {
    mesh(draft);
  } else if (name == "nvswitch") {
    nvswitch(draft, domain);
  } else if (name == "xgmi") {
    xgmi(draft);
  } else {
    draft.error(
        "interconnect",
        "\"" + name +
            "\" is no interconnect: expected pcie1..pcie6, pcie?, nvlink-bridge, nvlink-mesh, nvswitch, "
            "xgmi, none or unknown");
  }
}

void refit_peer_links(Draft& draft, const GpuPart& before, const GpuPart& after) {
  const bool same_sort = before.peer_links && after.peer_links &&
                         before.peer_links->bridge_only == after.peer_links->bridge_only &&
                         before.peer_links->kind.substr(0, 4) == after.peer_links->kind.substr(0, 4);
  const bool any = std::any_of(draft.machine.links.begin(), draft.machine.links.end(),
                               [&](const Link& link) { return draft.is_peer_link(link); });
  if (!any) return;
  if (!same_sort) {
    remove_peer_links(draft);
    draft.note(after.name +
               " does not fit the links between the GPUs of this machine: they are joined over PCIe");
    return;
  }
  if (!draft.machine.all(DeviceType::kNvSwitch).empty()) {
    if (before.peer_links->kind == after.peer_links->kind &&
        before.peer_links->count == after.peer_links->count)
      return;
    remove_peer_links(draft);
    return nvswitch(draft, 0);
  }
  const LinkKind* kind = draft.link_kind("gpu", after.peer_links->kind);
  if (kind == nullptr) return;
  const int had = before.peer_links->count, has = after.peer_links->count;
  for (Link& link : draft.machine.links)
    if (draft.is_peer_link(link)) apply(link, *kind, {std::max(1, link.count * has / had), {}, {}, {}});
}

}  // namespace rigcast::hardware
