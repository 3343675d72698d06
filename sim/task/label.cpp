#include "task/label.h"

#include <array>

namespace rigcast::task {

std::string_view name(Phase phase) {
  static constexpr std::array<std::string_view, kPhaseCount> kNames = {
      "read",     "decode",        "copy-in",   "issue",  "forward",
      "backward", "gradient-sync", "optimizer", "marker", "other"};
  return kNames[static_cast<std::size_t>(phase)];
}

}  // namespace rigcast::task
