#include "config/embedded.h"

#include <cstddef>
#include <vector>

namespace {

/// One row of the table that tools/cmake/RigcastEmbed.cmake assembles.
struct Entry {
  const char* path;
  const char* text;
  std::size_t size;
};

}  // namespace

extern "C" {
extern const Entry rigcast_embedded_files[];
extern const std::size_t rigcast_embedded_file_count;
}

namespace rigcast::config {

std::span<const EmbeddedFile> embedded_files() {
  static const std::vector<EmbeddedFile> files = [] {
    std::vector<EmbeddedFile> list;
    list.reserve(rigcast_embedded_file_count);
    for (std::size_t i = 0; i < rigcast_embedded_file_count; ++i) {
      const Entry& entry = rigcast_embedded_files[i];
      list.push_back({entry.path, {entry.text, entry.size}});
    }
    return list;
  }();
  return files;
}

}  // namespace rigcast::config
