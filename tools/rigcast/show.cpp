#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "report/list.h"
#include "report/machine.h"
#include "report/network.h"

namespace rigcast::tool {
namespace {

struct Options {
  std::string name;
  InputOptions input;
  OutputOptions output;
};

/// The views of one entry; `dot` only for machines.
struct Views {
  View text, json, dot;
};

template <class Part>
void find_part(const hardware::PartTable<Part>& table, const std::string& name, std::optional<Views>& views) {
  const auto found = table.find(name);
  if (views || found == table.end()) return;
  const report::Facts facts = report::facts(found->second);
  views = Views{[facts](std::ostream& out) { report::facts_text(out, facts); },
                [facts](std::ostream& out) { report::facts_json(out, facts); },
                {}};
}

const config::Source* find(const std::vector<std::pair<std::string, config::Source>>& entries,
                           const std::string& name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == name; });
  return found == entries.end() ? nullptr : &found->second;
}

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

Views machine_views(hardware::Machine machine) {
  const auto kept = std::make_shared<hardware::Machine>(std::move(machine));
  return {[kept](std::ostream& out) { report::machine_text(out, *kept); },
          [kept](std::ostream& out) { out << config::to_json(*kept) << '\n'; },
          [kept](std::ostream& out) { report::machine_dot(out, *kept); }};
}

std::optional<Views> workload_views(const config::Library& library, const std::string& name,
                                    const std::string& file_text, Diagnostics& diagnostics) {
  std::optional<workload::Network> network =
      config::load_network(library, name, {}, read_source, diagnostics);
  if (!network) return std::nullopt;
  const auto kept = std::make_shared<workload::Network>(*std::move(network));
  return Views{
      [kept](std::ostream& out) { report::network_text(out, *kept); },
      [file_text](std::ostream& out) { out << file_text << (file_text.ends_with('\n') ? "" : "\n"); },
      {}};
}

std::vector<std::string> all_names(const config::Library& library) {
  std::vector<std::string> names;
  for (const auto& entry : library.machines) names.push_back(entry.first);
  for (const auto& entry : library.workloads) names.push_back(entry.first);
  const auto add = [&](const auto& table) {
    for (const auto& entry : table) names.push_back(entry.first);
  };
  add(library.catalogue.gpus);
  add(library.catalogue.cpus);
  add(library.catalogue.links);
  add(library.catalogue.storage);
  add(library.catalogue.switches);
  return names;
}

std::optional<Views> find_views(const config::Library& library, const std::string& name,
                                Diagnostics& diagnostics) {
  if (is_path(name) || find(library.machines, name) != nullptr) {
    std::optional<hardware::Machine> machine = config::load_machine(library, name, read_source, diagnostics);
    return machine ? std::optional(machine_views(*std::move(machine))) : std::nullopt;
  }
  if (const config::Source* source = find(library.workloads, name))
    return workload_views(library, name, source->text, diagnostics);
  std::optional<Views> views;
  find_part(library.catalogue.gpus, name, views);
  find_part(library.catalogue.cpus, name, views);
  find_part(library.catalogue.links, name, views);
  find_part(library.catalogue.storage, name, views);
  find_part(library.catalogue.switches, name, views);
  if (!views) {
    const std::string near = did_you_mean(name, all_names(library));
    diagnostics.error({}, "the catalogue has no \"" + name + "\"",
                      near.empty() ? "`rigcast list` prints everything it has" : near);
  }
  return views;
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const config::Library library = load_library(options.input, diagnostics);
  const std::optional<Views> views = find_views(library, options.name, diagnostics);
  if (views && options.output.format == "dot" && !views->dot)
    diagnostics.error({},
                      "--format dot: \"" + options.name + "\" is not a machine, only machines are graphs");
  if (const int code = report(diagnostics, options.output.quiet); code != kDone) return code;
  Diagnostics written;
  const std::string& format = options.output.format;
  write(options.output, format == "json" ? views->json : format == "dot" ? views->dot : views->text, written);
  return report(written, options.output.quiet);
}

}  // namespace

Command show_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("show", "One machine, workload or part of the catalogue in full");
  command->add_option("NAME", options->name, "A name that `rigcast list` prints, or a topology file");
  add_library_flags(*command, options->input);
  add_output_flags(*command, options->output, {"text", "json", "dot"});
  return {command,
          [options](Diagnostics& diagnostics) {
            check(options->output, diagnostics);
            if (options->name.empty())
              diagnostics.error({}, "show: NAME is missing",
                                "`rigcast list` prints everything the catalogue has");
          },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
