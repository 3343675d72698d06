#pragma once

/// Flags that several commands share. A command offers only those that do something for it.

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace CLI {
class App;
}

namespace rigcast::tool {

/// What to read: a scenario file, or a machine and a workload by name or path.
struct InputOptions {
  std::string scenario, machine, workload, profile;  ///< empty: not given
  std::vector<std::string> set;                      ///< "PATH=VALUE" in order
  std::vector<std::string> catalogue;                ///< folders of own parts, machines and workloads
};

/// Where and how to write.
struct OutputOptions {
  std::string format = "text";
  std::vector<std::string> formats = {"text", "json"};  ///< the command's choice, for messages
  std::string file;                                     ///< empty: standard output
  std::string color = "auto";
  bool quiet = false;    ///< no warnings, no progress
  bool verbose = false;  ///< figures of the run on standard error
};

/// SCENARIO.json, --machine, --workload, --set, and those of `add_library_flags`.
void add_scenario_flags(CLI::App& command, InputOptions& options);
/// --profile, --catalogue.
void add_library_flags(CLI::App& command, InputOptions& options);
/// --format, -o and -q. `formats` are the command's.
void add_output_flags(CLI::App& command, OutputOptions& options, std::vector<std::string> formats);
void add_color_flag(CLI::App& command, OutputOptions& options);
void add_verbose_flag(CLI::App& command, OutputOptions& options);

/// What can be found wrong before any file is read.
void check(const InputOptions& options, Diagnostics& diagnostics);
void check(const OutputOptions& options, Diagnostics& diagnostics);

}  // namespace rigcast::tool
