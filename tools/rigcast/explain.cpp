#include "report/explain.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "report/explain_operator.h"

namespace rigcast::tool {
namespace {

struct Options {
  InputOptions input;
  OutputOptions output;
  bool passes = false;
  std::string stop_after;
  std::string task, op;
};

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const lower::PassReport& pass : lower::passes()) names.push_back(pass.name);
  return names;
}

int explain_passes(const plan::Scenario& scenario, const Options& options) {
  lower::Options lowering;
  lowering.stop_after = options.stop_after;
  const lower::Lowered lowered = lower::lower(scenario, lowering);
  Diagnostics written;
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::passes_json(out, lowered);
        report::passes_text(out, lowered);
        if (options.stop_after.empty()) return;
        out << "\nTasks after " << options.stop_after << '\n';
        report::graph_text(out, lowered);
      },
      written);
  return report(written, options.output.quiet);
}

/// By number, or by description: exactly, or as the only one that holds the words given.
std::optional<task::TaskId> find_task(const task::Graph& graph, const std::string& text,
                                      Diagnostics& diagnostics) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (number < graph.size()) return task::TaskId{number};
    diagnostics.error({}, "--task " + text + ": the run has tasks 0 to " + std::to_string(graph.size() - 1));
    return std::nullopt;
  }
  std::vector<task::TaskId> found;
  std::vector<std::string> descriptions;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const std::string description = graph.describe(task::TaskId{i});
    if (description == text) return task::TaskId{i};
    if (description.find(text) != std::string::npos) found.push_back(task::TaskId{i});
    descriptions.push_back(description);
  }
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    const std::string near = did_you_mean(text, descriptions);
    diagnostics.error({}, "--task " + text + ": the run has no such task",
                      near.empty() ? "`rigcast explain --passes --stop-after PASS` prints the tasks" : near);
    return std::nullopt;
  }
  std::string hint = "give its number:";
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 8); ++i)
    hint += "\n  " + std::to_string(found[i].index) + "  " + descriptions[found[i].index];
  if (found.size() > 8) hint += "\n  ...";
  diagnostics.error({}, "--task " + text + ": " + std::to_string(found.size()) + " tasks are called so",
                    hint);
  return std::nullopt;
}

int explain_task(const plan::Scenario& scenario, const Options& options) {
  study::Run run;
  {
    const Progress progress("simulating", options.output.quiet);
    study::forecast(scenario, {.what_would_help = false, .largest_batch = false}, &run);
  }
  Diagnostics diagnostics;
  const std::optional<task::TaskId> task = find_task(run.lowered.graph, options.task, diagnostics);
  if (!task) return report(diagnostics, options.output.quiet);
  const report::TaskStory story = report::task_story(run, *task);
  Diagnostics written;
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::task_json(out, run, story);
        report::task_text(out, run, story);
      },
      written);
  return report(written, options.output.quiet);
}

int explain_op(const plan::Scenario& scenario, const Options& options) {
  const study::OperatorSearch search = study::find_operator(scenario.network, options.op);
  Diagnostics diagnostics;
  if (!search.found) {
    const bool several = search.candidates.size() < scenario.network.operators.size();
    std::string hint = several ? "give one of them in full:" : did_you_mean(options.op, search.candidates);
    for (std::size_t i = 0; several && i < std::min<std::size_t>(search.candidates.size(), 8); ++i)
      hint += "\n  " + search.candidates[i];
    if (several && search.candidates.size() > 8) hint += "\n  ...";
    if (hint.empty()) hint = "`rigcast memory` with these inputs lists the operators";
    diagnostics.error(
        {},
        "--op " + options.op +
            (several ? ": " + std::to_string(search.candidates.size()) + " operators are called so"
                     : std::string(": the network has no such operator")),
        hint);
    return report(diagnostics, options.output.quiet);
  }
  const study::OperatorStory story = study::explain_operator(scenario, *search.found);
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::operator_json(out, story);
        report::operator_text(out, story);
      },
      diagnostics);
  return report(diagnostics, options.output.quiet);
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<Inputs> inputs = load_inputs(options.input, diagnostics);
  const int code = report(diagnostics, options.output.quiet);
  if (!inputs) return code;
  const plan::Scenario& scenario = inputs->loaded.scenario;
  if (!options.output.quiet) print_warnings(scenario.warnings);
  if (options.passes) return explain_passes(scenario, options);
  return options.op.empty() ? explain_task(scenario, options) : explain_op(scenario, options);
}

void check_flags(const Options& options, Diagnostics& diagnostics) {
  check(options.input, diagnostics);
  check(options.output, diagnostics);
  const int asked = (options.passes ? 1 : 0) + (options.task.empty() ? 0 : 1) + (options.op.empty() ? 0 : 1);
  if (asked != 1)
    diagnostics.error(
        {}, asked > 1 ? "explain: --passes, --task and --op ask for different things, expected one of them"
                      : "explain: what to explain is missing, expected --task T, --op NAME or --passes");
  if (options.stop_after.empty()) return;
  const std::vector<std::string> names = pass_names();
  if (!options.passes) diagnostics.error({}, "--stop-after belongs to --passes");
  if (std::find(names.begin(), names.end(), options.stop_after) == names.end())
    diagnostics.error({}, "--stop-after " + options.stop_after + ": there is no such pass",
                      did_you_mean(options.stop_after, names));
}

}  // namespace

Command explain_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("explain", "Why a task ran when and as fast as it did; the lowering passes");
  add_scenario_flags(*command, options->input);
  command->add_option("--task", options->task, "A task's number, or words of its description")
      ->type_name("T");
  command->add_option("--op", options->op, "An operator of the network: how its time is worked out")
      ->type_name("NAME");
  command->add_flag("--passes", options->passes, "The passes that turn the scenario into tasks");
  command
      ->add_option("--stop-after", options->stop_after, "Stops after this pass and prints the tasks it left")
      ->type_name("PASS");
  add_output_flags(*command, options->output, {"text", "json"});
  return {command, [options](Diagnostics& diagnostics) { check_flags(*options, diagnostics); },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
