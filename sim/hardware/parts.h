#pragma once

/// Parts of the catalogue: what one can buy, with the figures of data sheets and their sources. What parts
/// reach in practice (efficiencies, latencies) is in profile.h.

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace rigcast::hardware {

/// A dated price; nothing when not known.
struct Price {
  std::optional<double> usd;
  std::string note;  ///< "MSRP 2020-09-17", "stated assumption 2026-11"
};

/// Where figures come from and how far to trust them. Every part has one.
struct Provenance {
  std::string source;
  std::string note;
  bool doubtful = false;
  std::string doubt_reason;
};

/// Dense peak rates at boost clock, without structured sparsity; 0 when the part cannot. Multiply-add counts
/// as two.
struct PeakRates {
  FlopsPerSecond fp64, fp64_matrix;
  FlopsPerSecond fp32, fp32_matrix;
  FlopsPerSecond fp16_vector;
  FlopsPerSecond fp16_matrix;  ///< with 32-bit accumulation, which training uses (half rate on GeForce)
  FlopsPerSecond fp16_matrix_fp16_accumulate;
  FlopsPerSecond bf16_matrix, tf32_matrix, fp8_matrix, fp4_matrix;
  FlopsPerSecond int8_vector, int8_matrix;
};

/// Links of one GPU to its peers (NVLink, xGMI), per direction.
struct PeerLinks {
  std::string kind;  ///< link kind of the catalogue: "nvlink2"
  int count = 0;
  bool bridge_only = false;  ///< a card that reaches one peer over a bridge, never a switch or mesh
};

struct GpuPart {
  std::string id, name, vendor;
  std::string architecture;  ///< "volta": the key of fitted constants
  std::string market;        ///< "geforce", "workstation", "datacenter"
  std::string form_factor;
  std::string compute_capability;
  int multiprocessors = 0;  ///< SMs, or compute units
  int fp32_lanes = 0;       ///< per multiprocessor
  Hertz base_clock, boost_clock;
  PeakRates peak;
  std::string memory_kind;  ///< "HBM2"
  Bytes memory;
  BytesPerSecond memory_bandwidth;
  Bytes l2;             ///< last-level cache
  Bytes shared_memory;  ///< per multiprocessor
  int pcie_generation = 0, pcie_lanes = 0;
  std::optional<PeerLinks> peer_links;
  bool peer_access_over_pcie = false;  ///< without a modified driver
  int copy_engines = 0;
  double power_w = 0;
  std::string launch;  ///< ISO date, or year
  Price price;
  Provenance provenance;
};

struct CpuPart {
  std::string id, name, vendor, generation;
  int cores = 0, threads = 0;
  Hertz base_clock, turbo_clock;
  std::string vector_units;  ///< "AVX2 2 FMA"
  int vector_bits = 0, fma_units = 0;
  std::string memory_kind;
  int memory_channels = 0;
  BytesPerSecond memory_bandwidth;  ///< per socket, peak
  Bytes max_memory;
  int pcie_generation = 0, pcie_lanes = 0;
  int gpu_lanes = 0;        ///< of pcie_lanes, those for expansion cards; 0: all
  std::string socket_link;  ///< link kind; "" for one-socket parts
  int socket_links = 0;
  double power_w = 0;
  std::string launch;
  Price price;
  Provenance provenance;
};

/// What a link is for, so that routing and reports need not read names.
enum class LinkClass { kPcie, kGpuLink, kSocket, kMemory, kStorageBus, kNetwork };

/// One lane (PCIe) or one link (everything else), per direction.
struct LinkKind {
  std::string id, name;
  LinkClass link_class = LinkClass::kPcie;
  int generation = 0;              ///< PCIe, NVLink
  BytesPerSecond raw;              ///< signalling rate less line coding
  BytesPerSecond achievable;       ///< what large transfers reach
  BytesPerSecond peer_achievable;  ///< socket links: what PCIe traffic between GPUs reaches; 0: as achievable
  Seconds latency;
  bool half_duplex = false;  ///< both directions share one rate
  Price price;
  Provenance provenance;
};

struct StoragePart {
  std::string id, name, kind;  ///< kind: hdd, sata-ssd, sas-ssd, nvme, raid, network, object
  std::string interface;       ///< link kind it sits on, where known
  int interface_count = 1;     ///< links of it
  Bytes capacity;
  BytesPerSecond sequential_read, sequential_write;
  BytesPerSecond sustained_write;  ///< beyond the cache of consumer drives; equals sequential_write otherwise
  double random_read_iops = 0, random_write_iops = 0;  ///< 4 KiB, deep queue
  Seconds read_latency;
  BytesPerSecond service_limit;  ///< network storage: what all its clients share; 0: not known
  Price price;
  Provenance provenance;
};

/// PCIe switches, NICs, network switches, chipsets and adapters: what only forwards.
struct SwitchPart {
  std::string id, name, kind;  ///< kind: pcie_switch, nic, nvswitch, network_switch, bridge
  int lanes = 0;
  Seconds latency;
  int ports = 0;
  std::string port_link;          ///< link kind its ports speak: "ib-edr"; "" for what has no ports
  BytesPerSecond port_bandwidth;  ///< raw, of one port, per direction
  BytesPerSecond port_achievable;
  Seconds port_latency;
  bool in_network_reduction = false;
  Price price;
  Provenance provenance;
};

}  // namespace rigcast::hardware
