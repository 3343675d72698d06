#include "report/list.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "output.h"

namespace rigcast::tool {
namespace {

const std::vector<std::string> kKinds = {"machines", "gpus", "cpus", "links", "storage", "workloads"};

struct Options {
  std::string kind;
  InputOptions input;
  OutputOptions output;
};

template <class Part>
std::vector<report::Facts> rows(const hardware::PartTable<Part>& table) {
  std::vector<report::Facts> result;
  for (const auto& entry : table) result.push_back(report::facts(entry.second));
  return result;
}

report::Listing machines(const config::Library& library, Diagnostics& diagnostics) {
  report::Listing listing{"machines", {"title", "gpus", "gpu", "nodes", "price_usd"}, {}};
  for (const auto& [name, source] : library.machines)
    if (const auto machine = config::load_machine(library, name, read_source, diagnostics))
      listing.rows.push_back(report::facts(*machine));
  return listing;
}

report::Listing workloads(const config::Library& library, Diagnostics& diagnostics) {
  report::Listing listing{"workloads", {"title", "family", "parameters", "forward_macs"}, {}};
  for (const auto& [name, source] : library.workloads)
    if (const auto network = config::load_network(library, name, {}, read_source, diagnostics))
      listing.rows.push_back(report::facts(*network));
  return listing;
}

report::Listing list(const config::Library& library, const std::string& kind, Diagnostics& diagnostics) {
  const hardware::Catalogue& parts = library.catalogue;
  if (kind == "machines") return machines(library, diagnostics);
  if (kind == "workloads") return workloads(library, diagnostics);
  if (kind == "gpus")
    return {kind,
            {"title", "memory_bytes", "memory_Bps", "fp16_matrix_flops", "power_w", "price_usd"},
            rows(parts.gpus)};
  if (kind == "cpus")
    return {kind, {"title", "cores", "base_clock_hz", "memory_Bps", "price_usd"}, rows(parts.cpus)};
  if (kind == "links") return {kind, {"title", "raw_Bps", "achievable_Bps", "latency_s"}, rows(parts.links)};
  return {kind, {"title", "kind", "capacity_bytes", "sequential_read_Bps", "price_usd"}, rows(parts.storage)};
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const config::Library library = load_library(options.input, diagnostics);
  std::vector<report::Listing> listings;
  for (const std::string& kind : kKinds)
    if (options.kind.empty() || options.kind == kind) listings.push_back(list(library, kind, diagnostics));
  if (const int code = report(diagnostics, options.output.quiet); code != kDone) return code;
  Diagnostics written;
  write(
      options.output,
      [&](std::ostream& out) {
        if (options.output.format == "json") return report::list_json(out, listings, options.kind.empty());
        report::list_text(out, listings);
      },
      written);
  return report(written, options.output.quiet);
}

}  // namespace

Command list_command(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("list", "What the catalogue holds");
  command->add_option("KIND", options->kind,
                      "machines, gpus, cpus, links, storage or workloads; all when left out");
  add_library_flags(*command, options->input);
  add_output_flags(*command, options->output, {"text", "json"});
  return {command,
          [options](Diagnostics& diagnostics) {
            check(options->output, diagnostics);
            for (const std::string& kind : kKinds)
              if (options->kind.empty() || options->kind == kind) return;
            diagnostics.error(
                {}, "list " + options->kind + ": expected machines, gpus, cpus, links, storage or workloads",
                did_you_mean(options->kind, kKinds));
          },
          [options] { return run(*options); }};
}

}  // namespace rigcast::tool
