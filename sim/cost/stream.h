#pragma once

/// A memory-bound kernel: bytes at the achieved bandwidth, and a latency a launch.

#include "cost/gpu_model.h"
#include "cost/kernel.h"

namespace rigcast::cost {

inline Kernel stream_kernel(Bytes bytes, double launches, const GpuModel& gpu) {
  Kernel kernel;
  kernel.bytes = bytes;
  kernel.memory = bytes / gpu.memory_rate;
  kernel.launches = launches;
  kernel.latency = gpu.execution.kernel_latency * launches;
  return kernel;
}

}  // namespace rigcast::cost
