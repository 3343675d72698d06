#include "config/parts.h"

#include <array>
#include <string_view>

namespace rigcast::config {

using hardware::CpuPart;
using hardware::GpuPart;
using hardware::LinkKind;
using hardware::StoragePart;
using hardware::SwitchPart;

namespace {

constexpr Need kOptional = Need::kOptional;
constexpr Need kRequired = Need::kRequired;

const std::array<std::string, 6> kLinkClasses = {"pcie",   "gpu-link",    "socket",
                                                 "memory", "storage-bus", "network"};
const std::array<std::string, 3> kMarkets = {"geforce", "workstation", "datacenter"};
const std::array<std::string, 7> kStorageKinds = {"hdd",  "sata-ssd", "sas-ssd", "nvme",
                                                  "raid", "network",  "object"};
const std::array<std::string, 5> kSwitchKinds = {"pcie_switch", "nic", "nvswitch", "network_switch",
                                                 "bridge"};

/// Texts that only a catalogue needs.
Need catalogue_only(Form form) { return form == Form::kCatalogue ? kRequired : kOptional; }

void describe_identity(Fields& f, std::string& id, std::string& name, Form form) {
  if (form == Form::kCatalogue) f.text({"id", kRequired, "what machines name it by"}, id);
  f.text({"name", catalogue_only(form), "what people call it"}, name);
}

void describe_common(Fields& f, hardware::Price& price, hardware::Provenance& provenance, Form form) {
  describe_price(f, price);
  describe_provenance(f, provenance, catalogue_only(form));
}

void describe_peak(Fields& f, hardware::PeakRates& peak) {
  f.quantity({"fp64", kOptional, "vector units"}, peak.fp64);
  f.quantity({"fp64_matrix", kOptional, "matrix units"}, peak.fp64_matrix);
  f.quantity({"fp32", kOptional, "vector units"}, peak.fp32);
  f.quantity({"fp32_matrix", kOptional, "matrix units, full precision"}, peak.fp32_matrix);
  f.quantity({"fp16_vector", kOptional, "vector units"}, peak.fp16_vector);
  f.quantity({"fp16_matrix", kOptional, "matrix units, 32-bit accumulation"}, peak.fp16_matrix);
  f.quantity({"fp16_matrix_fp16_accumulate", kOptional, "matrix units, 16-bit accumulation"},
             peak.fp16_matrix_fp16_accumulate);
  f.quantity({"bf16_matrix", kOptional, "matrix units"}, peak.bf16_matrix);
  f.quantity({"tf32_matrix", kOptional, "matrix units"}, peak.tf32_matrix);
  f.quantity({"fp8_matrix", kOptional, "matrix units"}, peak.fp8_matrix);
  f.quantity({"fp4_matrix", kOptional, "matrix units"}, peak.fp4_matrix);
  f.quantity({"int8_vector", kOptional, "vector units"}, peak.int8_vector);
  f.quantity({"int8_matrix", kOptional, "matrix units"}, peak.int8_matrix);
}

bool any_rate(const hardware::PeakRates& peak) { return peak.fp32.value > 0 || peak.fp16_matrix.value > 0; }

}  // namespace

void describe_price(Fields& f, hardware::Price& price) {
  f.number({"price_usd", kOptional, "US dollars"}, price.usd, kNotNegative);
  f.text({"price_note", kOptional, "kind of price and its date"}, price.note);
}

void describe_provenance(Fields& f, hardware::Provenance& provenance, Need source) {
  f.text({"source", source, "where the figures come from"}, provenance.source);
  f.text({"note", kOptional, "a remark"}, provenance.note);
  f.flag({"doubtful", kOptional, "the figures are not to be relied upon"}, provenance.doubtful);
  f.text({"doubt_reason", kOptional, "why they are doubtful"}, provenance.doubt_reason);
  f.remark({"field_sources", kOptional, "field -> origin, where it is not the source"});
  f.remark({"measured", kOptional, "figures read beside the data sheet; not used"});
}

void describe(Fields& f, GpuPart& part, Form form) {
  const Need always = catalogue_only(form);
  describe_identity(f, part.id, part.name, form);
  f.text({"vendor", always, "maker of the chip"}, part.vendor);
  f.text({"architecture", always, "key of the fitted constants"}, part.architecture);
  f.choice({"market", always, "who it is sold to"}, part.market, kMarkets);
  f.text({"form_factor", always, "card or module"}, part.form_factor);
  f.text({"compute_capability", kOptional, "CUDA compute capability"}, part.compute_capability);
  f.number({"multiprocessors", kRequired, "multiprocessors or compute units"}, part.multiprocessors, kCount);
  f.number({"fp32_lanes", kOptional, "32-bit lanes of a multiprocessor"}, part.fp32_lanes, kCount);
  f.quantity({"base_clock", kOptional, "guaranteed clock"}, part.base_clock);
  f.quantity({"boost_clock", kRequired, "clock of the peak rates"}, part.boost_clock);
  f.object({"peak", kRequired, "dense rates at boost clock, without structured sparsity"},
           any_rate(part.peak), [&](Fields& inner) { describe_peak(inner, part.peak); });
  f.text({"memory_kind", always, "HBM2, GDDR6, ..."}, part.memory_kind);
  f.quantity({"memory", kRequired, "capacity"}, part.memory);
  f.quantity({"memory_bandwidth", kRequired, "peak"}, part.memory_bandwidth);
  f.quantity({"l2", kOptional, "last-level cache"}, part.l2);
  f.quantity({"shared_memory", kOptional, "of a multiprocessor"}, part.shared_memory);
  f.number({"pcie_generation", kRequired, "of its slot connector"}, part.pcie_generation, kIndex);
  f.number({"pcie_lanes", kRequired, "of its slot connector"}, part.pcie_lanes, kIndex);
  f.object({"peer_links", kOptional, "links to other GPUs"}, part.peer_links.has_value(), [&](Fields& inner) {
    hardware::PeerLinks links = part.peer_links.value_or(hardware::PeerLinks{});
    inner.text({"kind", kRequired, "id of a link kind"}, links.kind);
    inner.number({"count", kRequired, "links of one GPU"}, links.count, kCount);
    inner.flag({"bridge_only", kOptional, "bridged to few others, never to a switch"}, links.bridge_only);
    if (inner.reading()) part.peer_links = links;
  });
  f.flag({"peer_access_over_pcie", always, "peer-to-peer over PCIe with the stock driver"},
         part.peer_access_over_pcie);
  f.number({"copy_engines", kOptional, "copies that run at once"}, part.copy_engines, kCount);
  f.number({"power_w", always, "board power limit"}, part.power_w, kPositive);
  f.text({"launch", kOptional, "date or year of launch"}, part.launch);
  describe_common(f, part.price, part.provenance, form);
}

void describe(Fields& f, CpuPart& part, Form form) {
  const Need always = catalogue_only(form);
  describe_identity(f, part.id, part.name, form);
  f.text({"vendor", always, "maker of the chip"}, part.vendor);
  f.text({"generation", always, "key of the fitted constants"}, part.generation);
  f.number({"cores", kRequired, "of one socket"}, part.cores, kCount);
  f.number({"threads", kRequired, "of one socket"}, part.threads, kCount);
  f.quantity({"base_clock", kOptional, "guaranteed clock"}, part.base_clock);
  f.quantity({"turbo_clock", kRequired, "clock of one busy core"}, part.turbo_clock);
  f.text({"vector_units", always, "instruction set and units of a core"}, part.vector_units);
  f.number({"vector_bits", always, "width of a vector unit"}, part.vector_bits, kCount);
  f.number({"fma_units", always, "multiply-add units of a core"}, part.fma_units, kCount);
  f.text({"memory_kind", always, "DDR4, ..."}, part.memory_kind);
  f.number({"memory_channels", always, "of one socket"}, part.memory_channels, kCount);
  f.quantity({"memory_bandwidth", kRequired, "peak of one socket"}, part.memory_bandwidth);
  f.quantity({"max_memory", always, "of one socket"}, part.max_memory);
  f.number({"pcie_generation", kRequired, "of its lanes"}, part.pcie_generation, kIndex);
  f.number({"pcie_lanes", kRequired, "of one socket"}, part.pcie_lanes, kIndex);
  f.number({"gpu_lanes", kOptional, "of these, for expansion cards"}, part.gpu_lanes, kCount);
  f.text({"socket_link", kOptional, "id of a link kind"}, part.socket_link);
  f.number({"socket_links", kOptional, "how many"}, part.socket_links, kCount);
  f.number({"power_w", kOptional, "thermal design power"}, part.power_w, kPositive);
  f.text({"launch", kOptional, "date or year of launch"}, part.launch);
  describe_common(f, part.price, part.provenance, form);
}

void describe(Fields& f, LinkKind& kind, Form form) {
  describe_identity(f, kind.id, kind.name, form);
  std::string link_class(kLinkClasses[static_cast<std::size_t>(kind.link_class)]);
  f.choice({"class", kRequired, "what it is for"}, link_class, kLinkClasses);
  for (std::size_t i = 0; i < kLinkClasses.size(); ++i)
    if (kLinkClasses[i] == link_class) kind.link_class = static_cast<hardware::LinkClass>(i);
  f.number({"generation", kOptional, "of PCIe or NVLink"}, kind.generation, kCount);
  f.quantity({"raw", kRequired, "signalling rate less line coding, one direction"}, kind.raw);
  f.quantity({"achievable", kRequired, "what large transfers reach, one direction"}, kind.achievable);
  f.quantity({"peer_achievable", kOptional, "what PCIe traffic between GPUs reaches across sockets"},
             kind.peer_achievable);
  f.quantity({"latency", kRequired, "of one hop"}, kind.latency);
  f.flag({"half_duplex", kOptional, "both directions share the rate"}, kind.half_duplex);
  describe_common(f, kind.price, kind.provenance, form);
}

void describe(Fields& f, StoragePart& part, Form form) {
  describe_identity(f, part.id, part.name, form);
  f.choice({"kind", kRequired, "what it is made of"}, part.kind, kStorageKinds);
  f.text({"interface", kOptional, "id of a link kind"}, part.interface);
  f.number({"interface_count", kOptional, "links of it"}, part.interface_count, kCount);
  f.quantity({"capacity", kOptional, "of one device"}, part.capacity);
  f.quantity({"sequential_read", kRequired, "large blocks"}, part.sequential_read);
  f.quantity({"sequential_write", kOptional, "large blocks"}, part.sequential_write);
  f.quantity({"sustained_write", kOptional, "beyond the write cache"}, part.sustained_write);
  f.number({"random_read_iops", kOptional, "4 KiB, deep queue"}, part.random_read_iops, kPositive);
  f.number({"random_write_iops", kOptional, "4 KiB, deep queue"}, part.random_write_iops, kPositive);
  f.quantity({"read_latency", kOptional, "of one small read"}, part.read_latency);
  f.quantity({"service_limit", kOptional, "what all clients of network storage share"}, part.service_limit);
  if (f.reading() && part.sustained_write.value == 0) part.sustained_write = part.sequential_write;
  describe_common(f, part.price, part.provenance, form);
}

void describe(Fields& f, SwitchPart& part, Form form) {
  describe_identity(f, part.id, part.name, form);
  f.choice({"kind", catalogue_only(form), "what it forwards"}, part.kind, kSwitchKinds);
  f.number({"lanes", kOptional, "PCIe lanes"}, part.lanes, kCount);
  f.quantity({"latency", kOptional, "through the device"}, part.latency);
  f.number({"ports", kOptional, "network or NVLink ports"}, part.ports, kCount);
  f.text({"port_link", kOptional, "id of the link kind of its ports"}, part.port_link);
  f.quantity({"port_bandwidth", kOptional, "of one port, one direction"}, part.port_bandwidth);
  f.quantity({"port_achievable", kOptional, "of one port, one direction"}, part.port_achievable);
  f.quantity({"port_latency", kOptional, "of one port"}, part.port_latency);
  f.flag({"in_network_reduction", kOptional, "reduces inside the switch"}, part.in_network_reduction);
  describe_common(f, part.price, part.provenance, form);
}

}  // namespace rigcast::config
