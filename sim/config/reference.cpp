#include "config/reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "config/topology.h"
#include "config/workload_file.h"

namespace rigcast::config {

namespace {

constexpr std::size_t kLongestChain = 16;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

std::string stem_of(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0) name.resize(dot);
  return name;
}

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || (text.size() > 5 && text.substr(text.size() - 5) == ".json");
}

/// A loaded name on the chain for as long as this lives.
class Link {
 public:
  Link(Loading& loading, std::string name) : loading_(loading) { loading_.chain.push_back(std::move(name)); }
  ~Link() { loading_.chain.pop_back(); }
  Link(const Link&) = delete;

 private:
  Loading& loading_;
};

bool chain_is_sound(Loading& loading, const std::string& name, const Origin& origin) {
  const bool again = std::find(loading.chain.begin(), loading.chain.end(), name) != loading.chain.end();
  if (!again && loading.chain.size() < kLongestChain) return true;
  loading.diagnostics.error(
      origin,
      again ? fmt::format("\"{}\" is based on itself: {} -> {}", name, fmt::join(loading.chain, " -> "), name)
            : fmt::format("more than {} bases on top of each other", kLongestChain));
  return false;
}

std::optional<Source> read_path(Loading& loading, const std::string& path, const Origin& origin) {
  if (loading.read_file == nullptr) {
    loading.diagnostics.error(origin, fmt::format("\"{}\" is a path, and no files are read here", path));
    return std::nullopt;
  }
  const std::string beside = folder_of(origin.file) + path;
  if (path[0] != '/' && beside != path && origin.line > 0)
    if (auto source = loading.read_file(beside)) return *std::move(source);
  auto source = loading.read_file(path);
  if (source) return *std::move(source);
  loading.diagnostics.unreadable(path, source.error());
  return std::nullopt;
}

}  // namespace

std::optional<Document> find_document(Loading& loading,
                                      const std::vector<std::pair<std::string, Source>>& table,
                                      std::string_view kind, const std::string& text, const Origin& origin) {
  const auto named =
      std::lower_bound(table.begin(), table.end(), text,
                       [](const auto& entry, const std::string& name) { return entry.first < name; });
  if (named != table.end() && named->first == text) {
    if (!chain_is_sound(loading, text, origin)) return std::nullopt;
    auto value = parse_json(named->second.text, named->second.path, loading.diagnostics);
    if (!value) return std::nullopt;
    return Document{text, *std::move(value), true};
  }
  if (!looks_like_path(text)) {
    std::vector<std::string> known;
    for (const auto& [name, source] : table) known.push_back(name);
    std::string hint = did_you_mean(text, known);
    if (hint.empty()) hint = fmt::format("\"rigcast list {}s\" shows them; a path ends in .json", kind);
    loading.diagnostics.error(origin, fmt::format("no {} \"{}\"", kind, text), std::move(hint));
    return std::nullopt;
  }
  if (!chain_is_sound(loading, text, origin)) return std::nullopt;
  const std::optional<Source> source = read_path(loading, text, origin);
  if (!source) return std::nullopt;
  auto value = parse_json(source->text, source->path, loading.diagnostics);
  if (!value) return std::nullopt;
  return Document{stem_of(text), *std::move(value), false};
}

void record_origins(const Cursor& cursor, plan::OriginMap& origins) {
  const Value& value = *cursor.value;
  if (value.is(JsonKind::kObject) && !value.members.empty()) {
    for (const JsonMember& member : value.members) record_origins(cursor.member(member), origins);
  } else if (value.is(JsonKind::kArray) && !value.elements.empty()) {
    for (std::size_t i = 0; i < value.elements.size(); ++i) record_origins(cursor.element(i), origins);
  } else if (!value.is(JsonKind::kNull)) {
    Origin origin = cursor.origin();
    std::string pointer = origin.pointer;
    origins.set(std::move(pointer), std::move(origin));
  }
}

std::optional<Value> name_or_inline(const std::string& text, const std::string& file,
                                    Diagnostics& diagnostics) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') return parse_json(text, file, diagnostics);
  return make_text(text, {std::make_shared<const std::string>(file), 0, 0});
}

// ---- machines

namespace {

std::optional<hardware::Machine> read_named_machine(Loading& loading, const std::string& text,
                                                    const Origin& origin) {
  const auto document = find_document(loading, loading.library.machines, "machine", text, origin);
  if (!document) return std::nullopt;
  const Cursor root{&document->value, nullptr, {}, 0, {}};
  // The outermost only: a base's pointers would mean other values.
  if (!document->shipped && loading.origins != nullptr && loading.chain.empty())
    record_origins(root, *loading.origins);
  const Link link(loading, text);
  auto machine = read_machine(loading, root);
  if (machine && machine->name.empty()) machine->name = document->name;
  return machine;
}

/// {"base": ..., changes} or {"gpu": ..., "count": ..., ...}.
std::optional<hardware::Machine> read_machine_object(Loading& loading, const Cursor& cursor) {
  Diagnostics found;
  MachineHead head;
  hardware::Composition composition;
  std::optional<hardware::Machine> machine;
  bool has_base = false;
  Diagnostics& outer = loading.diagnostics;
  read_object(cursor, found, [&](Fields& f) {
    describe(f, head);
    f.custom({"base", Need::kOptional, "a machine to vary"},
             {[&](const Cursor& base, Diagnostics& errors) {
                has_base = true;
                Loading inner{loading.library, loading.read_file, errors, loading.chain, loading.origins};
                machine = read_machine(inner, base);
              },
              {},
              {}});
    describe(f, composition);
    f.remark({"set", Need::kOptional,
              "device id -> figures to change"});  // read below, when the devices are known
  });
  const Origin origin = cursor.origin();
  if (found.ok()) {
    Diagnostics built;
    if (has_base)
      machine = hardware::vary(loading.library.catalogue, *std::move(machine), composition, origin, built);
    else if (composition.gpu || composition.cpu || composition.count)
      machine = hardware::compose(loading.library.catalogue, composition, origin, built);
    else
      built.error(origin, "a machine needs one of the keys \"base\", \"gpu\" and \"nodes\"");
    append_located(built, cursor, origin.pointer, found);
  }
  if (machine && found.ok()) {
    if (const Value* set = cursor.value->find("set")) {
      const JsonMember* member = nullptr;
      for (const JsonMember& m : cursor.value->members)
        if (&m.value == set) member = &m;
      apply_set(cursor.member(*member), *machine, loading.library.catalogue, found);
    }
    if (!head.name.empty()) machine->name = head.name;
    if (!head.title.empty()) machine->title = head.title;
    if (head.price.usd) machine->price = head.price;
    if (head.usd_per_hour) machine->usd_per_hour = head.usd_per_hour;
    if (head.max_power_w > 0) machine->max_power_w = head.max_power_w;
    if (!head.provenance.source.empty()) machine->provenance = head.provenance;
    machine->notes.insert(machine->notes.end(), head.notes.begin(), head.notes.end());
  }
  const bool good = found.ok();
  outer.append(found);
  if (!good) return std::nullopt;
  return machine;
}

/// The checks of the hardware room, with the places of the file.
bool is_sound(const hardware::Machine& machine, const Cursor& cursor, Diagnostics& diagnostics) {
  Diagnostics found;
  hardware::check(machine, {}, found);
  // A link of this document knows its pointer from the root, everything else is named from the machine.
  const std::string own = cursor.pointer();
  for (const Diagnostic& entry : found.entries()) {
    Diagnostics one;
    if (entry.severity == Severity::kWarning)
      one.warning(entry.origin, entry.message, entry.hint);
    else
      one.error(entry.origin, entry.message, entry.hint);
    append_located(one, cursor, !own.empty() && entry.origin.pointer.starts_with(own + "/") ? own : "",
                   diagnostics);
  }
  return found.ok();
}

}  // namespace

std::optional<hardware::Machine> read_machine(Loading& loading, const Cursor& cursor) {
  if (cursor.value->is(JsonKind::kText))
    return read_named_machine(loading, cursor.value->text, cursor.origin());
  if (!cursor.value->is(JsonKind::kObject)) {
    loading.diagnostics.error(cursor.origin(), fmt::format("expected a name, a path or an object, found {}",
                                                           name(cursor.value->kind)));
    return std::nullopt;
  }
  std::optional<hardware::Machine> machine =
      is_topology(*cursor.value) ? read_topology(cursor, loading.library.catalogue, loading.diagnostics)
                                 : read_machine_object(loading, cursor);
  if (!machine || !is_sound(*machine, cursor, loading.diagnostics)) return std::nullopt;
  return machine;
}

std::vector<std::string> machine_object_keys() {
  const Value schema = schema_object([](Fields& f) {
    MachineHead head;
    hardware::Composition composition;
    f.remark({"base", Need::kOptional, ""});
    describe(f, composition);
    f.remark({"set", Need::kOptional, ""});
    describe(f, head);
  });
  std::vector<std::string> keys;
  for (const JsonMember& member : schema.find("properties")->members) keys.push_back(member.key);
  return keys;
}

// ---- workloads

namespace {

/// The base's description, then the changes. Keys that no workload file has are dimensions, so that {"base":
/// "bert-large", "layers": 12} says what it seems to say; "layers" is a dimension unless it is a list.
Value with_dimensions(const Value& object) {
  const std::vector<std::string> keys = workload_keys();
  Value changed = make_object(object.place);
  Value dimensions = make_object(object.place);
  for (const JsonMember& member : object.members) {
    if (member.key == "base") continue;
    const bool key = std::find(keys.begin(), keys.end(), member.key) != keys.end() &&
                     (member.key != "layers" || member.value.is(JsonKind::kArray));
    if (key && member.key == "dimensions" && member.value.is(JsonKind::kObject))
      dimensions.members.insert(dimensions.members.end(), member.value.members.begin(),
                                member.value.members.end());
    else
      (key ? changed : dimensions).members.push_back(member);
  }
  if (!dimensions.members.empty()) add(changed, "dimensions", std::move(dimensions)).place = object.place;
  return changed;
}

}  // namespace

std::optional<workload::WorkloadSpec> read_workload(Loading& loading, const Cursor& cursor) {
  if (cursor.value->is(JsonKind::kText)) {
    const std::string& text = cursor.value->text;
    const auto document =
        find_document(loading, loading.library.workloads, "workload", text, cursor.origin());
    if (!document) return std::nullopt;
    const Link link(loading, text);
    auto spec = read_workload(loading, Cursor{&document->value, nullptr, {}, 0, {}});
    if (spec && spec->name.empty()) spec->name = document->name;
    return spec;
  }
  if (!cursor.value->is(JsonKind::kObject)) {
    loading.diagnostics.error(cursor.origin(), fmt::format("expected a name, a path or an object, found {}",
                                                           name(cursor.value->kind)));
    return std::nullopt;
  }
  workload::WorkloadSpec spec;
  Value object = *cursor.value;
  const auto base = std::find_if(cursor.value->members.begin(), cursor.value->members.end(),
                                 [](const JsonMember& member) { return member.key == "base"; });
  if (base != cursor.value->members.end()) {
    auto found = read_workload(loading, cursor.member(*base));
    if (!found) return std::nullopt;
    spec = *std::move(found);
    object = with_dimensions(*cursor.value);
  }
  Diagnostics found;
  spec.origin = cursor.origin();
  const Cursor changed{&object, cursor.parent, cursor.key, cursor.index, cursor.root};
  read_object(changed, found, [&](Fields& f) { describe(f, spec); });
  const bool good = found.ok();
  loading.diagnostics.append(found);
  if (!good) return std::nullopt;
  return spec;
}

}  // namespace rigcast::config
