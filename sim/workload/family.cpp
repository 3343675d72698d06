#include "workload/family.h"

#include <cmath>
#include <utility>

#include "base/text.h"

namespace rigcast::workload {
namespace {

constexpr double kLargestDimension = 1e9;

std::string plain(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15
             ? std::to_string(static_cast<std::int64_t>(value))
             : std::to_string(value);
}

}  // namespace

const std::vector<double>* DimensionReader::find(std::string_view name) const {
  const auto found = spec_.dimensions.find(name);
  return found == spec_.dimensions.end() ? nullptr : &found->second;
}

void DimensionReader::error(std::string_view dimension, std::string message, std::string hint) const {
  Origin origin = spec_.origin;
  origin.pointer += "/dimensions/" + std::string(dimension);
  diagnostics_.error(std::move(origin), std::move(message), std::move(hint));
  ok_ = false;
}

bool DimensionReader::has(std::string_view name) const { return find(name) || spec_.options.contains(name); }

std::int64_t DimensionReader::whole(std::string_view name, double value, std::int64_t least,
                                    std::int64_t otherwise) const {
  if (value >= static_cast<double>(least) && value <= kLargestDimension && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  error(name, "\"" + std::string(name) + "\" must be a whole number from " + std::to_string(least) +
                  " to 1e9, not " + plain(value));
  return otherwise;
}

std::int64_t DimensionReader::integer(std::string_view name, std::int64_t otherwise,
                                      std::int64_t least) const {
  const std::vector<double>* values = find(name);
  if (!values) {
    if (spec_.options.contains(name)) error(name, "\"" + std::string(name) + "\" must be a number");
    return otherwise;
  }
  if (values->size() != 1) {
    error(name, "\"" + std::string(name) + "\" must be one number");
    return otherwise;
  }
  return whole(name, (*values)[0], least, otherwise);
}

std::int64_t DimensionReader::required(std::string_view name) const {
  if (!has(name)) {
    error(name, "\"" + spec_.name + "\" needs the dimension \"" + std::string(name) + "\"");
    return 1;
  }
  return integer(name, 1);
}

std::int64_t DimensionReader::choice(std::string_view name,
                                     std::initializer_list<std::int64_t> choices) const {
  const std::int64_t value = required(name);
  std::string list;
  for (std::int64_t choice : choices) {
    if (choice == value) return value;
    list += (list.empty() ? "" : ", ") + std::to_string(choice);
  }
  if (ok_)
    error(name, "\"" + std::string(name) + "\" must be one of " + list + ", not " + std::to_string(value));
  return *choices.begin();
}

double DimensionReader::number(std::string_view name, double otherwise) const {
  const std::vector<double>* values = find(name);
  if (!values) return otherwise;
  if (values->size() == 1 && (*values)[0] > 0 && (*values)[0] <= kLargestDimension) return (*values)[0];
  error(name, "\"" + std::string(name) + "\" must be one number above 0");
  return otherwise;
}

bool DimensionReader::flag(std::string_view name, bool otherwise) const {
  return integer(name, otherwise ? 1 : 0, 0) != 0;
}

std::vector<std::int64_t> DimensionReader::integers(std::string_view name,
                                                    std::vector<std::int64_t> otherwise) const {
  const std::vector<double>* values = find(name);
  if (!values) return otherwise;
  if (values->empty()) {
    error(name, "\"" + std::string(name) + "\" is empty");
    return otherwise;
  }
  std::vector<std::int64_t> list;
  for (double value : *values) list.push_back(whole(name, value, 1, 1));
  return list;
}

std::string DimensionReader::text(std::string_view name,
                                  std::initializer_list<std::string_view> choices) const {
  const auto found = spec_.options.find(name);
  if (found == spec_.options.end()) {
    if (find(name)) error(name, "\"" + std::string(name) + "\" must be a text");
    return std::string(*choices.begin());
  }
  std::vector<std::string> names(choices.begin(), choices.end());
  std::string list;
  for (const std::string& choice : names) {
    if (choice == found->second) return choice;
    list += (list.empty() ? "\"" : ", \"") + choice + "\"";
  }
  error(name, "\"" + std::string(name) + "\" must be one of " + list + ", not \"" + found->second + "\"",
        did_you_mean(found->second, names));
  return names.front();
}

Shape DimensionReader::image(std::string_view name, Shape otherwise) const {
  Shape shape = integers(name, otherwise);
  if (shape.size() == otherwise.size() && elements(shape) <= 1e12) return shape;
  error(name, "\"" + std::string(name) + "\" must be " + std::to_string(otherwise.size()) +
                  " numbers, channels first");
  return otherwise;
}

std::int64_t DimensionReader::seq_len(std::int64_t otherwise) const {
  const std::int64_t length = shaping_.seq_len.value_or(spec_.seq_len.value_or(otherwise));
  if (length >= 1 && length <= 100000000) return length;
  Origin origin = spec_.origin;
  origin.pointer += "/seq_len";
  diagnostics_.error(std::move(origin), "\"seq_len\" must be from 1 to 1e8, not " + std::to_string(length));
  ok_ = false;
  return otherwise;
}

void set_image_dataset(Network& network, const Shape& image, std::string_view unit) {
  network.dataset.unit = unit;
  network.dataset.decoded_bytes = 4 * elements(image);
}

void set_token_dataset(Network& network, std::int64_t tokens, int arrays, std::string_view unit) {
  network.dataset.unit = unit;
  network.dataset.decoded_bytes = 8.0 * arrays * static_cast<double>(tokens);
  network.dataset.decode = "text";
  network.tokens_per_sample = tokens;
}

}  // namespace rigcast::workload
