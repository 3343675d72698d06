#include "config/quantity.h"

#include <cmath>

#include "fuzz.h"

/// The first byte chooses the dimension (digits do, modulo seven), the rest is the text.

using namespace rigcast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto dimension = static_cast<config::Dimension>(data[0] % 7);
  const auto value = config::parse_quantity(fuzz::text_of(data + 1, size - 1), dimension);
  RIG_CHECK(value ? std::isfinite(*value) : !value.error().empty(), "a finite number or a reason");
  return 0;
}
