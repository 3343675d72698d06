#include "options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "base/text.h"
#include "output.h"

namespace rigcast::tool {
namespace {

void check_choice(const std::string& flag, const std::string& value, const std::vector<std::string>& choices,
                  Diagnostics& diagnostics) {
  std::string expected;
  for (const std::string& choice : choices) {
    if (choice == value) return;
    expected += (expected.empty() ? "" : ", ") + choice;
  }
  diagnostics.error({}, flag + " " + value + ": expected one of " + expected, did_you_mean(value, choices));
}

}  // namespace

void add_scenario_flags(CLI::App& command, InputOptions& options) {
  command
      .add_option("SCENARIO", options.scenario,
                  "Scenario file: machine, workload and plan (- for standard input)")
      ->type_name("");
  command.add_option("--machine", options.machine, "Machine: a name of the catalogue or a topology file")
      ->type_name("NAME");
  command.add_option("--workload", options.workload, "Workload: a name of the catalogue or a workload file")
      ->type_name("NAME");
  command
      .add_option(
          "--set", options.set,
          "Changes a field: --set plan.batch_per_gpu=64; repeatable, VALUE is JSON, a word or a quantity")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  add_library_flags(command, options);
}

void add_library_flags(CLI::App& command, InputOptions& options) {
  command.add_option("--profile", options.profile, "Fitted constants that replace the shipped ones")
      ->type_name("FILE");
  command
      .add_option("--catalogue", options.catalogue,
                  "Own parts, machines and workloads beside the shipped ones")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void add_output_flags(CLI::App& command, OutputOptions& options, std::vector<std::string> formats) {
  options.formats = std::move(formats);
  std::string choices;
  for (const std::string& choice : options.formats) choices += (choices.empty() ? "" : "|") + choice;
  command.add_option("--format", options.format, "Form of the result (text when left out)")
      ->type_name(choices);
  command.add_option("-o,--output", options.file, "Writes the result to FILE instead of standard output")
      ->type_name("FILE");
  command.add_flag("-q,--quiet", options.quiet, "No warnings and no progress");
}

void add_color_flag(CLI::App& command, OutputOptions& options) {
  command
      .add_option("--color", options.color,
                  "Colours; auto: when standard output is a terminal and NO_COLOR is not set")
      ->type_name("auto|always|never");
}

void add_verbose_flag(CLI::App& command, OutputOptions& options) {
  command.add_flag("-v,--verbose", options.verbose, "Figures of the simulation itself on standard error");
}

void check(const InputOptions& options, Diagnostics& diagnostics) {
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      diagnostics.error({}, "--set " + assignment + ": expected PATH=VALUE",
                        "for example --set plan.batch_per_gpu=64");
  }
}

void check(const OutputOptions& options, Diagnostics& diagnostics) {
  check_choice("--format", options.format, options.formats, diagnostics);
  check_choice("--color", options.color, {"auto", "always", "never"}, diagnostics);
  if (!options.file.empty()) check_writable(options.file, diagnostics);
}

}  // namespace rigcast::tool
