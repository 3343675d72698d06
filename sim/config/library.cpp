#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "config/embedded.h"
#include "config/load.h"
#include "config/parts.h"
#include "config/reference.h"

namespace rigcast::config {

namespace {

using Table = std::map<std::string, Source>;

/// "topologies/servers/dgx2.json" -> "servers": what a file is, is told by the folder it lies in.
std::string_view kind_of(std::string_view path) {
  const std::size_t file = path.rfind('/');
  if (file == std::string_view::npos) return {};
  // Any folder above may say it, so that a catalogue may sort its machines into folders of their own.
  for (std::string_view rest = path.substr(0, file); !rest.empty();) {
    const std::size_t slash = rest.rfind('/');
    const std::string_view folder = slash == std::string_view::npos ? rest : rest.substr(slash + 1);
    for (const std::string_view kind : {"parts", "servers", "teaching", "workloads"})
      if (folder == kind) return kind;
    if (slash == std::string_view::npos) break;
    rest = rest.substr(0, slash);
  }
  return {};
}

std::string stem_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

void add_file(Source source, Library& library, Table& machines, Table& workloads, Diagnostics& diagnostics) {
  const std::string_view kind = kind_of(source.path);
  if (kind == "parts") {
    read_parts(source.text, source.path, library.catalogue, diagnostics);
  } else if (kind == "servers" || kind == "teaching") {
    std::string name = stem_of(source.path);
    machines.insert_or_assign(std::move(name), std::move(source));
  } else if (kind == "workloads") {
    std::string name = stem_of(source.path);
    workloads.insert_or_assign(std::move(name), std::move(source));
  } else {
    diagnostics.error({source.path, 0, 0, {}},
                      "a catalogue's files lie in parts/, servers/, teaching/ or workloads/");
  }
}

/// Ports without figures of their own have those of the link kind they speak. Done when all files are read,
/// since the kinds may stand in a later one.
void fill_ports(hardware::Catalogue& catalogue) {
  for (auto& [id, part] : catalogue.switches) {
    const auto kind = catalogue.links.find(part.port_link);
    if (kind == catalogue.links.end()) continue;
    if (part.port_bandwidth.value == 0) part.port_bandwidth = kind->second.raw;
    if (part.port_achievable.value == 0)
      part.port_achievable = part.port_bandwidth * (kind->second.achievable / kind->second.raw);
    if (part.port_latency.value == 0) part.port_latency = kind->second.latency;
  }
}

void check_link_kind(const hardware::Catalogue& catalogue, std::string_view part, const std::string& kind,
                     Diagnostics& diagnostics) {
  if (!kind.empty() && catalogue.links.find(kind) == catalogue.links.end())
    diagnostics.error({},
                      fmt::format("part \"{}\" names the link kind \"{}\", which no file has", part, kind));
}

/// Parts name link kinds of any file.
void check_link_kinds(const hardware::Catalogue& catalogue, Diagnostics& diagnostics) {
  for (const auto& [id, part] : catalogue.gpus)
    if (part.peer_links) check_link_kind(catalogue, id, part.peer_links->kind, diagnostics);
  for (const auto& [id, part] : catalogue.cpus) check_link_kind(catalogue, id, part.socket_link, diagnostics);
  for (const auto& [id, part] : catalogue.storage)
    check_link_kind(catalogue, id, part.interface, diagnostics);
  for (const auto& [id, part] : catalogue.switches)
    check_link_kind(catalogue, id, part.port_link, diagnostics);
}

}  // namespace

Library load_library(const std::vector<Source>& extra, const std::optional<Source>& profile,
                     Diagnostics& diagnostics) {
  Library library;
  Table machines, workloads;
  for (const EmbeddedFile& file : embedded_files())
    if (!kind_of(file.path).empty())
      add_file({std::string(file.path), std::string(file.text)}, library, machines, workloads, diagnostics);
  for (const Source& source : extra) add_file(source, library, machines, workloads, diagnostics);
  if (profile) read_profile(profile->text, profile->path, library.catalogue, diagnostics);
  fill_ports(library.catalogue);
  check_link_kinds(library.catalogue, diagnostics);
  library.machines.assign(std::make_move_iterator(machines.begin()), std::make_move_iterator(machines.end()));
  library.workloads.assign(std::make_move_iterator(workloads.begin()),
                           std::make_move_iterator(workloads.end()));
  return library;
}

std::optional<hardware::Machine> load_machine(const Library& library, const std::string& name_or_path,
                                              ReadFile read_file, Diagnostics& diagnostics) {
  const auto value = name_or_inline(name_or_path, "", diagnostics);
  if (!value) return std::nullopt;
  Loading loading{library, read_file, diagnostics};
  return read_machine(loading, Cursor{&*value, nullptr, {}, 0, {}});
}

std::optional<workload::Network> load_network(const Library& library, const std::string& name_or_path,
                                              const workload::Shaping& shaping, ReadFile read_file,
                                              Diagnostics& diagnostics) {
  const auto value = name_or_inline(name_or_path, "", diagnostics);
  if (!value) return std::nullopt;
  Loading loading{library, read_file, diagnostics};
  const auto spec = read_workload(loading, Cursor{&*value, nullptr, {}, 0, {}});
  if (!spec) return std::nullopt;
  return workload::build(*spec, shaping, diagnostics);
}

}  // namespace rigcast::config
