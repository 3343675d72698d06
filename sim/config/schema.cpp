#include <array>

#include "config/load.h"
#include "config/plan_file.h"
#include "config/rows_schema.h"
#include "config/topology.h"
#include "config/workload_file.h"

/// The schemas are made of the same descriptions that read the files. What a schema cannot say (units, ids
/// that must exist, layers that must fit) is left to the reader.

namespace rigcast::config {

namespace {

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

Value any_of(std::vector<Value> forms) {
  Value schema = make_object();
  add(schema, "anyOf", make_array(std::move(forms)));
  return schema;
}

Value document(std::string_view title, Value schema) {
  Value whole = make_object();
  add(whole, "$schema", make_text(std::string(kDialect)));
  add(whole, "title", make_text(std::string(title)));
  for (JsonMember& member : schema.members) whole.members.push_back(std::move(member));
  return whole;
}

/// A device has the fields of its type's figures, so each type is a form of its own.
Value device_schema() {
  std::vector<Value> forms;
  for (const hardware::DeviceType type :
       {hardware::DeviceType::kGpu, hardware::DeviceType::kCpu, hardware::DeviceType::kRam,
        hardware::DeviceType::kStorage, hardware::DeviceType::kPcieSwitch, hardware::DeviceType::kNvSwitch,
        hardware::DeviceType::kNic, hardware::DeviceType::kNetworkSwitch, hardware::DeviceType::kBridge,
        hardware::DeviceType::kSlot}) {
    hardware::Device device = empty_device(type);
    Value form = schema_object([&](Fields& f) { describe(f, device, nullptr); });
    Value constant = make_object();
    add(constant, "const", make_text(std::string(hardware::name(type))));
    *form.find("properties")->find("type") = std::move(constant);
    forms.push_back(std::move(form));
  }
  return any_of(std::move(forms));
}

Fields::Custom described(Value (*schema)()) { return {{}, {}, schema}; }

Value array_of(Value items) {
  Value schema = schema_of_type("array");
  add(schema, "items", std::move(items));
  return schema;
}

Value topology_form() {
  return schema_object([](Fields& f) {
    MachineHead head;
    describe(f, head);
    int nodes = 1;
    f.number({"node_count", Need::kOptional, "equal nodes of this template; absent: 1"}, nodes, kCount);
    bool peer_access = false;
    f.flag(
        {"p2p", Need::kOptional, "PCIe peer-to-peer for the whole machine, in place of the GPUs' own rule"},
        peer_access);
    f.custom({"nodes", Need::kRequired, "devices"}, described([] { return array_of(device_schema()); }));
    std::vector<LinkEntry> links;
    f.list({"links", Need::kRequired, "cables, traces and buses"}, links,
           [](Fields& g, LinkEntry& link) { describe(g, link); });
    f.custom({"set", Need::kOptional, "device id -> figures to change"},
             described([] { return schema_of_type("object"); }));
  });
}

Value machine_object_form() {
  return schema_object([](Fields& f) {
    MachineHead head;
    describe(f, head);
    f.custom({"base", Need::kOptional, "a machine to vary: its name, path, or itself"}, described([] {
               return any_of({schema_of_type("string"), schema_of_type("object")});
             }));
    hardware::Composition composition;
    describe(f, composition);
    f.custom({"set", Need::kOptional, "device id -> figures to change"},
             described([] { return schema_of_type("object"); }));
  });
}

Value workload_form() {
  workload::WorkloadSpec spec;
  return schema_object([&](Fields& f) { describe(f, spec); });
}

/// {"base": ..., ...}: every other key of a workload, and dimensions, may stand beside it.
Value workload_variant_form() {
  Value form = schema_of_type("object");
  Value& properties = add(form, "properties", make_object());
  add(properties, "base", any_of({schema_of_type("string"), schema_of_type("object")}));
  add(form, "required", make_texts({"base"}));
  return form;
}

Value layer_definitions() {
  Value definitions = make_object();
  add(definitions, "layer", layer_schema());
  return definitions;
}

Value scenario_schema() {
  Value schema = schema_object([](Fields& f) {
    f.custom({"machine", Need::kOptional, "a name, a path, a topology, or a machine object"}, described([] {
               return any_of({schema_of_type("string"), topology_form(), machine_object_form()});
             }));
    f.custom({"workload", Need::kOptional, "a name, a path, a workload, or changes to one"}, described([] {
               return any_of({schema_of_type("string"), workload_form(), workload_variant_form()});
             }));
    plan::Plan plan;
    f.object({"plan", Need::kOptional, "how the network is run"}, true,
             [&](Fields& inner) { describe(inner, plan); });
  });
  add(schema, "$defs", layer_definitions());
  return document("A rigcast scenario", std::move(schema));
}

}  // namespace

std::optional<std::string> schema(std::string_view kind) {
  if (kind == "scenario") return dump(scenario_schema());
  if (kind == "topology")
    return dump(document("A rigcast machine", any_of({topology_form(), machine_object_form()})));
  if (kind == "workload") {
    Value form = workload_form();
    add(form, "$defs", layer_definitions());
    return dump(document("A rigcast workload", std::move(form)));
  }
  if (kind == "rows") return dump(document("A published measurement, one a line", rows_schema()));
  return std::nullopt;
}

std::vector<std::string> schema_kinds() { return {"scenario", "topology", "workload", "rows"}; }

}  // namespace rigcast::config
