#include <fmt/format.h>

#include "config/load.h"
#include "config/overrides.h"
#include "config/plan_file.h"
#include "config/reference.h"
#include "config/topology.h"
#include "config/workload_file.h"

/// A scenario is gathered as one JSON value first: the file, then --machine and --workload in place of its
/// members, then each
/// --set in order. Only then is it read, so an override is checked like anything in a file, and its errors
/// name it.

namespace rigcast::config {

namespace {

void replace_member(Value& scenario, const std::string& key, const std::optional<std::string>& text,
                    const char* flag, Diagnostics& diagnostics) {
  if (!text) return;
  auto value = name_or_inline(*text, flag, diagnostics);
  if (!value) return;
  if (Value* member = scenario.find(key))
    *member = *std::move(value);
  else
    scenario.members.push_back({key, value->place, *value});
}

std::optional<Value> gather(const Request& request, Diagnostics& diagnostics) {
  Value scenario = make_object();
  if (request.scenario) {
    auto parsed = parse_json(request.scenario->text, request.scenario->path, diagnostics);
    if (!parsed || !expect(Cursor{&*parsed, nullptr, {}, 0, {}}, JsonKind::kObject, diagnostics))
      return std::nullopt;
    scenario = *std::move(parsed);
  }
  replace_member(scenario, "machine", request.machine, "--machine", diagnostics);
  replace_member(scenario, "workload", request.workload, "--workload", diagnostics);
  for (const auto& [path, value] : request.set) apply_override(scenario, path, value, diagnostics);
  return scenario;
}

}  // namespace

std::optional<Loaded> load_scenario(const Library& library, const Request& request,
                                    Diagnostics& diagnostics) {
  Diagnostics found;
  const auto give_up = [&] {
    diagnostics.append(found);
    return std::nullopt;
  };
  const std::optional<Value> value = gather(request, found);
  if (!value) return give_up();
  const Cursor root{&*value, nullptr, {}, 0, {}};
  Loaded loaded;
  record_origins(root, loaded.origins);

  Loading loading{library, request.read_file, found, {}, &loaded.origins};
  std::optional<hardware::Machine> machine;
  std::optional<workload::WorkloadSpec> description;
  plan::Plan plan;
  bool has_machine = false, has_workload = false;
  read_object(root, found, [&](Fields& f) {
    f.custom({"machine", Need::kOptional, ""}, {[&](const Cursor& cursor, Diagnostics&) {
                                                  has_machine = true;
                                                  machine = read_machine(loading, cursor);
                                                },
                                                {},
                                                {}});
    f.custom({"workload", Need::kOptional, ""}, {[&](const Cursor& cursor, Diagnostics&) {
                                                   has_workload = true;
                                                   description = read_workload(loading, cursor);
                                                 },
                                                 {},
                                                 {}});
    f.object({"plan", Need::kOptional, ""}, true, [&](Fields& inner) { describe(inner, plan); });
  });
  if (!has_machine)
    found.error(root.origin(), "no machine is given", "write \"machine\" in the scenario, or --machine NAME");
  if (!has_workload)
    found.error(root.origin(), "no workload is given",
                "write \"workload\" in the scenario, or --workload NAME");

  std::optional<workload::Network> network;
  if (description) {
    workload::Shaping shaping;
    if (plan.seq_len) shaping.seq_len = *plan.seq_len;
    if (plan.padding == plan::Padding::kPacked) {
      const double full = static_cast<double>(shaping.seq_len.value_or(description->seq_len.value_or(0)));
      if (full > 1) shaping.seq_len = static_cast<std::int64_t>(full * plan::kPackedFill);
    }
    Diagnostics built;
    network = workload::build(*description, shaping, built);
    // Lines are known for what stands in the scenario; other files gave each layer its own.
    if (description->origin.pointer.empty())
      found.append(built);
    else
      append_located(built, root, "", found);
  }
  if (!machine || !network) return give_up();
  // Run in spite of errors so far: what it finds is reported with them.
  auto scenario =
      plan::resolve(*std::move(machine), *std::move(network), plan, library.catalogue, loaded.origins, found);
  if (!scenario || !found.ok()) return give_up();
  loaded.scenario = *std::move(scenario);
  loaded.scenario.description = *std::move(description);
  diagnostics.append(found);
  return loaded;
}

std::string to_json(const plan::Scenario& scenario) {
  Value value = make_object();
  add(value, "machine", write_topology(scenario.machine));
  add(value, "workload", write_workload(scenario.description));
  add(value, "plan", write_plan(scenario.plan));
  return dump(value);
}

std::string to_json(const hardware::Machine& machine) { return dump(write_topology(machine)); }

}  // namespace rigcast::config
