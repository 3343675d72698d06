#include "task/kind.h"

#include <array>

namespace rigcast::task {

std::string_view name(Kind kind) {
  static constexpr std::array<std::string_view, kKindCount> kNames = {
      "gpu.matrix",      "gpu.vector",  "gpu.memory",   "gpu.latency", "gpu.copy",
      "host.launch",     "host.decode", "host.compute", "host.memory", "pcie",
      "gpu-link",        "socket-link", "network",      "storage",     "collective.latency",
      "pipeline.bubble", "dependency"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace rigcast::task
