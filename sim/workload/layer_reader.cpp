#include <cmath>
#include <utility>

#include "base/text.h"
#include "workload/layers.h"

namespace rigcast::workload {
namespace {

constexpr double kLargestNumber = 1e9;

}  // namespace

std::int64_t LayerReader::integer(std::string_view name, std::int64_t otherwise) const {
  const auto found = spec_.numbers.find(name);
  return found == spec_.numbers.end() ? otherwise : static_cast<std::int64_t>(found->second[0]);
}

Extent LayerReader::extent(std::string_view name, int dimensions, std::int64_t otherwise) const {
  const std::int64_t neutral = name == "padding" || name == "output_padding" ? 0 : 1;
  Extent extent = {neutral, neutral, neutral};
  const auto found = spec_.numbers.find(name);
  for (int d = 0; d < dimensions && d < 3; ++d) {
    std::int64_t value = otherwise;
    if (found != spec_.numbers.end()) {
      const std::vector<double>& given = found->second;
      value = static_cast<std::int64_t>(
          given[static_cast<std::size_t>(d) < given.size() ? static_cast<std::size_t>(d) : given.size() - 1]);
    }
    extent[static_cast<std::size_t>(3 - dimensions + d)] = value;
  }
  return extent;
}

std::vector<double> LayerReader::numbers(std::string_view name) const {
  const auto found = spec_.numbers.find(name);
  return found == spec_.numbers.end() ? std::vector<double>{} : found->second;
}

std::string LayerReader::text(std::string_view name, std::string_view otherwise) const {
  const auto found = spec_.texts.find(name);
  return found == spec_.texts.end() ? std::string(otherwise) : found->second;
}

bool check_attributes(const LayerSpec& spec, const LayerType& type, const std::string& name,
                      Diagnostics& diagnostics) {
  const std::string who = "\"" + name + "\" (" + spec.type + ")";
  std::vector<std::string> known;
  for (const LayerAttribute& attribute : type.attributes) known.emplace_back(attribute.name);
  bool fine = true;
  const auto complain = [&](std::string_view attribute, std::string message, std::string hint = {}) {
    Origin origin = spec.origin;
    if (!attribute.empty()) origin.pointer += "/" + std::string(attribute);
    diagnostics.error(std::move(origin), std::move(message), std::move(hint));
    fine = false;
  };
  const auto find = [&](std::string_view wanted) -> const LayerAttribute* {
    for (const LayerAttribute& attribute : type.attributes) {
      if (attribute.name == wanted) return &attribute;
    }
    return nullptr;
  };
  for (const auto& [key, values] : spec.numbers) {
    const LayerAttribute* attribute = find(key);
    if (!attribute) {
      complain(key, who + " has no attribute \"" + key + "\"", did_you_mean(key, known));
    } else if (attribute->text) {
      complain(key, who + ": \"" + key + "\" must be a text");
    } else {
      for (double value : values) {
        if (!(value >= static_cast<double>(attribute->least)) || value > kLargestNumber ||
            value != std::floor(value)) {
          complain(key, who + ": \"" + key + "\" must be a whole number of at least " +
                            std::to_string(attribute->least));
          break;
        }
      }
      if (values.empty()) complain(key, who + ": \"" + key + "\" is empty");
    }
  }
  for (const auto& [key, value] : spec.texts) {
    const LayerAttribute* attribute = find(key);
    if (!attribute) {
      complain(key, who + " has no attribute \"" + key + "\"", did_you_mean(key, known));
    } else if (!attribute->text && !(key == "padding" && value == "same")) {
      complain(key, who + ": \"" + key + "\" must be a number, not \"" + value + "\"");
    }
  }
  for (const LayerAttribute& attribute : type.attributes) {
    const bool given = spec.numbers.contains(attribute.name) || spec.texts.contains(attribute.name);
    if (attribute.required && !given) complain("", who + " needs \"" + std::string(attribute.name) + "\"");
  }
  return fine;
}

}  // namespace rigcast::workload
