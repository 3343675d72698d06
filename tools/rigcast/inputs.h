#pragma once

/// Files, folders and flags -> the library and the scenario.

#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "base/expected.h"
#include "config/load.h"
#include "options.h"

namespace rigcast::tool {

/// A whole file, or why it cannot be read ("no such file"). "-" is standard input. Larger files than any
/// input of rigcast are refused before they are read.
Expected<config::Source, std::string> read_source(const std::string& path);

/// The same with the reason as an error in `diagnostics`, and an empty text.
config::Source read_or_report(const std::string& path, Diagnostics& diagnostics);

/// Threads to use: as many as the user said, or one a processor for 0.
int thread_count(int jobs);

/// The shipped catalogue with --catalogue folders and --profile.
config::Library load_library(const InputOptions& options, Diagnostics& diagnostics);

struct Inputs {
  config::Library library;
  config::Loaded loaded;
};

/// Library and scenario; nothing when something is wrong, with every error in `diagnostics`.
std::optional<Inputs> load_inputs(const InputOptions& options, Diagnostics& diagnostics);

}  // namespace rigcast::tool
