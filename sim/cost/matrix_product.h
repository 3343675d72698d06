#pragma once

/// Time of a matrix product C[m,n] = A[m,k] B[k,n], `count` independent ones in one kernel.

#include "cost/gpu_model.h"
#include "cost/kernel.h"

namespace rigcast::cost {

struct Product {
  double m = 0, n = 0, k = 0;
  double count = 1;
  double speed = 1;  ///< algorithmic or layout factor on the arithmetic (Winograd above 1, gradients below)
};

/// The choice behind the time, for `explain`.
struct TileChoice {
  double tile_m = 0, tile_n = 0;
  double split_k = 1;
  double waves = 0;       ///< tiles each multiprocessor works through, rounded up
  double efficiency = 0;  ///< of the product rate, after tile and wave losses
};

/// Arithmetic time by the best of the library's tiles. `choice` may be null. O(tiles).
Seconds product_time(const Product& product, const GpuModel& gpu, TileChoice* choice = nullptr);

/// A kernel of one product: arithmetic, operand bytes read and written once, latency.
Kernel product_kernel(const Product& product, const GpuModel& gpu, Bytes operand_bytes);

}  // namespace rigcast::cost
