#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "config/load.h"
#include "engine/simulate.h"
#include "lower/lower.h"

namespace rigcast::test {

inline const config::Library& library() {
  static const config::Library loaded = [] {
    Diagnostics diagnostics;
    return config::load_library({}, {}, diagnostics);
  }();
  return loaded;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

inline plan::Scenario scenario(const std::string& machine, const std::string& workload, Settings set = {}) {
  config::Request request;
  request.machine = machine;
  request.workload = workload;
  request.set = std::move(set);
  Diagnostics diagnostics;
  auto loaded = config::load_scenario(library(), request, diagnostics);
  std::string errors;
  for (const Diagnostic& d : diagnostics.entries()) errors += to_text(d) + "\n";
  REQUIRE_MESSAGE(loaded.has_value(), errors);
  return loaded->scenario;
}

inline timeline::Timeline play(const lower::Lowered& lowered) {
  auto result = engine::simulate(lowered.graph, lowered.resources);
  REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().text));
  return *result;
}

}  // namespace rigcast::test
