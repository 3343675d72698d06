#include <fmt/format.h>

#include "config/json.h"
#include "config/load.h"

namespace rigcast::config {
namespace {

Value constant_value(const hardware::Constant& constant) {
  Value value = make_object();
  add(value, "value", make_number(constant.value));
  add(value, "unit", make_text(constant.unit));
  if (constant.fitted()) {
    add(value, "low", make_number(constant.low));
    add(value, "high", make_number(constant.high));
  }
  if (constant.uncertainty > 0) add(value, "uncertainty", make_number(constant.uncertainty));
  add(value, "source", make_text(constant.source));
  return value;
}

Value residual_value(const hardware::ResidualGroup& group) {
  Value value = make_object();
  if (!group.family.empty()) add(value, "family", make_text(group.family));
  if (!group.architecture.empty()) add(value, "architecture", make_text(group.architecture));
  if (!group.scale.empty()) add(value, "scale", make_text(group.scale));
  add(value, "n", make_number(group.n));
  add(value, "low", make_number(group.low));
  add(value, "high", make_number(group.high));
  return value;
}

/// The value on one line.
std::string on_one_line(const Value& value) {
  std::string line;
  bool space = false;
  for (const char c : dump(value)) {
    if (c == '\n') {
      space = true;
      continue;
    }
    if (c == ' ' && space) continue;
    // Members stand apart, brackets do not.
    if (space && c != '}' && !line.empty() && line.back() == ',') line += ' ';
    space = false;
    line += c;
  }
  return line;
}

}  // namespace

std::string to_json(const hardware::Profile& profile, const std::vector<hardware::ResidualGroup>& residuals) {
  std::string text =
      "{\n \"title\": \"Constants that data sheets do not give: fractions of peaks, host times, traffic "
      "factors\",\n";
  text += fmt::format(" \"date\": \"{}\",\n \"constants\": {{", profile.date);
  const char* separator = "\n";
  for (const auto& [key, constant] : profile.all()) {
    text += fmt::format("{}  {}: {}", separator, on_one_line(make_text(key)),
                        on_one_line(constant_value(constant)));
    separator = ",\n";
  }
  text += "\n }";
  if (!residuals.empty()) {
    text += ",\n \"residuals\": [";
    separator = "\n";
    for (const hardware::ResidualGroup& group : residuals) {
      text += separator + ("  " + on_one_line(residual_value(group)));
      separator = ",\n";
    }
    text += "\n ]";
  }
  return text + "\n}\n";
}

}  // namespace rigcast::config
