#pragma once

/// The catalogue's files, carried inside the program.

#include <span>
#include <string_view>

namespace rigcast::config {

struct EmbeddedFile {
  std::string_view path;  ///< "topologies/servers/dgx1-v100.json"
  std::string_view text;
};

/// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace rigcast::config
