#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "config/fields.h"

namespace rigcast::config {

std::string Cursor::pointer() const {
  if (parent == nullptr) return std::string(root);
  std::string text = parent->pointer();
  return text + (parent->value->is(JsonKind::kArray) ? "/" + std::to_string(index) : pointer_step(key));
}

Origin Cursor::origin() const {
  return {value->place.file ? *value->place.file : std::string(), value->place.line, value->place.column,
          pointer()};
}

std::vector<std::string> read_texts(const Cursor& cursor, Diagnostics& diagnostics) {
  std::vector<std::string> texts;
  if (!expect(cursor, JsonKind::kArray, diagnostics)) return texts;
  for (std::size_t i = 0; i < cursor.value->elements.size(); ++i)
    if (expect(cursor.element(i), JsonKind::kText, diagnostics))
      texts.push_back(cursor.value->elements[i].text);
  return texts;
}

void Fields::texts(Field field, std::vector<std::string>& value) {
  custom(field,
         {[&](const Cursor& cursor, Diagnostics& diagnostics) { value = read_texts(cursor, diagnostics); },
          [&]() -> std::optional<Value> {
            if (value.empty()) return std::nullopt;
            return make_texts(value);
          },
          [] {
            Value schema = schema_of_type("array");
            add(schema, "items", schema_of_type("string"));
            return schema;
          }});
}

void Fields::remark(Field field) {
  custom(field, {[](const Cursor&, Diagnostics&) {}, []() -> std::optional<Value> { return std::nullopt; },
                 [] { return make_object(); }});
}

bool expect(const Cursor& cursor, JsonKind kind, Diagnostics& diagnostics) {
  if (cursor.value->is(kind)) return true;
  diagnostics.error(cursor.origin(),
                    fmt::format("expected {}, found {}", name(kind), name(cursor.value->kind)));
  return false;
}

namespace {

/// Follows a pointer as far as it leads.
Origin follow(const Cursor& cursor, std::string_view pointer) {
  if (pointer.empty()) return cursor.origin();
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  const std::string_view step = pointer.substr(0, end);
  if (cursor.value->is(JsonKind::kArray)) {
    for (std::size_t i = 0; i < cursor.value->elements.size(); ++i)
      if (step == "/" + std::to_string(i)) return follow(cursor.element(i), pointer.substr(end));
  }
  for (const JsonMember& member : cursor.value->members)
    if (step == pointer_step(member.key)) return follow(cursor.member(member), pointer.substr(end));
  return cursor.origin();
}

}  // namespace

void append_located(const Diagnostics& found, const Cursor& cursor, std::string_view prefix,
                    Diagnostics& diagnostics) {
  for (const Diagnostic& entry : found.entries()) {
    Origin origin = entry.origin;
    const std::string_view pointer = origin.pointer;
    if (pointer.substr(0, prefix.size()) == prefix) origin = follow(cursor, pointer.substr(prefix.size()));
    if (entry.severity == Severity::kWarning)
      diagnostics.warning(std::move(origin), entry.message, entry.hint);
    else
      diagnostics.error(std::move(origin), entry.message, entry.hint);
  }
}

namespace {

std::string_view noun(Dimension dimension) {
  switch (dimension) {
    case Dimension::kBytes:
      return "a size";
    case Dimension::kBytesPerSecond:
      return "a bandwidth";
    case Dimension::kSeconds:
      return "a time";
    case Dimension::kHertz:
      return "a frequency";
    case Dimension::kWatts:
      return "a power";
    case Dimension::kFlopsPerSecond:
      return "a rate";
    case Dimension::kNumber:
      break;
  }
  return "a number";
}

}  // namespace

std::optional<double> read_number(const Cursor& cursor, const NumberRule& rule, Diagnostics& diagnostics) {
  const Value& value = *cursor.value;
  double number = value.number;
  std::string shown;
  if (value.is(JsonKind::kText) && rule.dimension != Dimension::kNumber) {
    const auto parsed = parse_quantity(value.text, rule.dimension);
    if (!parsed) {
      diagnostics.error(cursor.origin(), parsed.error());
      return std::nullopt;
    }
    number = *parsed;
    shown = "\"" + value.text + "\"";
  } else if (!expect(cursor, JsonKind::kNumber, diagnostics)) {
    return std::nullopt;
  } else {
    shown = fmt::format("{}", number);
  }
  if (rule.above ? !(number > rule.least) : !(number >= rule.least)) {
    diagnostics.error(cursor.origin(), fmt::format("expected {} {} {}, found {}", noun(rule.dimension),
                                                   rule.above ? "above" : "of at least", rule.least, shown));
    return std::nullopt;
  }
  if (rule.whole && std::trunc(number) != number) {
    diagnostics.error(cursor.origin(), fmt::format("expected a whole number, found {}", shown));
    return std::nullopt;
  }
  if (number > rule.most) {
    diagnostics.error(cursor.origin(), fmt::format("expected at most {}, found {}", rule.most, shown));
    return std::nullopt;
  }
  return number;
}

Reader::Reader(const Cursor& cursor, Diagnostics& diagnostics)
    : cursor_(cursor), diagnostics_(diagnostics), used_(cursor.value->members.size(), false) {}

const JsonMember* Reader::take(const Field& field) {
  known_.push_back(field.name);
  const std::vector<JsonMember>& members = cursor_.value->members;
  for (std::size_t tried = 0; tried < members.size(); ++tried) {
    const std::size_t i = next_ + tried < members.size() ? next_ + tried : next_ + tried - members.size();
    if (members[i].key != field.name) continue;
    used_[i] = true;
    next_ = i + 1 < members.size() ? i + 1 : 0;
    // null says "not known", which is what leaving the key out says.
    if (members[i].value.is(JsonKind::kNull) && field.need == Need::kOptional) return nullptr;
    return &members[i];
  }
  if (field.need == Need::kRequired && !all_optional)
    diagnostics_.error(cursor_.origin(), fmt::format("the key \"{}\" is missing", field.name));
  return nullptr;
}

void Reader::finish() {
  const std::vector<JsonMember>& members = cursor_.value->members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (used_[i]) continue;
    const std::vector<std::string> candidates(known_.begin(), known_.end());
    std::string hint = did_you_mean(members[i].key, candidates);
    if (hint.empty() && candidates.size() <= 20)
      hint = fmt::format("known keys: {}", fmt::join(candidates, ", "));
    const Place& place = members[i].place;
    diagnostics_.error({place.file ? *place.file : std::string(), place.line, place.column,
                        cursor_.member(members[i]).pointer()},
                       fmt::format("unknown key \"{}\"", members[i].key), std::move(hint));
  }
}

Origin Reader::origin(std::string_view field) const {
  for (const JsonMember& member : cursor_.value->members)
    if (member.key == field) return cursor_.member(member).origin();
  return cursor_.origin();
}

bool Reader::has(std::string_view field) const {
  const Value* value = cursor_.value->find(field);
  return value != nullptr && !value->is(JsonKind::kNull);
}

void Reader::error(std::string_view field, std::string message, std::string hint) {
  diagnostics_.error(origin(field), std::move(message), std::move(hint));
}

void Reader::on_text(const Field& field, std::string& value, bool& present,
                     std::span<const std::string> choices) {
  present = false;
  const JsonMember* member = take(field);
  if (member == nullptr) return;
  const Cursor cursor = cursor_.member(*member);
  if (!expect(cursor, JsonKind::kText, diagnostics_)) return;
  const std::string& text = member->value.text;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    std::string hint = did_you_mean(text, choices);
    diagnostics_.error(cursor.origin(), fmt::format("\"{}\" is none of {}", text, fmt::join(choices, ", ")),
                       std::move(hint));
    return;
  }
  value = text;
  present = true;
}

void Reader::on_number(const Field& field, double& value, bool& present, const NumberRule& rule) {
  present = false;
  const JsonMember* member = take(field);
  if (member == nullptr) return;
  if (const std::optional<double> number = read_number(cursor_.member(*member), rule, diagnostics_)) {
    value = *number;
    present = true;
  }
}

void Reader::on_boolean(const Field& field, bool& value, bool& present) {
  present = false;
  const JsonMember* member = take(field);
  if (member == nullptr || !expect(cursor_.member(*member), JsonKind::kBool, diagnostics_)) return;
  value = member->value.boolean;
  present = true;
}

void Reader::on_object(const Field& field, bool, const Body& body) {
  const JsonMember* member = take(field);
  if (member == nullptr) return;
  const Cursor cursor = cursor_.member(*member);
  if (!expect(cursor, JsonKind::kObject, diagnostics_)) return;
  Reader inner(cursor, diagnostics_);
  inner.all_optional = all_optional;
  body(inner);
  inner.finish();
}

void Reader::on_list(const Field& field, const List& list) {
  const JsonMember* member = take(field);
  if (member == nullptr) return;
  const Cursor cursor = cursor_.member(*member);
  if (!expect(cursor, JsonKind::kArray, diagnostics_)) return;
  list.resize(member->value.elements.size());
  for (std::size_t i = 0; i < member->value.elements.size(); ++i) {
    const Cursor element = cursor.element(i);
    if (!expect(element, JsonKind::kObject, diagnostics_)) continue;
    Reader inner(element, diagnostics_);
    list.describe(inner, i);
    inner.finish();
  }
}

void Reader::on_custom(const Field& field, const Custom& hooks) {
  if (const JsonMember* member = take(field)) hooks.read(cursor_.member(*member), diagnostics_);
}

}  // namespace rigcast::config
