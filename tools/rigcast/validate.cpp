#include "study/validate.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "report/validation.h"

namespace rigcast::tool {
namespace {

struct Options {
  InputOptions input;
  OutputOptions output;
  std::vector<std::string> files, by = {"source", "gpu", "model", "gpus", "precision"};
  std::string pairs, each, gpu;
  int jobs = 0;
};

config::Source read_or_report(const std::string& path, Diagnostics& diagnostics) {
  auto source = read_source(path);
  if (source) return *std::move(source);
  diagnostics.unreadable(path, source.error());
  return {path, {}};
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const config::Library library = load_library(options.input, diagnostics);
  std::vector<config::Source> files;
  for (const std::string& file : options.files) files.push_back(read_or_report(file, diagnostics));
  std::vector<study::Pair> pairs;
  if (!options.pairs.empty()) pairs = study::read_pairs(read_or_report(options.pairs, diagnostics), diagnostics);
  std::vector<study::Row> rows = study::read_rows(files, options.gpu, diagnostics);
  const int code = report(diagnostics, options.output.quiet);
  if (!diagnostics.ok()) return code;

  study::ValidateOptions how;
  how.jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  how.by = options.by;
  study::Validation validation;
  {
    Progress bar("forecasting", options.output.quiet);
    how.progress = [&bar](std::size_t done, std::size_t total) { bar.set(done, total); };
    const auto observations = study::observe_all(std::move(rows), library, how);
    auto scored = study::score(observations, library, how);
    validation = study::tabulate(std::move(scored), observations, pairs, how);
  }
  Diagnostics written;
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::validation_json(out, validation);
        if (options.output.format == "csv") return report::validation_csv(out, validation);
        report::validation_text(out, validation);
      },
      written);
  if (!options.each.empty())
    write_file(
        options.each, [&](std::ostream& out) { report::validation_each(out, validation); }, written);
  return report(written, options.output.quiet);
}

}  // namespace

Command validate_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("validate", "Published measurements beside forecasts of them");
  command
      ->add_option("FILE", options->files,
                   "Rows as JSON Lines, or m,n,k,seconds as CSV (GPU from the file's name)")
      ->type_name("")
      ->required();
  command->add_option("--pairs", options->pairs, "Pairs of rows that differ in one thing (JSON Lines)")
      ->type_name("FILE");
  command->add_option("--by", options->by, "Fields to tabulate errors by")
      ->type_name("FIELD,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--each", options->each, "Writes a line a row (JSON Lines)")->type_name("FILE");
  command->add_option("--gpu", options->gpu, "GPU of CSV files whose name does not say it")->type_name("ID");
  command->add_option("--jobs", options->jobs, "Threads; 0: one a processor")->check(CLI::NonNegativeNumber);
  add_library_flags(*command, options->input);
  add_output_flags(*command, options->output, {"text", "json", "csv"});
  return {command,
          [options](Diagnostics& diagnostics) {
            check(options->output, diagnostics);
            if (!options->each.empty()) check_writable(options->each, diagnostics);
          },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
