#include "study/forecast.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "report/forecast_csv.h"
#include "report/forecast_json.h"
#include "report/forecast_text.h"
#include "report/trace.h"

namespace rigcast::tool {
namespace {

struct Options {
  InputOptions input;
  OutputOptions output;
  std::string trace;
};

/// Adds the settings that could not matter, each once.
void add_without_effect(const config::Loaded& loaded, const study::Run& run, study::Forecast& forecast) {
  for (std::string& warning : study::without_effect(loaded.scenario, loaded.origins, run))
    if (std::find(forecast.warnings.begin(), forecast.warnings.end(), warning) == forecast.warnings.end())
      forecast.warnings.push_back(std::move(warning));
}

void print_figures(const study::Run& run) {
  std::cerr << run.lowered.graph.size() << " tasks, " << run.lowered.graph.edge_count() << " edges, "
            << run.lowered.resources.size() << " resources, " << run.lowered.iteration_ends.size()
            << " iterations\n"
            << run.timeline.events << " events, " << run.timeline.solves
            << " solves of the sharing; steady from iteration " << run.steady.first << " to "
            << run.steady.last << '\n';
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<Inputs> inputs = load_inputs(options.input, diagnostics);
  const int code = report(diagnostics, options.output.quiet);
  if (!inputs) return code;
  const plan::Scenario& scenario = inputs->loaded.scenario;

  study::Run run;
  study::Forecast forecast;
  {
    const Progress progress("simulating", options.output.quiet);
    study::Options how;
    how.residuals = &inputs->library.catalogue.residuals;
    forecast = study::forecast(scenario, how, &run);
  }
  add_without_effect(inputs->loaded, run, forecast);

  Diagnostics written;
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::forecast_json(out, scenario, forecast);
        if (options.output.format == "csv") return report::forecast_csv(out, scenario, forecast);
        report::forecast_text(out, scenario, forecast, colored(options.output));
      },
      written);
  if (!options.trace.empty())
    write_file(
        options.trace, [&](std::ostream& out) { report::trace(out, run); }, written);
  // The text names the warnings itself; on one terminal they need not be read twice.
  const bool read_already = options.output.format == "text" && shares_terminal(options.output);
  if (!options.output.quiet && !read_already) print_warnings(forecast.warnings);
  if (options.output.verbose) print_figures(run);
  return report(written, options.output.quiet);
}

}  // namespace

Command forecast_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "forecast", "Iteration time, throughput, memory, what limits it, what would help");
  add_scenario_flags(*command, options->input);
  add_output_flags(*command, options->output, {"text", "json", "csv"});
  command
      ->add_option("--trace", options->trace,
                   "Timeline as trace-event JSON, for Perfetto or chrome://tracing")
      ->type_name("FILE");
  add_color_flag(*command, options->output);
  add_verbose_flag(*command, options->output);
  return {command,
          [options](Diagnostics& diagnostics) {
            check(options->input, diagnostics);
            check(options->output, diagnostics);
            if (!options->trace.empty()) check_writable(options->trace, diagnostics);
          },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
