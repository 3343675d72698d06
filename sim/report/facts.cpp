#include "report/facts.h"

#include <optional>

#include "base/text.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

using namespace hardware;

FactValue known(double value) { return value > 0 ? FactValue(value) : FactValue(); }
FactValue known(std::optional<double> value) { return value ? FactValue(*value) : FactValue(); }
FactValue known(const std::string& text) { return text.empty() ? FactValue() : FactValue(text); }

Facts head(const std::string& name, const std::string& title, const Provenance& provenance) {
  return {{"name", "name", name, ""},
          {"title", "title", title.empty() ? name : title, ""},
          {"source", "source", known(provenance.source), ""}};
}

/// Price, note and doubt stand last.
void tail(Facts& facts, const Price& price, const Provenance& provenance) {
  facts.push_back({"price_usd", "price", known(price.usd), "USD"});
  facts.push_back({"price_note", "price note", known(price.note), ""});
  facts.push_back({"note", "note", known(provenance.note), ""});
  if (provenance.doubtful) facts.push_back({"doubt", "doubtful", known(provenance.doubt_reason), ""});
}

void append(Facts& facts, Facts more) { facts.insert(facts.end(), more.begin(), more.end()); }

}  // namespace

Facts facts(const GpuPart& part) {
  Facts list = head(part.id, part.name, part.provenance);
  append(list,
         {{"vendor", "vendor", known(part.vendor), ""},
          {"architecture", "architecture", known(part.architecture), ""},
          {"market", "market", known(part.market), ""},
          {"form_factor", "form factor", known(part.form_factor), ""},
          {"launch", "launch", known(part.launch), ""},
          {"memory_bytes", "memory", known(part.memory.value), "GiB"},
          {"memory_kind", "memory kind", known(part.memory_kind), ""},
          {"memory_Bps", "memory bandwidth", known(part.memory_bandwidth.value), "B/s"},
          {"l2_bytes", "last-level cache", known(part.l2.value), "GiB"},
          {"multiprocessors", "multiprocessors", known(part.multiprocessors), ""},
          {"boost_clock_hz", "boost clock", known(part.boost_clock.value), "Hz"},
          {"fp64_flops", "fp64", known(part.peak.fp64.value), "FLOP/s"},
          {"fp32_flops", "fp32", known(part.peak.fp32.value), "FLOP/s"},
          {"tf32_matrix_flops", "tf32 matrix", known(part.peak.tf32_matrix.value), "FLOP/s"},
          {"fp16_matrix_flops", "fp16 matrix", known(part.peak.fp16_matrix.value), "FLOP/s"},
          {"bf16_matrix_flops", "bf16 matrix", known(part.peak.bf16_matrix.value), "FLOP/s"},
          {"fp8_matrix_flops", "fp8 matrix", known(part.peak.fp8_matrix.value), "FLOP/s"},
          {"int8_matrix_ops", "int8 matrix", known(part.peak.int8_matrix.value), "OP/s"},
          {"pcie_generation", "PCIe generation", known(part.pcie_generation), ""},
          {"pcie_lanes", "PCIe lanes", known(part.pcie_lanes), ""},
          {"peer_link", "link to peers", part.peer_links ? known(part.peer_links->kind) : FactValue(), ""},
          {"peer_links", "links to peers", part.peer_links ? known(part.peer_links->count) : FactValue(), ""},
          {"p2p_over_pcie", "peer-to-peer over PCIe", part.peer_access_over_pcie, ""},
          {"power_w", "power", known(part.power_w), "W"}});
  tail(list, part.price, part.provenance);
  return list;
}

Facts facts(const CpuPart& part) {
  Facts list = head(part.id, part.name, part.provenance);
  append(list, {{"vendor", "vendor", known(part.vendor), ""},
                {"generation", "generation", known(part.generation), ""},
                {"launch", "launch", known(part.launch), ""},
                {"cores", "cores", known(part.cores), ""},
                {"threads", "threads", known(part.threads), ""},
                {"base_clock_hz", "base clock", known(part.base_clock.value), "Hz"},
                {"turbo_clock_hz", "turbo clock", known(part.turbo_clock.value), "Hz"},
                {"vector_units", "vector units", known(part.vector_units), ""},
                {"memory_kind", "memory kind", known(part.memory_kind), ""},
                {"memory_channels", "memory channels", known(part.memory_channels), ""},
                {"memory_Bps", "memory bandwidth", known(part.memory_bandwidth.value), "B/s"},
                {"max_memory_bytes", "largest memory", known(part.max_memory.value), "GiB"},
                {"pcie_generation", "PCIe generation", known(part.pcie_generation), ""},
                {"pcie_lanes", "PCIe lanes", known(part.pcie_lanes), ""},
                {"socket_link", "link between sockets", known(part.socket_link), ""},
                {"socket_links", "links between sockets", known(part.socket_links), ""},
                {"power_w", "power", known(part.power_w), "W"}});
  tail(list, part.price, part.provenance);
  return list;
}

Facts facts(const LinkKind& part) {
  Facts list = head(part.id, part.name, part.provenance);
  append(list, {{"raw_Bps", "raw, a lane or link", known(part.raw.value), "B/s"},
                {"achievable_Bps", "achievable", known(part.achievable.value), "B/s"},
                {"latency_s", "latency", known(part.latency.value), "s"},
                {"half_duplex", "directions share it", part.half_duplex, ""}});
  tail(list, part.price, part.provenance);
  return list;
}

Facts facts(const StoragePart& part) {
  Facts list = head(part.id, part.name, part.provenance);
  append(list, {{"kind", "kind", known(part.kind), ""},
                {"interface", "interface", known(part.interface), ""},
                {"capacity_bytes", "capacity", known(part.capacity.value), "B"},
                {"sequential_read_Bps", "sequential read", known(part.sequential_read.value), "B/s"},
                {"sequential_write_Bps", "sequential write", known(part.sequential_write.value), "B/s"},
                {"sustained_write_Bps", "sustained write", known(part.sustained_write.value), "B/s"},
                {"random_read_iops", "random reads", known(part.random_read_iops), "/s"},
                {"random_write_iops", "random writes", known(part.random_write_iops), "/s"},
                {"read_latency_s", "read latency", known(part.read_latency.value), "s"}});
  tail(list, part.price, part.provenance);
  return list;
}

Facts facts(const SwitchPart& part) {
  Facts list = head(part.id, part.name, part.provenance);
  append(list, {{"kind", "kind", known(part.kind), ""},
                {"lanes", "lanes", known(part.lanes), ""},
                {"ports", "ports", known(part.ports), ""},
                {"port_Bps", "a port", known(part.port_bandwidth.value), "B/s"},
                {"latency_s", "latency", known(part.latency.value), "s"},
                {"in_network_reduction", "reduces in the network", part.in_network_reduction, ""}});
  tail(list, part.price, part.provenance);
  return list;
}

Facts facts(const Machine& machine) {
  Facts list = head(machine.name, machine.title, machine.provenance);
  const std::vector<DeviceId> gpus = machine.all(DeviceType::kGpu);
  const std::vector<DeviceId> cpus = machine.all(DeviceType::kCpu);
  double ram = 0, gpu_memory = 0;
  for (const DeviceId id : machine.all(DeviceType::kRam)) ram += machine.device(id).ram().capacity.value;
  for (const DeviceId id : gpus) gpu_memory += machine.device(id).gpu().memory.value;
  append(list, {{"gpus", "GPUs a node", static_cast<double>(gpus.size()), ""},
                {"gpu", "GPU", gpus.empty() ? FactValue() : known(machine.device(gpus[0]).gpu().name), ""},
                {"gpu_memory_bytes", "GPU memory in all, a node", known(gpu_memory), "GiB"},
                {"cpus", "CPU sockets a node", static_cast<double>(cpus.size()), ""},
                {"cpu", "CPU", cpus.empty() ? FactValue() : known(machine.device(cpus[0]).cpu().name), ""},
                {"ram_bytes", "main memory a node", known(ram), "GiB"},
                {"nodes", "nodes", static_cast<double>(machine.nodes), ""},
                {"usd_per_hour", "cloud price an hour", known(machine.usd_per_hour), "USD"},
                {"max_power_w", "power, at most", known(machine.max_power_w), "W"}});
  tail(list, machine.price, machine.provenance);
  return list;
}

Facts facts(const workload::Network& network) {
  Facts list = head(network.name, network.title, {network.source, "", false, ""});
  append(list,
         {{"family", "family", known(network.family), ""},
          {"parameters", "parameters", known(network.parameters()), ""},
          {"forward_macs", "multiply-adds forward, a " + network.dataset.unit,
           known(workload::forward_macs(network)), ""},
          {"operators", "operators", static_cast<double>(network.operators.size()), ""},
          {"tokens_per_sample", "tokens a sample", known(static_cast<double>(network.tokens_per_sample)), ""},
          {"optimizer", "usual optimizer", known(network.optimizer), ""},
          {"unit", "a sample is", known(network.dataset.unit), ""},
          {"dataset_samples", "samples of the usual data set", known(network.dataset.samples), ""},
          {"sample_bytes", "stored bytes a sample", known(network.dataset.sample_bytes), "B"},
          {"decode", "preparing a sample", known(network.dataset.decode), ""}});
  return list;
}

std::string text_of(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value)) return *text;
  if (const auto* yes = std::get_if<bool>(&fact.value)) return *yes ? "yes" : "no";
  const auto* value = std::get_if<double>(&fact.value);
  if (value == nullptr) return "-";
  if (fact.unit == "GiB") return binary_bytes(*value);
  if (fact.unit.empty()) return large_count(*value);
  if (fact.unit == "/s") return large_count(*value) + "/s";
  if (fact.unit == "USD" || fact.unit == "W") return count(*value) + " " + fact.unit;
  return si(*value, fact.unit);
}

}  // namespace rigcast::report
