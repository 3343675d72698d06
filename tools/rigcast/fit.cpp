#include "study/fit.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "report/fit.h"
#include "study/parallel.h"

namespace rigcast::tool {
namespace {

struct Options {
  InputOptions input;
  std::string format = "text", profile, start = "bounds", gpu;
  std::vector<std::string> files;
  int jobs = 0, folds = 5, steps = 8;
  bool resume = false, cross_validate = false, quiet = false;
};

std::string today() {
  const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(now);
  char text[16];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

/// Written beside and moved over, so that an interruption leaves the last whole file.
void keep(const std::string& path, const hardware::Profile& profile,
          const std::vector<hardware::ResidualGroup>& residuals, Diagnostics& diagnostics) {
  const std::string beside = path + ".part";
  write_file(
      beside, [&](std::ostream& out) { out << config::to_json(profile, residuals); }, diagnostics);
  if (!diagnostics.ok()) return;
  std::error_code error;
  std::filesystem::rename(beside, path, error);
  if (error) diagnostics.unreadable(path, error.message());
}

study::ErrorSummary errors(const std::vector<study::Observation>& observations,
                           const std::vector<double>& forecasts) {
  std::vector<study::Scored> rows;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!std::isfinite(forecasts[i])) continue;
    study::Scored row;
    row.measured = observations[i].row.measured();
    row.forecast = forecasts[i];
    rows.push_back(std::move(row));
  }
  std::vector<const study::Scored*> pointers;
  for (const study::Scored& row : rows) pointers.push_back(&row);
  return study::summarise(pointers);
}

std::vector<double> forecasts(const std::vector<study::Observation>& observations,
                              const config::Library& library, const hardware::Profile& profile, int jobs) {
  std::vector<double> values(observations.size());
  study::for_each_item(observations.size(), jobs, [&](std::size_t i) {
    const study::Prediction p = study::predict(observations[i], library, profile, false);
    values[i] = p.reason.empty() ? p.value : std::nan("");
  });
  return values;
}

int run(Options options) {
  Diagnostics diagnostics;
  const bool resuming = options.resume && std::filesystem::exists(options.profile);
  if (resuming) options.input.profile = options.profile;
  const config::Library library = load_library(options.input, diagnostics);
  std::vector<config::Source> files;
  for (const std::string& file : options.files) files.push_back(read_or_report(file, diagnostics));
  std::vector<study::Row> rows = study::read_rows(files, options.gpu, diagnostics);
  if (!diagnostics.ok()) return report(diagnostics, options.quiet);

  const int jobs = thread_count(options.jobs);
  study::FitOptions how;
  how.jobs = jobs;
  how.steps = options.steps;
  how.prior = options.start == "shipped" ? study::Prior::kShipped : study::Prior::kBounds;
  study::ValidateOptions resolving;
  resolving.jobs = jobs;
  report::FitFindings findings;
  Diagnostics written;
  {
    Progress bar("fitting", options.quiet);
    how.progress = [&bar](std::size_t done, std::size_t total) { bar.set(done, total); };
    how.checkpoint = [&](const hardware::Profile& profile) { keep(options.profile, profile, {}, written); };
    const auto observations = study::observe_all(std::move(rows), library, resolving);
    const hardware::Profile& start = library.catalogue.profile;
    findings.before = errors(observations, forecasts(observations, library, start, jobs));
    findings.fit = study::fit(observations, library, start, how);
    const std::vector<double> after = forecasts(observations, library, findings.fit.profile, jobs);
    findings.in_sample = errors(observations, after);
    findings.rows = static_cast<std::size_t>(findings.in_sample.n);
    const std::string date = today();
    for (study::FittedConstant& c : findings.fit.constants) {
      std::string rests;
      for (const std::string& source : c.rests_on) rests += (rests.empty() ? "" : ", ") + source;
      c.constant.source = "fitted on " + std::to_string(c.rows) + " measurements (" + rests + "), " + date;
      findings.fit.profile.set(c.key, c.constant);
    }
    findings.fit.profile.date = date;
    std::vector<hardware::ResidualGroup> residuals = library.catalogue.residuals;
    if (options.cross_validate) {
      how.checkpoint = nullptr;
      how.steps = 1;  // from the whole fit, which is near every part's own optimum
      const auto validation = study::cross_validate(observations, library, findings.fit, options.folds, how);
      findings.out_of_sample = errors(observations, validation.forecasts);
      residuals = study::group_residuals(validation.residuals);
    }
    keep(options.profile, findings.fit.profile, residuals, written);
  }
  OutputOptions output;
  output.format = options.format;
  write(
      output,
      [&](std::ostream& out) {
        if (options.format == "json") return report::fit_json(out, findings);
        report::fit_text(out, findings);
      },
      written);
  return report(written, options.quiet);
}

}  // namespace

Command fit_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("fit", "Constants of parts from measurements");
  command->add_option("FILE", options->files, "Rows, as `validate` reads them")->type_name("")->required();
  command->add_option("-o,--output", options->profile, "Where the constants go, for --profile")
      ->type_name("PROFILE.json")
      ->required();
  command
      ->add_option(
          "--start", options->start,
          "shipped: a few rows adjust the shipped constants; bounds: rows alone, within physical bounds")
      ->type_name("shipped|bounds")
      ->check(CLI::IsMember({"shipped", "bounds"}));
  command->add_flag("--resume", options->resume, "Goes on from PROFILE.json where it exists");
  command->add_flag("--cross-validate", options->cross_validate,
                    "Also fits with groups of rows held out; gives the spread that intervals rest on");
  command->add_option("--folds", options->folds, "Parts the groups are held out in")
      ->check(CLI::Range(2, 50));
  command->add_option("--steps", options->steps, "Most steps of the fit")->check(CLI::Range(1, 100));
  command->add_option("--gpu", options->gpu, "GPU of CSV files whose name does not say it")->type_name("ID");
  command->add_option("--jobs", options->jobs, "Threads; 0: one a processor")->check(CLI::NonNegativeNumber);
  command->add_option("--format", options->format, "Form of the result")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_flag("-q,--quiet", options->quiet, "No warnings and no progress");
  add_library_flags(*command, options->input);
  return {command, [options](Diagnostics& diagnostics) { check_writable(options->profile, diagnostics); },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
