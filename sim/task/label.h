#pragma once

/// What a task stands for, in small integers: no strings in the hot path. Texts are looked up in Graph::item.

#include <cstdint>
#include <string_view>

namespace rigcast::task {

enum class Phase : std::uint8_t {
  kRead,    ///< storage or page cache to host memory
  kDecode,  ///< sample preparation
  kCopyIn,  ///< host to GPU
  kIssue,   ///< host thread issuing kernels
  kForward,
  kBackward,
  kGradientSync,  ///< collective of gradients
  kOptimizer,
  kMarker,  ///< zero work: the end of an iteration
  kOther,
};

inline constexpr int kPhaseCount = 10;

std::string_view name(Phase phase);

struct Label {
  Phase phase = Phase::kOther;
  std::uint8_t channel = 0;  ///< collective channel, or 0
  std::uint16_t iteration = 0;
  std::uint16_t rank = 0;
  std::uint16_t micro_batch = 0;
  std::uint32_t item = 0;  ///< index into Graph::items()

  bool operator==(const Label&) const = default;
};

}  // namespace rigcast::task
