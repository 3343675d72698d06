#include "fuzz.h"

/// A workload in place: a family, a layer list or totals. Without the catalogue, so that its size does not
/// slow the search.

using namespace rigcast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const config::Library kEmpty;
  Diagnostics diagnostics;
  const std::string text(fuzz::text_of(data, size));
  const auto network = config::load_network(kEmpty, text, {}, nullptr, diagnostics);
  RIG_CHECK(network.has_value() == diagnostics.ok(), "no network has its error");
  fuzz::check_messages(diagnostics);
  if (network)
    RIG_CHECK(!network->operators.empty() && network->parameters() >= 0, "a network has operators");
  return 0;
}
