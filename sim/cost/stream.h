#pragma once

/// A memory-bound kernel: bytes at the achieved bandwidth, and a latency a launch. Tensors small enough for
/// the last-level cache to hold from one kernel to the next move at its rate.

#include <algorithm>

#include "cost/gpu_model.h"
#include "cost/kernel.h"

namespace rigcast::cost {

/// Share of `bytes` that a cache with room for `room` still holds: reuse fades until data is half as large
/// again.
inline double kept_share(double bytes, double room) {
  constexpr double kEvictionSlope = 2;
  if (bytes <= room) return 1;
  return room > 0 ? std::max(0.0, 1 - (bytes / room - 1) * kEvictionSlope) : 0;
}

inline Kernel stream_kernel(Bytes bytes, double launches, const GpuModel& gpu) {
  Kernel kernel;
  kernel.bytes = bytes;
  const double kept = kept_share(bytes.value, gpu.resident_writes.value);
  const BytesPerSecond cached = std::max(gpu.resident_rate, gpu.memory_rate);
  kernel.memory = bytes * kept / cached + bytes * (1 - kept) / gpu.memory_rate;
  kernel.launches = launches;
  kernel.latency = gpu.execution.kernel_latency * launches;
  return kernel;
}

}  // namespace rigcast::cost
