#pragma once

/// The time of one GPU kernel, kept in its physical parts so that it can be explained, attributed and scaled.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace rigcast::cost {

/// What holds a kernel back while it runs.
enum class Bound : std::uint8_t { kMatrix, kVector, kMemory, kLatency };

struct Kernel {
  std::uint32_t op = 0;    ///< index into Network::operators; kNoOperator for the optimizer, kLoop
  Seconds matrix, vector;  ///< time of the arithmetic on matrix units and on ordinary lanes
  Seconds memory;          ///< time of the bytes at the achieved bandwidth
  Seconds latency;         ///< start, ramp and drain: added to the largest of the above
  Flops flops;             ///< executed, padding and recomputation excluded
  Bytes bytes;             ///< through GPU memory
  double launches = 1;     ///< kernels this entry stands for
  Seconds host;            ///< time the issuing thread spends before the kernel can start

  static constexpr std::uint32_t kNoOperator = 0xffffffffu;
  static constexpr std::uint32_t kLoop = 0xfffffffeu;  ///< no kernel: what the host does between steps

  Seconds busy() const { return std::max({matrix, vector, memory}); }
  Seconds duration() const { return busy() + latency; }
  Bound bound() const {
    if (matrix >= vector && matrix >= memory) return Bound::kMatrix;
    return vector >= memory ? Bound::kVector : Bound::kMemory;
  }
};

}  // namespace rigcast::cost
