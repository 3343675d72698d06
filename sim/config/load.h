#pragma once

/// From texts to a scenario: the only way in. Every error of every file involved is gathered before giving
/// up.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/expected.h"
#include "hardware/catalogue.h"
#include "plan/scenario.h"
#include "workload/build.h"

namespace rigcast::config {

/// A file's name and contents, as found in the program, a --catalogue folder or the user's disk.
struct Source {
  std::string path;
  std::string text;
};

/// Parts, and the files of machines and workloads by name. Machines and workloads are parsed when asked for.
struct Library {
  hardware::Catalogue catalogue;
  std::vector<std::pair<std::string, Source>> machines;   ///< sorted by name
  std::vector<std::pair<std::string, Source>> workloads;  ///< sorted by name
};

/// The shipped catalogue plus `extra` files (a --catalogue folder: parts/*.json, servers/*.json,
/// workloads/*.json; later files replace entries of the same id). `profile` is a JSON file of constants that
/// replace the shipped ones; empty: none.
Library load_library(const std::vector<Source>& extra, const std::optional<Source>& profile,
                     Diagnostics& diagnostics);

/// A file the input refers to by path; the program reads it so that the library touches no disk.
using ReadFile = Expected<Source, std::string> (*)(const std::string& path);

struct Request {
  std::optional<Source> scenario;                        ///< SCENARIO.json
  std::optional<std::string> machine, workload;          ///< --machine, --workload: names, paths
  std::vector<std::pair<std::string, std::string>> set;  ///< --set PATH=VALUE in order
  ReadFile read_file = nullptr;
};

struct Loaded {
  plan::Scenario scenario;
  plan::OriginMap origins;  ///< what the user wrote, for "had no effect"
};

std::optional<Loaded> load_scenario(const Library& library, const Request& request, Diagnostics& diagnostics);

/// A machine by name, path or inline text; used by `show` too.
std::optional<hardware::Machine> load_machine(const Library& library, const std::string& name_or_path,
                                              ReadFile read_file, Diagnostics& diagnostics);
std::optional<workload::Network> load_network(const Library& library, const std::string& name_or_path,
                                              const workload::Shaping& shaping, ReadFile read_file,
                                              Diagnostics& diagnostics);

/// The complete resolved scenario as JSON text (machine as a topology, workload as name, dimensions and
/// totals, plan with every field). It can be given back as a SCENARIO file and yields the same forecast.
std::string to_json(const plan::Scenario& scenario);
/// A machine as a topology file.
std::string to_json(const hardware::Machine& machine);

/// Constants and residuals as a file of the catalogue, or for --profile; one constant a line, by key.
std::string to_json(const hardware::Profile& profile, const std::vector<hardware::ResidualGroup>& residuals);

/// JSON Schema (2020-12) of scenario, topology, workload, rows; nothing for another kind.
std::optional<std::string> schema(std::string_view kind);
std::vector<std::string> schema_kinds();

}  // namespace rigcast::config
