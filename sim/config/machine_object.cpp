#include <array>

#include "config/topology.h"

namespace rigcast::config {

using hardware::Composition;
using hardware::NetworkChoice;
using hardware::StorageChoice;

namespace {

constexpr Need kOptional = Need::kOptional;
constexpr Need kRequired = Need::kRequired;

const std::array<std::string, 7> kHostLinks = {"pcie2", "pcie3",      "pcie4", "pcie5",
                                               "pcie6", "nvlink-cpu", "c2c"};
const std::array<std::string, 10> kInterconnects = {"pcie3",         "pcie4",       "pcie5",    "pcie?",
                                                    "nvlink-bridge", "nvlink-mesh", "nvswitch", "xgmi",
                                                    "none",          "unknown"};
const std::array<std::string, 7> kNetworks = {"ib", "roce", "ethernet", "efa", "omnipath", "unknown", "none"};

void describe_storage(Fields& f, StorageChoice& choice) {
  f.text({"id", kOptional, "absent: storage0, storage1, ..."}, choice.id);
  f.text({"part", kRequired, "id of the catalogue"}, choice.part);
  f.number({"count", kOptional, "equal drives read together; absent: 1"}, choice.count, kCount);
}

void describe_network(Fields& f, NetworkChoice& choice) {
  f.choice({"kind", kOptional, "absent: unknown"}, choice.kind, kNetworks);
  f.number({"gbps_per_port", kOptional, "gigabits per second of a port"}, choice.gigabits_per_port,
           kPositive);
  f.number({"ports_per_node", kOptional, "ports of a node"}, choice.ports_per_node, kCount);
}

Value either(Value a, Value b) {
  Value schema = make_object();
  Value forms = make_array();
  forms.elements.push_back(std::move(a));
  forms.elements.push_back(std::move(b));
  add(schema, "anyOf", std::move(forms));
  return schema;
}

Fields::Custom storage_hook(std::optional<std::vector<StorageChoice>>& storage) {
  const auto read = [&storage](const Cursor& cursor, Diagnostics& diagnostics) {
    std::vector<StorageChoice> choices;
    if (cursor.value->is(JsonKind::kText)) {
      choices.push_back({"", cursor.value->text, 1});
    } else if (expect(cursor, JsonKind::kArray, diagnostics)) {
      for (std::size_t i = 0; i < cursor.value->elements.size(); ++i) {
        StorageChoice choice;
        if (read_object(cursor.element(i), diagnostics, [&](Fields& f) { describe_storage(f, choice); }))
          choices.push_back(std::move(choice));
      }
    }
    storage = std::move(choices);
  };
  const auto write = [&storage]() -> std::optional<Value> {
    if (!storage) return std::nullopt;
    Value array = make_array();
    for (StorageChoice choice : *storage)
      array.elements.push_back(write_object([&](Fields& f) { describe_storage(f, choice); }));
    return array;
  };
  const auto schema = [] {
    StorageChoice sample;
    Value list = schema_of_type("array");
    add(list, "items", schema_object([&](Fields& f) { describe_storage(f, sample); }));
    return either(schema_of_type("string"), std::move(list));
  };
  return {read, write, schema};
}

Fields::Custom network_hook(std::optional<NetworkChoice>& network) {
  const auto read = [&network](const Cursor& cursor, Diagnostics& diagnostics) {
    NetworkChoice choice;
    if (cursor.value->is(JsonKind::kText) && cursor.value->text == "none")
      choice.kind = "none";
    else
      read_object(cursor, diagnostics, [&](Fields& f) { describe_network(f, choice); });
    network = std::move(choice);
  };
  const auto write = [&network]() -> std::optional<Value> {
    if (!network) return std::nullopt;
    NetworkChoice choice = *network;
    return write_object([&](Fields& f) { describe_network(f, choice); });
  };
  const auto schema = [] {
    NetworkChoice sample;
    Value none = make_object();
    add(none, "const", make_text("none"));
    return either(std::move(none), schema_object([&](Fields& f) { describe_network(f, sample); }));
  };
  return {read, write, schema};
}

}  // namespace

void describe(Fields& f, Composition& composition) {
  f.text({"gpu", kOptional, "id of a GPU"}, composition.gpu);
  f.number({"count", kOptional, "GPUs of a node"}, composition.count, kIndex);
  f.text({"cpu", kOptional, "id or description of a CPU"}, composition.cpu);
  f.number({"sockets", kOptional, "CPUs of a node"}, composition.sockets, kCount);
  f.quantity({"ram", kOptional, "of a node"}, composition.ram);
  f.choice({"host_link", kOptional, "between CPU and GPU"}, composition.host_link, kHostLinks);
  f.number({"pcie_lanes", kOptional, "of a GPU"}, composition.pcie_lanes, kCount);
  f.choice({"interconnect", kOptional, "between the GPUs of a node"}, composition.interconnect,
           kInterconnects);
  f.flag({"p2p", kOptional, "PCIe peer-to-peer access"}, composition.peer_access);
  f.custom({"storage", kOptional, "id of a storage part, or a list"}, storage_hook(composition.storage));
  f.number({"nodes", kOptional, "equal nodes"}, composition.nodes, kCount);
  f.custom({"network", kOptional, "between nodes"}, network_hook(composition.network));
  f.number({"nvlink_domain_gpus", kOptional, "GPUs of an NVLink domain larger than a node"},
           composition.nvlink_domain_gpus, kCount);
  hardware::GpuOverrides& overrides = composition.gpu_overrides;
  const bool any = overrides.memory || overrides.memory_bandwidth || overrides.power_w || overrides.clock;
  f.object({"gpu_overrides", kOptional, "figures of the GPU that differ from the catalogue"}, any,
           [&](Fields& inner) {
             inner.quantity({"memory_bytes", kOptional, "capacity"}, overrides.memory);
             inner.quantity({"memory_Bps", kOptional, "peak"}, overrides.memory_bandwidth);
             inner.number({"power_w", kOptional, "power limit"}, overrides.power_w, kPositive);
             inner.quantity({"clock", kOptional, "boost clock"}, overrides.clock);
           });
  f.texts({"remove", kOptional, "device ids, device types or link kinds"}, composition.remove);
}

}  // namespace rigcast::config
