#include "config/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

/// A quantity is a number and a unit. The unit is read as prefix, base and "per second", so that "12.3 GB/s",
/// "100 Gbps" and "80 GiB" need no table of their own. Case decides: B is bytes and b is bits, M is mega and
/// m is milli.

namespace rigcast::config {

namespace {

/// What a unit measures; bits are apart so that they are never taken for bytes.
enum class Measure { kBytes, kBits, kByteRate, kBitRate, kSeconds, kHertz, kWatts, kFlopRate };

struct Unit {
  double factor = 1;  ///< to the SI base unit; bits: to bits
  Measure measure = Measure::kBytes;
};

std::optional<double> decimal_prefix(std::string_view prefix) {
  if (prefix.empty()) return 1.0;
  if (prefix == "k" || prefix == "K") return 1e3;
  if (prefix == "M") return 1e6;
  if (prefix == "G") return 1e9;
  if (prefix == "T") return 1e12;
  if (prefix == "P") return 1e15;
  if (prefix == "E") return 1e18;
  return std::nullopt;
}

std::optional<double> binary_prefix(std::string_view prefix) {
  if (prefix == "Ki") return 1024.0;
  if (prefix == "Mi") return 1048576.0;
  if (prefix == "Gi") return 1073741824.0;
  if (prefix == "Ti") return 1099511627776.0;
  if (prefix == "Pi") return 1125899906842624.0;
  return std::nullopt;
}

std::optional<double> small_prefix(std::string_view prefix) {
  if (prefix == "m") return 1e-3;
  if (prefix == "u" || prefix == "\u00b5" || prefix == "\u03bc")
    return 1e-6;  // both code points of the micro sign
  if (prefix == "n") return 1e-9;
  if (prefix == "p") return 1e-12;
  return std::nullopt;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// bytes or bits, without "per second".
std::optional<Unit> data_unit(std::string_view text) {
  for (const auto& [name, measure] :
       std::array<std::pair<std::string_view, Measure>, 6>{{{"bytes", Measure::kBytes},
                                                            {"byte", Measure::kBytes},
                                                            {"bits", Measure::kBits},
                                                            {"bit", Measure::kBits},
                                                            {"B", Measure::kBytes},
                                                            {"b", Measure::kBits}}}) {
    if (!ends_with(text, name)) continue;
    const std::string_view prefix = text.substr(0, text.size() - name.size());
    if (const auto factor = decimal_prefix(prefix)) return Unit{*factor, measure};
    if (const auto factor = binary_prefix(prefix)) return Unit{*factor, measure};
  }
  return std::nullopt;
}

std::optional<Unit> rate_unit(std::string_view text) {
  for (const std::string_view per : {"/s", "ps"}) {
    if (!ends_with(text, per)) continue;
    auto unit = data_unit(text.substr(0, text.size() - per.size()));
    if (!unit) continue;
    unit->measure = unit->measure == Measure::kBytes ? Measure::kByteRate : Measure::kBitRate;
    return unit;
  }
  return std::nullopt;
}

/// `text` as a prefix and one of the `names`.
template <std::size_t N, class Prefix>
std::optional<Unit> named_unit(std::string_view text, const std::array<std::string_view, N>& names,
                               Measure measure, Prefix prefix_factor) {
  for (const std::string_view name : names) {
    if (!ends_with(text, name)) continue;
    if (const std::optional<double> factor = prefix_factor(text.substr(0, text.size() - name.size())))
      return Unit{*factor, measure};
  }
  return std::nullopt;
}

std::optional<Unit> find_unit(std::string_view text) {
  if (auto unit = rate_unit(text)) return unit;
  if (auto unit = data_unit(text)) return unit;
  constexpr std::array<std::string_view, 5> kFlops = {"FLOP/s", "FLOPS", "FLOPs/s", "OP/s", "OPS"};
  if (auto unit = named_unit(text, kFlops, Measure::kFlopRate, decimal_prefix)) return unit;
  if (auto unit = named_unit(text, std::array<std::string_view, 1>{"Hz"}, Measure::kHertz, decimal_prefix))
    return unit;
  if (auto unit = named_unit(text, std::array<std::string_view, 1>{"W"}, Measure::kWatts, decimal_prefix))
    return unit;
  if (text == "s") return Unit{1, Measure::kSeconds};
  if (text == "min") return Unit{60, Measure::kSeconds};
  if (text == "h") return Unit{3600, Measure::kSeconds};
  return named_unit(text, std::array<std::string_view, 1>{"s"}, Measure::kSeconds, small_prefix);
}

std::string_view measured(Measure measure) {
  switch (measure) {
    case Measure::kBytes:
      return "bytes";
    case Measure::kBits:
      return "bits";
    case Measure::kByteRate:
      return "bytes per second";
    case Measure::kBitRate:
      return "bits per second";
    case Measure::kSeconds:
      return "a time";
    case Measure::kHertz:
      return "a frequency";
    case Measure::kWatts:
      return "a power";
    case Measure::kFlopRate:
      return "operations per second";
  }
  return "";
}

struct Expectation {
  std::string_view what, example;
};

Expectation expectation(Dimension dimension) {
  switch (dimension) {
    case Dimension::kBytes:
      return {"bytes", "80 GiB"};
    case Dimension::kBytesPerSecond:
      return {"bytes per second", "12.3 GB/s"};
    case Dimension::kSeconds:
      return {"a time", "5 us"};
    case Dimension::kHertz:
      return {"a frequency", "1.41 GHz"};
    case Dimension::kWatts:
      return {"a power", "300 W"};
    case Dimension::kFlopsPerSecond:
      return {"operations per second", "125 TFLOP/s"};
    case Dimension::kNumber:
      return {"a number", "8"};
  }
  return {};
}

bool fits(Measure measure, Dimension dimension) {
  switch (dimension) {
    case Dimension::kBytes:
      return measure == Measure::kBytes;
    case Dimension::kBytesPerSecond:
      return measure == Measure::kByteRate || measure == Measure::kBitRate;
    case Dimension::kSeconds:
      return measure == Measure::kSeconds;
    case Dimension::kHertz:
      return measure == Measure::kHertz;
    case Dimension::kWatts:
      return measure == Measure::kWatts;
    case Dimension::kFlopsPerSecond:
      return measure == Measure::kFlopRate;
    case Dimension::kNumber:
      return false;
  }
  return false;
}

/// "2 GB" for 2e9: the largest decimal prefix that leaves at least 1.
std::string bytes_text(double bytes, std::string_view unit) {
  static constexpr std::array<std::string_view, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  while (std::fabs(bytes) >= 1000 && prefix + 1 < kPrefixes.size()) bytes /= 1000, ++prefix;
  return fmt::format("{:.6g} {}{}", bytes, kPrefixes[prefix], unit);
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

}  // namespace

Expected<double, std::string> parse_quantity(std::string_view raw, Dimension dimension) {
  using Error = Unexpected<std::string>;
  const std::string text = trimmed(raw);
  const Expectation expected = expectation(dimension);
  const auto shown = [&] { return text.size() > 40 ? text.substr(0, 40) + "..." : text; };
  const std::string wanted = fmt::format("expected {}, such as \"{}\"", expected.what, expected.example);

  double number = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error == std::errc::result_out_of_range)
    return Error(fmt::format("\"{}\" is too large or too small", shown()));
  // from_chars also takes "inf" and "nan", which no quantity is.
  if (error != std::errc() || !std::isfinite(number))
    return Error(fmt::format("\"{}\" is not a quantity: {}", shown(), wanted));
  const std::string unit_text = trimmed({rest, static_cast<std::size_t>(end - rest)});
  if (unit_text.empty()) return number;

  const std::optional<Unit> unit = find_unit(unit_text);
  if (!unit) {
    if (dimension == Dimension::kBytes || dimension == Dimension::kBytesPerSecond) {
      // "gb/s" could be either; a guess would be wrong by a factor of eight.
      std::string upper = unit_text;
      if (!upper.empty() && upper[0] >= 'a' && upper[0] <= 'z')
        upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
      if (upper != unit_text && find_unit(upper))
        return Error(fmt::format("\"{}\" has no known unit: B is bytes, b is bits; {}", shown(), wanted));
    }
    return Error(fmt::format("\"{}\" has no known unit: {}", shown(), wanted));
  }
  if (!fits(unit->measure, dimension)) {
    if (dimension == Dimension::kBytes && unit->measure == Measure::kBits)
      return Error(fmt::format("\"{}\" is bits, expected bytes: write \"{}\"", shown(),
                               bytes_text(number * unit->factor / 8, "B")));
    return Error(fmt::format("\"{}\" is {}, {}", shown(), measured(unit->measure), wanted));
  }
  const double value = number * unit->factor / (unit->measure == Measure::kBitRate ? 8 : 1);
  if (!std::isfinite(value)) return Error(fmt::format("\"{}\" is too large or too small", shown()));
  return value;
}

}  // namespace rigcast::config
