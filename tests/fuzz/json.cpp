#include "config/json.h"

#include "fuzz.h"

/// Any bytes: a value or an error, and a value survives being written and read.

using namespace rigcast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const auto value = config::parse_json(fuzz::text_of(data, size), "f", diagnostics);
  RIG_CHECK(value.has_value() == diagnostics.ok(), "no value has its error");
  fuzz::check_messages(diagnostics);
  if (!value) return 0;
  const std::string text = config::dump(*value);
  const auto again = config::parse_json(text, "g", diagnostics);
  RIG_CHECK(again && config::dump(*again) == text, "what is written is read back");
  return 0;
}
