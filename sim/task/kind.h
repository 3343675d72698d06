#pragma once

/// What a second of simulated time was spent on: the closed list of bottleneck kinds of the interface.

#include <cstdint>
#include <string_view>

namespace rigcast::task {

enum class Kind : std::uint8_t {
  kGpuMatrix,    ///< tensor cores or matrix units
  kGpuVector,    ///< ordinary arithmetic lanes
  kGpuMemory,    ///< GPU memory bandwidth
  kGpuLatency,   ///< kernels too small to fill the GPU
  kGpuCopy,      ///< copy engine
  kHostLaunch,   ///< CPU thread issuing work
  kHostDecode,   ///< CPU cores preparing samples
  kHostCompute,  ///< CPU cores doing matrix work or the optimizer
  kHostMemory,   ///< DRAM bandwidth
  kPcie,
  kGpuLink,  ///< NVLink, xGMI, C2C
  kSocketLink,
  kNetwork,
  kStorage,
  kCollectiveLatency,  ///< steps of a collective whose time does not depend on bytes
  kPipelineBubble,
  kDependency,  ///< waiting for another task, nothing busy: replicas for the slowest of them
};

inline constexpr int kKindCount = 17;

/// "gpu.matrix", ... as printed.
std::string_view name(Kind kind);

}  // namespace rigcast::task
