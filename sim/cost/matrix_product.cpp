/// Tile and wave quantisation. A library covers C with tiles of tm x tn; a multiprocessor works tile after
/// tile:
///
///   time = ceil(tiles / multiprocessors) x 2 tm tn (k / split + prologue) / (rate per multiprocessor x
///   feed(tile))
///
/// tiles = ceil(m / tm) ceil(n / tn) x count x split. A tile of tm x tn needs (tm + tn) operands for tm tn
/// multiply-adds a step of k; with intensity i = tm tn / (tm + tn) the operand feed from shared memory and L2
/// limits it to feed = i / (i + h), normalised to 1 for the largest tile; h is fitted per architecture.
/// Split-k spreads long sums over idle multiprocessors at the price of writing and adding partial sums. The
/// library's choice is taken to be the best. Not modelled: swizzling, L2 misses of very large operands,
/// stream-k.

#include "cost/matrix_product.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rigcast::cost {
namespace {

struct Tile {
  double m, n;
};

constexpr std::array<Tile, 8> kTiles = {
    {{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}, {64, 32}, {32, 64}}};
constexpr std::array<double, 5> kSplits = {1, 2, 4, 8, 16};

double intensity(double m, double n) { return m * n / (m + n); }

}  // namespace

Seconds product_time(const Product& product, const GpuModel& gpu, TileChoice* choice) {
  const double rate = gpu.product_rate.value / gpu.multiprocessors;
  const double half = gpu.tile_half_intensity;
  const double largest = intensity(256, 128);
  double best = -1;
  TileChoice best_choice;
  for (const Tile& tile : kTiles) {
    const double i = intensity(tile.m, tile.n);
    const double feed = i / (i + half) * (largest + half) / largest;
    const double tiles = std::ceil(product.m / tile.m) * std::ceil(product.n / tile.n) * product.count;
    for (const double split : kSplits) {
      if (split > 1 && (product.k / split < 128 || tiles >= gpu.multiprocessors)) break;
      const double waves = std::ceil(tiles * split / gpu.multiprocessors);
      const double tile_flops = 2 * tile.m * tile.n * (product.k / split + gpu.k_prologue);
      double time = waves * tile_flops / (rate * feed * product.speed);
      if (split > 1)  // partial sums in 32 bits, written and read once
        time += 8 * split * product.m * product.n * product.count / gpu.memory_rate.value;
      if (best < 0 || time < best) {
        best = time;
        best_choice = {tile.m, tile.n, split, waves, 0};
      }
    }
  }
  if (choice != nullptr) {
    *choice = best_choice;
    choice->efficiency = 2 * product.m * product.n * product.k * product.count /
                         (gpu.product_rate.value * product.speed * best);
  }
  return {best};
}

Kernel product_kernel(const Product& product, const GpuModel& gpu, Bytes operand_bytes) {
  Kernel kernel;
  (gpu.matrix_units ? kernel.matrix : kernel.vector) = product_time(product, gpu);
  kernel.bytes = operand_bytes;
  kernel.memory = operand_bytes / gpu.memory_rate;
  kernel.flops = {2 * product.m * product.n * product.k * product.count / std::max(1.0, product.speed)};
  kernel.latency = gpu.execution.kernel_latency;
  return kernel;
}

}  // namespace rigcast::cost
