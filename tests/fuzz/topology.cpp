#include "fuzz.h"

/// A machine in place: a topology, a variant or a composition. One that reads is the same when written and
/// read again.

using namespace rigcast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const std::string text(fuzz::text_of(data, size));
  const auto machine = config::load_machine(fuzz::library(), text, nullptr, diagnostics);
  RIG_CHECK(machine.has_value() == diagnostics.ok(), "no machine has its error");
  fuzz::check_messages(diagnostics);
  if (!machine) return 0;
  const std::string written = config::to_json(*machine);
  const auto again = config::load_machine(fuzz::library(), written, nullptr, diagnostics);
  RIG_CHECK(again && config::to_json(*again) == written, "what is written is read back");
  return 0;
}
