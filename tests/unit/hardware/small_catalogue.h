#pragma once

/// A few parts with round figures, so that expected values can be worked out in the head.

#include <string>

#include "hardware/catalogue.h"
#include "hardware/link.h"
#include "hardware/machine.h"

namespace rigcast::hardware::test {

constexpr double kGiB = 1024.0 * 1024 * 1024;

inline void add_link(Catalogue& catalogue, const std::string& id, LinkClass link_class, int generation,
                     double raw, double achievable, double latency, double peer = 0,
                     bool half_duplex = false) {
  LinkKind kind;
  kind.id = kind.name = id;
  kind.link_class = link_class;
  kind.generation = generation;
  kind.raw = {raw};
  kind.achievable = {achievable};
  kind.peer_achievable = {peer};
  kind.latency = {latency};
  kind.half_duplex = half_duplex;
  catalogue.links[id] = kind;
}

inline GpuPart& add_gpu(Catalogue& catalogue, const std::string& id, const std::string& market,
                        const std::string& form_factor, int generation, bool peer_access) {
  GpuPart part;
  part.id = part.name = id;
  part.market = market;
  part.form_factor = form_factor;
  part.multiprocessors = 80;
  part.boost_clock = {1e9};
  part.peak.fp32 = {10e12};
  part.memory = {16 * kGiB};
  part.memory_bandwidth = {900e9};
  part.pcie_generation = generation;
  part.pcie_lanes = 16;
  part.peer_access_over_pcie = peer_access;
  part.power_w = 300;
  return catalogue.gpus[id] = part;
}

inline CpuPart& add_cpu(Catalogue& catalogue, const std::string& id, const std::string& name, int cores,
                        double clock, int generation, int lanes, const std::string& socket_link,
                        int socket_links) {
  CpuPart part;
  part.id = id;
  part.name = name;
  part.cores = cores;
  part.threads = 2 * cores;
  part.base_clock = {clock};
  part.turbo_clock = {clock * 1.5};
  part.memory_kind = "DDR4";
  part.memory_bandwidth = {100e9};
  part.max_memory = {1024 * kGiB};
  part.pcie_generation = generation;
  part.pcie_lanes = lanes;
  part.socket_link = socket_link;
  part.socket_links = socket_links;
  return catalogue.cpus[id] = part;
}

inline void add_switch(Catalogue& catalogue, const std::string& id, const std::string& kind, int ports,
                       const std::string& port_link) {
  SwitchPart part;
  part.id = part.name = id;
  part.kind = kind;
  part.ports = ports;
  part.port_link = port_link;
  part.latency = {1e-7};
  catalogue.switches[id] = part;
}

/// PCIe: 1 GB/s a lane and generation raw, 0.8 of it achievable. NVLink 2 and 3: 25 raw, 20 achievable.
inline Catalogue small_catalogue() {
  Catalogue catalogue;
  for (int generation = 1; generation <= 5; ++generation)
    add_link(catalogue, "pcie" + std::to_string(generation), LinkClass::kPcie, generation, generation * 1e9,
             generation * 0.8e9, 1e-6);
  for (int generation = 2; generation <= 3; ++generation)
    add_link(catalogue, "nvlink" + std::to_string(generation), LinkClass::kGpuLink, generation, 25e9, 20e9,
             5e-7);
  add_link(catalogue, "xgmi-gpu", LinkClass::kGpuLink, 0, 64e9, 50e9, 5e-7);
  add_link(catalogue, "upi", LinkClass::kSocket, 0, 20e9, 15e9, 6e-8, 3e9);
  add_link(catalogue, "ddr", LinkClass::kMemory, 0, 10e9, 8e9, 9e-8, 0, true);
  add_link(catalogue, "sata3", LinkClass::kStorageBus, 0, 0.6e9, 0.5e9, 5e-6, 0, true);
  add_link(catalogue, "eth10", LinkClass::kNetwork, 0, 1.25e9, 1.1e9, 1e-5);
  add_link(catalogue, "ib-edr", LinkClass::kNetwork, 0, 12.5e9, 12e9, 1e-6);
  add_link(catalogue, "ib-hdr", LinkClass::kNetwork, 0, 25e9, 24e9, 1e-6);
  add_link(catalogue, "roce100", LinkClass::kNetwork, 0, 12.5e9, 12e9, 2e-6);

  add_gpu(catalogue, "card", "workstation", "PCIe card", 3, true).peer_links = PeerLinks{"nvlink2", 2, true};
  add_gpu(catalogue, "plain", "datacenter", "PCIe card", 4, true);
  add_gpu(catalogue, "gaming", "geforce", "PCIe card", 4, false);
  add_gpu(catalogue, "old-gaming", "geforce", "PCIe card", 3, true);
  add_gpu(catalogue, "module", "datacenter", "SXM2", 3, true).peer_links = PeerLinks{"nvlink2", 6, false};
  add_gpu(catalogue, "module3", "datacenter", "SXM4", 4, true).peer_links = PeerLinks{"nvlink3", 12, false};
  add_gpu(catalogue, "oam", "datacenter", "OAM", 5, true).peer_links = PeerLinks{"xgmi-gpu", 7, false};

  add_cpu(catalogue, "xeon-gold-6148", "Intel Xeon Gold 6148 Processor", 20, 2.4e9, 3, 48, "upi", 3);
  add_cpu(catalogue, "xeon-gold-6248", "Intel Xeon Gold 6248 Processor", 20, 2.5e9, 3, 48, "upi", 3);
  add_cpu(catalogue, "xeon-platinum-8480+", "Intel Xeon Platinum 8480+ Processor", 56, 2.0e9, 5, 80, "upi",
          4);
  add_cpu(catalogue, "xeon-e5-2698v4", "Intel Xeon Processor E5-2698 v4", 20, 2.2e9, 3, 40, "upi", 2);
  add_cpu(catalogue, "epyc-7502", "EPYC 7502", 32, 2.5e9, 4, 128, "upi", 3);
  add_cpu(catalogue, "epyc-7763", "EPYC 7763", 64, 2.45e9, 4, 128, "upi", 3);
  add_cpu(catalogue, "core-i7-9700k", "Intel Core i7-9700K Processor", 8, 3.6e9, 3, 16, "", 0).gpu_lanes = 16;
  add_cpu(catalogue, "ryzen-5950x", "Ryzen 9 5950X", 16, 3.4e9, 4, 24, "", 0).gpu_lanes = 16;

  add_switch(catalogue, "pcie3-switch", "pcie_switch", 0, "");
  add_switch(catalogue, "nvswitch1", "nvswitch", 18, "nvlink2");
  add_switch(catalogue, "nvswitch2", "nvswitch", 36, "nvlink3");
  add_switch(catalogue, "nic-edr", "nic", 1, "ib-edr");

  StoragePart drive;
  drive.id = drive.name = "drive";
  drive.kind = "nvme";
  drive.interface = "nvme-gen3x4";
  drive.sequential_read = {3e9};
  catalogue.storage["drive"] = drive;
  drive.id = drive.name = "nas";
  drive.kind = "network";
  drive.interface = "eth10";
  catalogue.storage["nas"] = drive;
  return catalogue;
}

/// Machines from short sentences: device("gpu0", part) and link("cpu0", "gpu0", "pcie3", 16).
struct Builder {
  Catalogue catalogue = small_catalogue();
  Machine machine;

  Builder& cpu(const std::string& id, const std::string& part = "xeon-gold-6148", int numa = 0) {
    machine.devices.push_back({id, DeviceType::kCpu, part, catalogue.cpus.at(part), 1, numa});
    return *this;
  }
  Builder& ram(const std::string& id, int numa = 0) {
    machine.devices.push_back({id, DeviceType::kRam, "", Ram{{64 * kGiB}, "DDR4"}, 1, numa});
    return *this;
  }
  Builder& gpu(const std::string& id, const std::string& part, int numa = 0) {
    machine.devices.push_back({id, DeviceType::kGpu, part, catalogue.gpus.at(part), 1, numa});
    return *this;
  }
  Builder& other(const std::string& id, DeviceType type, const std::string& part) {
    machine.devices.push_back({id, type, part, catalogue.switches.at(part), 1, 0});
    return *this;
  }
  Builder& link(const std::string& from, const std::string& to, const std::string& kind, int count = 1) {
    machine.links.push_back(
        make_link(machine.find(from), machine.find(to), catalogue.links.at(kind), {count, {}, {}, {}}));
    return *this;
  }
};

/// Two sockets with a memory each.
inline Builder two_sockets() {
  Builder builder;
  builder.cpu("cpu0").cpu("cpu1", "xeon-gold-6148", 1).ram("ram0").ram("ram1", 1);
  builder.link("cpu0", "ram0", "ddr").link("cpu1", "ram1", "ddr").link("cpu0", "cpu1", "upi", 3);
  return builder;
}

}  // namespace rigcast::hardware::test
