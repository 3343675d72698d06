#pragma once

/// What the fuzz targets share. A target returns for every input; a crash, a hang, a sanitizer's report or a
/// broken invariant (RIG_CHECK) is a finding.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "config/load.h"

namespace rigcast::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The shipped catalogue, read once a process.
inline const config::Library& library() {
  static const config::Library shipped = [] {
    Diagnostics diagnostics;
    config::Library read = config::load_library({}, std::nullopt, diagnostics);
    RIG_CHECK(diagnostics.ok(), "the shipped catalogue reads");
    return read;
  }();
  return shipped;
}

/// Errors say what is wrong.
inline void check_messages(const Diagnostics& diagnostics) {
  for (const Diagnostic& entry : diagnostics.entries())
    RIG_CHECK(!entry.message.empty(), "an error without a text");
}

}  // namespace rigcast::fuzz
