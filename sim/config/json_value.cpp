#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/json.h"

namespace rigcast::config {

namespace {

/// Whole numbers below this are written without a point; every whole double below 2^53 is exact.
constexpr double kLargestWhole = 9007199254740992.0;

nlohmann::ordered_json to_ordered(const Value& value) {
  switch (value.kind) {
    case JsonKind::kNull:
      return nullptr;
    case JsonKind::kBool:
      return value.boolean;
    case JsonKind::kNumber:
      if (std::trunc(value.number) == value.number && std::fabs(value.number) < kLargestWhole)
        return static_cast<std::int64_t>(value.number);
      return value.number;
    case JsonKind::kText:
      return value.text;
    case JsonKind::kArray: {
      auto array = nlohmann::ordered_json::array();
      for (const Value& element : value.elements) array.push_back(to_ordered(element));
      return array;
    }
    case JsonKind::kObject: {
      // Pushed, not looked up: an ordered object finds a key by searching all of them.
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      auto& members = object.get_ref<nlohmann::ordered_json::object_t&>();
      for (const JsonMember& member : value.members)
        static_cast<std::vector<std::pair<const std::string, nlohmann::ordered_json>>&>(members).emplace_back(
            member.key, to_ordered(member.value));
      return object;
    }
  }
  return nullptr;
}

}  // namespace

std::string_view name(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return "true or false";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kText:
      return "a text";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
  }
  return "";
}

const Value* Value::find(std::string_view key) const {
  for (const JsonMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

Value make_text(std::string text, Place place) {
  Value value;
  value.kind = JsonKind::kText;
  value.text = std::move(text);
  value.place = std::move(place);
  return value;
}

Value make_number(double number) {
  Value value;
  value.kind = JsonKind::kNumber;
  value.number = number;
  return value;
}

Value make_boolean(bool boolean) {
  Value value;
  value.kind = JsonKind::kBool;
  value.boolean = boolean;
  return value;
}

Value make_array(std::vector<Value> elements) {
  Value value;
  value.kind = JsonKind::kArray;
  value.elements = std::move(elements);
  return value;
}

Value make_texts(const std::vector<std::string>& texts) {
  Value value = make_array();
  for (const std::string& text : texts) value.elements.push_back(make_text(text));
  return value;
}

Value make_object(Place place) {
  Value value;
  value.kind = JsonKind::kObject;
  value.place = std::move(place);
  return value;
}

Value& add(Value& object, std::string key, Value value) {
  object.members.push_back({std::move(key), {}, std::move(value)});
  return object.members.back().value;
}

std::string dump(const Value& value) {
  // Texts come from files that were proved UTF-8, or from the command line, which may hold anything.
  return to_ordered(value).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace rigcast::config
