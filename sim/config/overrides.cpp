#include "config/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"
#include "config/plan_file.h"
#include "config/reference.h"
#include "config/topology.h"
#include "config/workload_file.h"

namespace rigcast::config {

namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> steps(1);
  for (const char c : path) {
    if (c == '.')
      steps.emplace_back();
    else
      steps.back() += c;
  }
  return steps;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// All values inside get the place of the override, so that errors name it.
void set_place(Value& value, const Place& place) {
  value.place = place;
  for (Value& element : value.elements) set_place(element, place);
  for (JsonMember& member : value.members) {
    member.place = place;
    set_place(member.value, place);
  }
}

/// VALUE: JSON where it is JSON, else the text itself. What begins like an object, list or quoted text must
/// be one.
std::optional<Value> parse_value(const std::string& text, const Place& place, Diagnostics& diagnostics) {
  std::optional<Value> value = try_parse_json(text, *place.file);
  if (!value && !text.empty() && std::string_view("{[\"").find(text[0]) != std::string_view::npos) {
    parse_json(text, *place.file, diagnostics);
    return std::nullopt;
  }
  if (!value) value = make_text(text);
  set_place(*value, place);
  return value;
}

Value& member_of(Value& object, const std::string& key, const Place& place) {
  if (Value* found = object.find(key)) return *found;
  object.members.push_back({key, place, {}});
  object.members.back().value.place = place;
  return object.members.back().value;
}

/// {"base": what was there}.
void make_variant(Value& value, const Place& place) {
  Value base = std::move(value);
  value = make_object(place);
  value.members.push_back({"base", base.place, std::move(base)});
}

/// The hint for a path that begins with none of the three: where the key is known.
std::string prefix_hint(const std::vector<std::string>& steps, const std::string& path) {
  static const std::vector<std::string> kRoots = {"machine", "plan", "workload"};
  if (contains(plan_keys(), path) || contains(plan_keys(), steps[0]))
    return fmt::format("did you mean \"plan.{}\"?", path);
  if (contains(machine_object_keys(), steps[0])) return fmt::format("did you mean \"machine.{}\"?", path);
  if (contains(workload_keys(), steps[0])) return fmt::format("did you mean \"workload.{}\"?", path);
  if (std::string near = did_you_mean(steps[0], kRoots); !near.empty()) return near;
  return did_you_mean("plan." + path, [] {
    std::vector<std::string> keys = plan_keys();
    for (std::string& key : keys) key.insert(0, "plan.");
    return keys;
  }());
}

/// One step down. Null, and an error, where there is nothing to step into.
Value* step_into(Value& value, const std::string& step, const std::string& parent, const Place& place,
                 Diagnostics& diagnostics) {
  const Origin origin{*place.file, 0, 0, {}};
  if (value.is(JsonKind::kNull)) value = make_object(place);
  if (value.is(JsonKind::kObject)) return &member_of(value, step, place);
  if (value.is(JsonKind::kArray)) {
    std::size_t index = 0;
    const char* end = step.data() + step.size();
    const auto [rest, error] = std::from_chars(step.data(), end, index);
    if (error == std::errc() && rest == end && index < value.elements.size()) return &value.elements[index];
    diagnostics.error(
        origin, fmt::format("\"{}\" is a list of {}: expected a number below that, found \"{}\"", parent,
                            value.elements.size(), step));
    return nullptr;
  }
  diagnostics.error(origin,
                    fmt::format("\"{}\" is {} and has no field \"{}\"", parent, name(value.kind), step));
  return nullptr;
}

}  // namespace

void apply_override(Value& scenario, const std::string& path, const std::string& text,
                    Diagnostics& diagnostics) {
  const Place place{std::make_shared<const std::string>("--set " + path), 0, 0};
  const std::vector<std::string> steps = split(path);
  if (steps[0] != "machine" && steps[0] != "workload" && steps[0] != "plan") {
    diagnostics.error({*place.file, 0, 0, {}},
                      fmt::format("\"{}\" does not begin with machine, workload or plan", path),
                      prefix_hint(steps, path));
    return;
  }
  if (std::any_of(steps.begin(), steps.end(), [](const std::string& step) { return step.empty(); }) ||
      steps.size() > kMaxDepth / 2) {
    diagnostics.error({*place.file, 0, 0, {}}, fmt::format("\"{}\" is not a dotted path", path));
    return;
  }
  std::optional<Value> value = parse_value(text, place, diagnostics);
  if (!value) return;

  Value* at = &member_of(scenario, steps[0], place);
  std::string walked = steps[0];
  if (steps.size() > 1 && steps[0] != "plan") {
    const bool inline_topology = is_topology(*at) && !contains({"set", "nodes", "links"}, steps[1]);
    const bool inline_workload = steps[0] == "workload" && at->is(JsonKind::kObject) &&
                                 at->find("base") == nullptr && !contains(workload_keys(), steps[1]);
    if (at->is(JsonKind::kText) || inline_topology || inline_workload) make_variant(*at, place);
  }
  for (std::size_t i = 1; i < steps.size(); ++i) {
    at = step_into(*at, steps[i], walked, place, diagnostics);
    if (at == nullptr) return;
    walked += "." + steps[i];
  }
  *at = *std::move(value);
}

}  // namespace rigcast::config
