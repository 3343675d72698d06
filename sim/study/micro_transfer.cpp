/// A transfer row names a server of the catalogue, or parts. Benchmarks of peers and copies run where every
/// slot is wide: when no CPU is stated, up to two cards sit in a workstation with lanes for both, not in a
/// desktop that splits sixteen. A network of which neither kind nor rate is known is taken as sockets over
/// Ethernet: whoever has more says so.

#include "study/micro_transfer.h"

#include <algorithm>

#include "base/text.h"

namespace rigcast::study {
namespace {

using config::add;
using config::make_number;
using config::make_object;
using config::make_text;
using config::Value;

constexpr double kUnknownNetworkGigabits = 50;

bool known(const config::Library& library, const std::string& machine) {
  return std::any_of(library.machines.begin(), library.machines.end(),
                     [&](const auto& entry) { return entry.first == machine; });
}

void copy(const Row& row, Value& into, std::string_view key) {
  if (const Value* member = row.find(key)) add(into, std::string(key), *member);
}

std::string usual_host(const TransferRow& row, const std::string& interconnect, double each) {
  const auto gpu = row.library.catalogue.gpus.find(row.row.text("gpu"));
  if (gpu == row.library.catalogue.gpus.end() || each > 2) return {};
  const hardware::GpuPart& part = gpu->second;
  if (part.market == "datacenter" || part.form_factor.find("PCIe") == std::string::npos) return {};
  const std::string link = row.row.text("host_link", interconnect);
  const int generation = link.starts_with("pcie") && link.size() == 5 && link[4] >= '1' && link[4] <= '9'
                             ? link[4] - '0'
                             : part.pcie_generation;
  return generation >= 5 ? "tr-pro-7955wx" : generation == 4 ? "tr-pro-5975wx" : "core-i9-10980xe";
}

void describe_parts(const TransferRow& row, Value& machine) {
  const Row& r = row.row;
  const double each = r.number("gpus").value_or(1) / row.nodes();
  copy(r, machine, "gpu");
  add(machine, "count", make_number(each));
  const std::string interconnect = r.text("interconnect");
  const std::string cpu = r.text("cpu", r.text("cpu_stated", usual_host(row, interconnect, each)));
  if (!cpu.empty()) add(machine, "cpu", make_text(cpu));
  const bool host_only = interconnect == "c2c" || interconnect == "nvlink-cpu";
  if (host_only)
    add(machine, "host_link", make_text(interconnect));
  else if (!interconnect.empty() && interconnect != "none")
    add(machine, "interconnect", make_text(interconnect));
  for (const char* key : {"host_link", "p2p", "pcie_lanes"})
    if (!host_only || std::string_view(key) != "host_link") copy(r, machine, key);
  const auto domain = r.number("nvlink_domain_gpus");
  if (domain && each > *domain) copy(r, machine, "nvlink_domain_gpus");
}

/// A job of fewer GPUs than there are ports sits on part of a board of eight and has that part of its ports.
Value share_of(const Row& row, const Value& network) {
  constexpr double kBoard = 8;
  const Value* ports = network.find("ports_per_node");
  const double each = row.number("gpus").value_or(1) / std::max(1.0, row.number("nodes").value_or(1));
  Value own = network;
  if (ports == nullptr || ports->number < kBoard || each >= kBoard || !row.text("system").empty()) return own;
  for (auto& member : own.members)
    if (member.key == "ports_per_node") member.value.number = std::max(1.0, ports->number * each / kBoard);
  return own;
}

void describe_network(const Row& row, Value& machine) {
  const Value* network = row.find("network");
  if (network == nullptr || !network->is(config::JsonKind::kObject)) return;
  const Value* kind = network->find("kind");
  const bool unknown = kind == nullptr || kind->text == "unknown";
  if (network->find("gbps_per_port") != nullptr || !unknown) {
    if (network->find("gbps_per_port") != nullptr || row.text("system").empty())
      add(machine, "network", share_of(row, *network));
    return;
  }
  Value sockets = make_object();
  add(sockets, "kind", make_text("ethernet"));
  add(sockets, "gbps_per_port", make_number(kUnknownNetworkGigabits));
  add(sockets, "ports_per_node", make_number(1));
  add(machine, "network", std::move(sockets));
}

}  // namespace

bool TransferRow::says(std::string_view key, std::string_view words) const {
  return lower_case(row.text(key)).find(lower_case(std::string(words))) != std::string::npos;
}

bool TransferRow::labelled(std::string_view word) const {
  return ("-" + lower_case(row.id()) + "-").find("-" + std::string(word) + "-") != std::string::npos;
}

int TransferRow::ranks() const {
  return static_cast<int>(row.number("ranks").value_or(row.number("gpus").value_or(1)));
}

int TransferRow::nodes() const {
  // An NVLink domain is one machine to a collective, whatever trays it is built of.
  if (const auto domain = row.number("nvlink_domain_gpus"); domain && *domain > 0)
    return std::max(1, static_cast<int>((ranks() + *domain - 1) / *domain));
  return std::max(1, static_cast<int>(row.number("nodes").value_or(1)));
}

MicroForecast no_forecast(std::string reason) {
  MicroForecast forecast;
  forecast.reason = std::move(reason);
  return forecast;
}

std::optional<hardware::Machine> machine_of(const TransferRow& row, std::string& reason) {
  const Row& r = row.row;
  Value machine = make_object();
  const std::string system = r.text("system");
  if (!system.empty() && known(row.library, system)) {
    add(machine, "base", make_text(system));
    copy(r, machine, "gpu");
    if (r.text("interconnect").starts_with("pcie") && row.ranks() > 1) copy(r, machine, "interconnect");
    copy(r, machine, "p2p");
  } else {
    describe_parts(row, machine);
  }
  if (row.nodes() > 1) {
    add(machine, "nodes", make_number(row.nodes()));
    describe_network(r, machine);
  }
  Diagnostics diagnostics;
  auto loaded = config::load_machine(row.library, config::dump(machine), nullptr, diagnostics);
  if (!loaded)
    reason = diagnostics.entries().empty() ? "the machine cannot be composed"
                                           : diagnostics.entries().front().message;
  return loaded;
}

plan::Scenario communicating(hardware::Machine machine, int ranks, int nodes,
                             const hardware::Profile& profile) {
  plan::Scenario scenario;
  scenario.machine = std::move(machine);
  scenario.profile = profile;
  scenario.plan.gpus = scenario.plan.data = ranks;
  scenario.plan.nodes = nodes;
  return scenario;
}

MicroForecast forecast_transfer_row(const Row& row, const config::Library& library,
                                    const hardware::Profile& profile) {
  const TransferRow transfer{row, library, profile};
  if (row.kind() == "collective") return collective_row(transfer);
  if (row.kind() == "p2p") return peer_row(transfer);
  if (row.kind() == "h2d") return host_copy_row(transfer);
  if (row.kind() == "storage") return storage_row(transfer);
  if (row.kind() == "dataload") return decode_row(transfer);
  return no_forecast("a row of kind " + row.kind() + " is no transfer");
}

}  // namespace rigcast::study
