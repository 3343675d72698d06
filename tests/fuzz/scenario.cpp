#include "fuzz.h"

/// Lines PATH=VALUE up to an empty line, as --set gives them, then a scenario. One that loads is the same
/// when its echo is loaded.

using namespace rigcast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  config::Request request;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) break;
    const std::size_t equals = std::min(line.find('='), line.size());
    request.set.emplace_back(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
  }
  request.scenario = config::Source{"s.json", std::string(text)};
  Diagnostics diagnostics;
  const auto loaded = config::load_scenario(fuzz::library(), request, diagnostics);
  RIG_CHECK(loaded.has_value() == diagnostics.ok(), "no scenario has its error");
  fuzz::check_messages(diagnostics);
  if (!loaded) return 0;
  config::Request echo;
  echo.scenario = config::Source{"echo", config::to_json(loaded->scenario)};
  const auto again = config::load_scenario(fuzz::library(), echo, diagnostics);
  RIG_CHECK(again && config::to_json(again->scenario) == echo.scenario->text,
            "the echo is the same scenario");
  return 0;
}
