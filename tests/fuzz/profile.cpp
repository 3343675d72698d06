#include "config/parts.h"
#include "fuzz.h"

/// A parts file and a profile, read into an empty catalogue.

using namespace rigcast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  Diagnostics diagnostics;
  hardware::Catalogue catalogue;
  config::read_parts(text, "p", catalogue, diagnostics);
  config::read_profile(text, "p", catalogue, diagnostics);
  fuzz::check_messages(diagnostics);
  return 0;
}
