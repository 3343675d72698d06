#pragma once

/// Time of a matrix product C[m,n] = A[m,k] B[k,n], `count` independent ones in one kernel.

#include "cost/gpu_model.h"
#include "cost/kernel.h"

namespace rigcast::cost {

struct Product {
  double m = 0, n = 0, k = 0;
  double count = 1;
  double speed = 1;  ///< algorithmic or layout factor on the arithmetic (Winograd above 1, gradients below)
  double most_splits = 32;  ///< of k
};

/// The choice behind the time, for `explain`.
struct TileChoice {
  double tile_m = 0, tile_n = 0;
  double split_k = 1;
  double waves = 0;       ///< tiles each multiprocessor works through, rounded up
  double efficiency = 0;  ///< of the product rate, after tile and wave losses
};

/// A kernel of one product with the best of the library's tiles: arithmetic and operand feed of each wave,
/// bytes through memory, latency. `operand_bytes` are those of A, B and C once: fewer than the matrices'
/// where they overlap in memory (convolutions). `choice` may be null. O(tiles x splits).
Kernel product_kernel(const Product& product, const GpuModel& gpu, Bytes operand_bytes,
                      TileChoice* choice = nullptr);

/// Speed of a product over one whose matrices have rows of a multiple of 16 bytes, for rows of `width`
/// elements.
double aligned_speed(std::int64_t width, const GpuModel& gpu);

}  // namespace rigcast::cost
