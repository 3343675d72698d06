#pragma once

/// Numbers with units in files and on the command line: "12.3 GB/s", "100 Gb/s", "5 us", "80 GiB". Bits and
/// bytes, decimal and binary are never confused; a plain number is in SI base units.

#include <string>
#include <string_view>

#include "base/expected.h"

namespace rigcast::config {

enum class Dimension { kBytes, kBytesPerSecond, kSeconds, kHertz, kWatts, kFlopsPerSecond, kNumber };

/// The value in the dimension's SI base unit, or what is wrong ("\"16 Gb\" is bits, expected bytes: write \"2
/// GB\"").
Expected<double, std::string> parse_quantity(std::string_view text, Dimension dimension);

}  // namespace rigcast::config
