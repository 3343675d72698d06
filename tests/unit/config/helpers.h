#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "config/load.h"

namespace rigcast::config::testing {

/// The shipped catalogue, read once for all tests of this program.
inline const Library& library() {
  static const Library shipped = [] {
    Diagnostics diagnostics;
    return load_library({}, std::nullopt, diagnostics);
  }();
  return shipped;
}

/// All messages, each as it is printed, joined by line ends.
inline std::string text(const Diagnostics& diagnostics) {
  std::string all;
  for (const Diagnostic& entry : diagnostics.entries()) all += (all.empty() ? "" : "\n") + to_text(entry);
  return all;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

/// What loading a scenario text complains about; "" when it loads.
inline std::string complaints(const std::string& scenario, const Settings& set = {}) {
  Diagnostics diagnostics;
  Request request;
  request.scenario = Source{"s.json", scenario};
  request.set = set;
  load_scenario(library(), request, diagnostics);
  return text(diagnostics);
}

/// A scenario that must load.
inline Loaded load(const std::string& scenario, const Settings& set = {}) {
  Diagnostics diagnostics;
  Request request;
  request.scenario = Source{"s.json", scenario};
  request.set = set;
  auto loaded = load_scenario(library(), request, diagnostics);
  if (!loaded) throw text(diagnostics);
  return *std::move(loaded);
}

}  // namespace rigcast::config::testing
