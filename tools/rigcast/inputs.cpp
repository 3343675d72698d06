#include "inputs.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "config/json.h"

namespace rigcast::tool {
namespace {

namespace fs = std::filesystem;

/// At most one byte more than the limit, so that a pipe or device without end is found out too.
std::string read_stream(std::istream& stream) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= config::kMaxFileBytes && stream) {
    stream.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
  }
  return text;
}

Expected<config::Source, std::string> within_limit(std::string path, std::string text) {
  if (std::string problem = config::too_large(text.size()); !problem.empty())
    return Unexpected<std::string>(std::move(problem));
  return config::Source{std::move(path), std::move(text)};
}

/// The JSON files of a --catalogue folder, sorted so that the order of the disk does not matter.
std::vector<config::Source> read_folder(const std::string& folder, Diagnostics& diagnostics) {
  std::vector<config::Source> sources;
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    diagnostics.unreadable(
        "", "cannot read " + folder + ": " + (fs::exists(folder, error) ? "not a folder" : "no such folder"));
    return sources;
  }
  std::vector<std::string> paths;
  for (const char* part : {"parts", "servers", "workloads"}) {
    const fs::path below = fs::path(folder) / part;
    if (!fs::is_directory(below, error)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(below, error))
      if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  if (paths.empty()) {
    diagnostics.error({folder, 0, 0, {}}, "no JSON file in parts/, servers/ or workloads/ of this folder");
    return sources;
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    if (auto source = read_source(path)) {
      sources.push_back(*std::move(source));
    } else {
      diagnostics.unreadable("", "cannot read " + path + ": " + source.error());
    }
  }
  return sources;
}

template <class Entries>
bool holds(const Entries& entries, std::string_view name) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == name; });
}

/// A catalogue name where the scenario file belongs is the likeliest slip of a first use.
std::string hint_for_missing_scenario(const config::Library& library, const std::string& name) {
  if (holds(library.machines, name))
    return "\n  \"" + name + "\" is a machine: rigcast forecast --machine " + name + " --workload NAME";
  if (holds(library.workloads, name))
    return "\n  \"" + name + "\" is a workload: rigcast forecast --machine NAME --workload " + name;
  return {};
}

}  // namespace

config::Source read_or_report(const std::string& path, Diagnostics& diagnostics) {
  auto source = read_source(path);
  if (source) return *std::move(source);
  diagnostics.unreadable(path, source.error());
  return {path, {}};
}

int thread_count(int jobs) {
  return jobs > 0 ? jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Expected<config::Source, std::string> read_source(const std::string& path) {
  if (path == "-") return within_limit("standard input", read_stream(std::cin));
  std::error_code error;
  if (!fs::exists(path, error)) return Unexpected<std::string>("no such file");
  if (fs::is_directory(path, error)) return Unexpected<std::string>("it is a folder");
  const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  if (std::string problem = config::too_large(error ? 0 : size); !problem.empty())
    return Unexpected<std::string>(std::move(problem));
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Unexpected<std::string>(errno == EACCES ? "permission denied" : "it cannot be opened");
  std::string text = read_stream(stream);
  if (stream.bad()) return Unexpected<std::string>("reading it failed");
  return within_limit(path, std::move(text));
}

config::Library load_library(const InputOptions& options, Diagnostics& diagnostics) {
  std::vector<config::Source> extra;
  for (const std::string& folder : options.catalogue) {
    std::vector<config::Source> found = read_folder(folder, diagnostics);
    extra.insert(extra.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  std::optional<config::Source> profile;
  if (!options.profile.empty()) {
    if (auto source = read_source(options.profile)) {
      profile = *std::move(source);
    } else {
      diagnostics.unreadable("", "cannot read " + options.profile + ": " + source.error());
    }
  }
  return config::load_library(extra, profile, diagnostics);
}

std::optional<Inputs> load_inputs(const InputOptions& options, Diagnostics& diagnostics) {
  config::Library library = load_library(options, diagnostics);
  config::Request request;
  request.read_file = read_source;
  bool readable = true;
  if (!options.scenario.empty()) {
    if (auto source = read_source(options.scenario)) {
      request.scenario = *std::move(source);
    } else {
      readable = false;
      diagnostics.unreadable("", "cannot read " + options.scenario + ": " + source.error() +
                                     hint_for_missing_scenario(library, options.scenario));
    }
  } else if (options.machine.empty() || options.workload.empty()) {
    readable = false;
    const std::string missing = options.machine.empty() && options.workload.empty()
                                    ? "what to simulate is missing"
                                : options.machine.empty() ? "--machine is missing"
                                                          : "--workload is missing";
    diagnostics.error({}, missing + ": expected SCENARIO.json, or --machine NAME and --workload NAME",
                      "`rigcast list machines` and `rigcast list workloads` print the names");
  }
  if (!options.machine.empty()) request.machine = options.machine;
  if (!options.workload.empty()) request.workload = options.workload;
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals != std::string::npos)
      request.set.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  if (!readable) return std::nullopt;
  std::optional<config::Loaded> loaded = config::load_scenario(library, request, diagnostics);
  RIG_CHECK(loaded || !diagnostics.ok(), "no scenario and no reason why");
  if (!loaded || !diagnostics.ok()) return std::nullopt;
  return Inputs{std::move(library), *std::move(loaded)};
}

}  // namespace rigcast::tool
