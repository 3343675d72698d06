#pragma once

/// A made-up GPU whose times are easy to work out.

#include "cost/gpu_model.h"

namespace rigcast::test {

/// 100 multiprocessors, ordinary lanes of 1e13 FLOP/s, memory that never limits.
inline cost::GpuModel lanes() {
  cost::GpuModel gpu;
  gpu.multiprocessors = 100;
  gpu.product_rate = gpu.burst_rate = gpu.peak = gpu.vector_rate = {1e13};
  gpu.memory_rate = {1e16};
  gpu.l2 = {1e12};
  gpu.element_bytes = gpu.compute_parameter_bytes = gpu.product_bytes = 4;
  gpu.execution.channels_last = true;
  return gpu;
}

}  // namespace rigcast::test
