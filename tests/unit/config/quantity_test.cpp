#include "config/quantity.h"

#include <doctest/doctest.h>

using namespace rigcast::config;

namespace {

double value(std::string_view text, Dimension dimension) {
  const auto parsed = parse_quantity(text, dimension);
  CHECK_MESSAGE(parsed.has_value(), (parsed ? std::string() : parsed.error()));
  return parsed.value_or(-1);
}

std::string error(std::string_view text, Dimension dimension) {
  const auto parsed = parse_quantity(text, dimension);
  return parsed ? "" : parsed.error();
}

}  // namespace

TEST_CASE("sizes: decimal and binary prefixes differ, a plain number is bytes") {
  CHECK(value("1 kB", Dimension::kBytes) == 1000);
  CHECK(value("1 KiB", Dimension::kBytes) == 1024);
  CHECK(value("80 GiB", Dimension::kBytes) == 80.0 * 1024 * 1024 * 1024);
  CHECK(value("80GB", Dimension::kBytes) == 80e9);
  CHECK(value("1.5 TB", Dimension::kBytes) == 1.5e12);
  CHECK(value("2 TiB", Dimension::kBytes) == 2.0 * 1024 * 1024 * 1024 * 1024);
  CHECK(value("512 bytes", Dimension::kBytes) == 512);
  CHECK(value("4096", Dimension::kBytes) == 4096);
}

TEST_CASE("rates take bits and bytes: 100 Gb/s = 100e9 / 8 bytes per second") {
  CHECK(value("12.5 GB/s", Dimension::kBytesPerSecond) == 12.5e9);
  for (const char* text : {"100 Gb/s", "100 Gbit/s", "100 Gbps", "100Gb/s"})
    CHECK(value(text, Dimension::kBytesPerSecond) == 12.5e9);
  CHECK(value("900 GBps", Dimension::kBytesPerSecond) == 900e9);
  CHECK(value("1 MiB/s", Dimension::kBytesPerSecond) == 1048576);
  CHECK(value("8 kb/s", Dimension::kBytesPerSecond) == 1000);
}

TEST_CASE("times, clocks, powers and arithmetic") {
  CHECK(value("5 us", Dimension::kSeconds) == doctest::Approx(5e-6).epsilon(1e-15));
  CHECK(value("5 \u00b5s", Dimension::kSeconds) == value("5 us", Dimension::kSeconds));
  CHECK(value("250 ns", Dimension::kSeconds) == doctest::Approx(250e-9).epsilon(1e-15));
  CHECK(value("3 ms", Dimension::kSeconds) == doctest::Approx(3e-3).epsilon(1e-15));
  CHECK(value("2 s", Dimension::kSeconds) == 2);
  CHECK(value("2 min", Dimension::kSeconds) == 120);
  CHECK(value("1.41 GHz", Dimension::kHertz) == doctest::Approx(1.41e9).epsilon(1e-15));
  CHECK(value("1530 MHz", Dimension::kHertz) == 1530e6);
  CHECK(value("1.2 kW", Dimension::kWatts) == 1200);
  CHECK(value("125 TFLOP/s", Dimension::kFlopsPerSecond) == 125e12);
  CHECK(value("15.7 TFLOPS", Dimension::kFlopsPerSecond) == doctest::Approx(15.7e12).epsilon(1e-15));
  CHECK(value("624 TOPS", Dimension::kFlopsPerSecond) == 624e12);
}

TEST_CASE("bits are never taken for bytes") {
  CHECK(error("16 Gb", Dimension::kBytes) == "\"16 Gb\" is bits, expected bytes: write \"2 GB\"");
  CHECK(error("1 Mbit", Dimension::kBytes) == "\"1 Mbit\" is bits, expected bytes: write \"125 kB\"");
  CHECK(error("10 gb/s", Dimension::kBytesPerSecond) ==
        "\"10 gb/s\" has no known unit: B is bytes, b is bits; expected bytes per second, such as \"12.3 "
        "GB/s\"");
}

TEST_CASE("what is no quantity, or another one, says what was expected") {
  CHECK(error("fast", Dimension::kBytesPerSecond) ==
        "\"fast\" is not a quantity: expected bytes per second, such as \"12.3 GB/s\"");
  CHECK(error("", Dimension::kBytes) == "\"\" is not a quantity: expected bytes, such as \"80 GiB\"");
  CHECK(error("nan", Dimension::kSeconds) == "\"nan\" is not a quantity: expected a time, such as \"5 us\"");
  CHECK(error("inf GB", Dimension::kBytes) ==
        "\"inf GB\" is not a quantity: expected bytes, such as \"80 GiB\"");
  CHECK(error("5 us", Dimension::kBytesPerSecond) ==
        "\"5 us\" is a time, expected bytes per second, such as \"12.3 GB/s\"");
  CHECK(error("5 GB", Dimension::kBytesPerSecond) ==
        "\"5 GB\" is bytes, expected bytes per second, such as \"12.3 GB/s\"");
  CHECK(error("5 parsec", Dimension::kSeconds) ==
        "\"5 parsec\" has no known unit: expected a time, such as \"5 us\"");
  CHECK(error("1e400 GB", Dimension::kBytes) == "\"1e400 GB\" is too large or too small");
  CHECK(error("5 GB", Dimension::kNumber) == "\"5 GB\" is bytes, expected a number, such as \"8\"");
}
