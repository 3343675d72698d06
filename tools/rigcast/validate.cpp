#include "study/validate.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "report/validation.h"
#include "study/fit.h"

namespace rigcast::tool {
namespace {

struct Options {
  InputOptions input;
  OutputOptions output;
  std::vector<std::string> files, by = {"source", "gpu", "model", "gpus", "precision"};
  std::string pairs, each, gpu, hold_out;
  int jobs = 0, folds = 5;
  bool cross_validate = false;
};

/// The largest slices by a field, each as a part to hold out.
std::vector<std::vector<std::size_t>> largest_slices(const std::vector<study::Observation>& observations,
                                                     const std::vector<study::Scored>& rows,
                                                     const std::string& field) {
  constexpr std::size_t kSlices = 8;
  std::map<std::string, std::vector<std::size_t>> slices;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].forecast) slices[study::field_of(rows[i], observations[i].row, field)].push_back(i);
  std::vector<std::vector<std::size_t>> parts;
  for (auto& [value, members] : slices) parts.push_back(std::move(members));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  parts.resize(std::min(parts.size(), kSlices));
  return parts;
}

/// Forecasts from fits that did not see the row: groups in folds, or whole slices of a field.
std::vector<double> out_of_sample(const std::vector<study::Observation>& observations,
                                  const std::vector<study::Scored>& rows, const config::Library& library,
                                  const Options& options, const study::ValidateOptions& how) {
  study::FitOptions fitting;
  fitting.jobs = how.jobs;
  fitting.steps = 1;  // from the shipped constants, which are near every part's own optimum
  fitting.progress = how.progress;
  study::Fit shipped;
  shipped.profile = library.catalogue.profile;
  if (options.hold_out.empty())
    return study::cross_validate(observations, library, shipped, options.folds, fitting).forecasts;
  const auto parts = largest_slices(observations, rows, options.hold_out);
  return study::hold_out(observations, library, shipped, parts, fitting).forecasts;
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const config::Library library = load_library(options.input, diagnostics);
  std::vector<config::Source> files;
  for (const std::string& file : options.files) files.push_back(read_or_report(file, diagnostics));
  std::vector<study::Pair> pairs;
  if (!options.pairs.empty())
    pairs = study::read_pairs(read_or_report(options.pairs, diagnostics), diagnostics);
  std::vector<study::Row> rows = study::read_rows(files, options.gpu, diagnostics);
  const int code = report(diagnostics, options.output.quiet);
  if (!diagnostics.ok()) return code;

  study::ValidateOptions how;
  how.jobs = thread_count(options.jobs);
  how.by = options.by;
  study::Validation validation;
  {
    Progress bar("forecasting", options.output.quiet);
    how.progress = [&bar](std::size_t done, std::size_t total) { bar.set(done, total); };
    const auto observations = study::observe_all(std::move(rows), library, how);
    auto scored = study::score(observations, library, how);
    if (options.cross_validate || !options.hold_out.empty())
      study::replace_forecasts(scored, out_of_sample(observations, scored, library, options, how),
                               "in no part that was held out");
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
  command->add_flag("--cross-validate", options->cross_validate,
                    "Every row by constants fitted without its (source, model, GPU) group");
  command->add_option("--folds", options->folds, "Parts of the cross-validation")->check(CLI::Range(2, 50));
  command
      ->add_option("--hold-out", options->hold_out,
                   "The eight largest slices of a field, each by constants fitted without it")
      ->type_name("FIELD");
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
