#pragma once

/// The shipped catalogue, and scenarios of it, for the rooms that work on whole scenarios.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "config/load.h"

namespace rigcast::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline const config::Library& library() {
  static const config::Library loaded = [] {
    Diagnostics diagnostics;
    return config::load_library({}, {}, diagnostics);
  }();
  return loaded;
}

inline config::Loaded load(const std::string& machine, const std::string& workload, Settings set = {}) {
  config::Request request;
  request.machine = machine;
  request.workload = workload;
  request.set = std::move(set);
  Diagnostics diagnostics;
  auto loaded = config::load_scenario(library(), request, diagnostics);
  std::string errors;
  for (const Diagnostic& d : diagnostics.entries()) errors += to_text(d) + "\n";
  REQUIRE_MESSAGE(loaded.has_value(), errors);
  return std::move(*loaded);
}

inline plan::Scenario scenario(const std::string& machine, const std::string& workload, Settings set = {}) {
  return load(machine, workload, std::move(set)).scenario;
}

}  // namespace rigcast::test
