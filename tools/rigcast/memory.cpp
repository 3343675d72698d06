#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "remedies.h"

namespace rigcast::tool {
namespace {

struct Options {
  InputOptions input;
  OutputOptions output;
};

int run(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<Inputs> inputs = load_inputs(options.input, diagnostics);
  const int code = report(diagnostics, options.output.quiet);
  if (!inputs) return code;
  const plan::Scenario& scenario = inputs->loaded.scenario;
  const report::MemoryFindings findings = find_memory(scenario, inputs->library.catalogue);
  if (!options.output.quiet) print_warnings(scenario.warnings);
  Diagnostics written;
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::memory_json(out, findings);
        report::memory_text(out, scenario, findings, colored(options.output));
      },
      written);
  return report(written, options.output.quiet);
}

}  // namespace

Command memory_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("memory", "What fills the memory of GPUs and host, and what would make it fit");
  add_scenario_flags(*command, options->input);
  add_output_flags(*command, options->output, {"text", "json"});
  add_color_flag(*command, options->output);
  return {command,
          [options](Diagnostics& diagnostics) {
            check(options->input, diagnostics);
            check(options->output, diagnostics);
          },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
