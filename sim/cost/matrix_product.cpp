/// A library covers C with tiles of tm x tn; a multiprocessor works tile after tile:
///
///   waves  = ceil(tiles / multiprocessors)
///   busy   = blend(2 tm tn (waves k / split + prologue (1 + (waves - 1) exposed)) / rate,
///                  waves (tm + tn) (k / split) bytes / feed)
///   memory = bytes / (memory rate x product reads x filled),  filled = 1 / sqrt(1 + (half / flight)^2)
///   time   = blend(busy, memory) + latency
///
/// tiles = ceil(m / tm) ceil(n / tn) x count x split; blend(a, b) = (a^4 + b^4)^(1/4), since overlap is never
/// perfect. The feed is what shared memory and L2 bring to one multiprocessor: small tiles reuse operands
/// less and starve. `prologue` elements of k stand for filling the pipeline and writing the tile out; from
/// the second wave on a neighbour on the same multiprocessor hides all but a part of it. Memory is only as
/// fast as bytes are in flight (Little's law): flight = tiles (tm + tn) / 384 / multiprocessors, in units of
/// a full multiprocessor's buffers. Where neither operand's panel stays in L2 (both larger), a wave, as
/// square as it can be, reads the panels it touches again. What an earlier kernel left in L2, and results
/// that L2 absorbs, move at the L2's rate. Split-k spreads long sums over idle multiprocessors at the price
/// of partial sums and a second pass. The library's choice is taken to be the best. Not modelled: swizzling,
/// clusters, stream-k.

#include "cost/matrix_product.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.h"
#include "cost/stream.h"

namespace rigcast::cost {
namespace {

struct Tile {
  double m, n;
};

constexpr std::array<Tile, 18> kTiles = {{{256, 128},
                                          {128, 256},
                                          {256, 256},
                                          {128, 128},
                                          {256, 64},
                                          {64, 256},
                                          {128, 64},
                                          {64, 128},
                                          {64, 64},
                                          {32, 128},
                                          {128, 32},
                                          {32, 64},
                                          {64, 32},
                                          {32, 32},
                                          {32, 16},
                                          {16, 128},
                                          {16, 64},
                                          {16, 32}}};
constexpr std::array<double, 10> kSplits = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
constexpr double kShortestSplit = 128;    // elements of k a split keeps
constexpr double kFullTile = 256 + 128;   // operands a step of the tile that fills shared memory
constexpr double kPartialSums = 0.5 * 4;  // bytes: half of them leave L2, 32 bits each

/// (a^4 + b^4)^(1/4).
double blend(double a, double b) {
  const double larger = std::max(a, b);
  if (!(larger > 0)) return 0;
  double ratio = std::min(a, b) / larger;
  ratio *= ratio;
  return larger * std::sqrt(std::sqrt(1 + ratio * ratio));
}

/// What does not depend on the tile.
struct Operands {
  double a = 0, b = 0;      ///< bytes of one product's operands
  double once = 0;          ///< all operands and results, each once
  double resident = 0;      ///< of `once`, what moves at the L2's rate
  double reread_share = 0;  ///< of a panel that a later wave reads again
};

Operands operands(const Product& p, const GpuModel& gpu, Bytes operand_bytes) {
  Operands o;
  const double results = p.m * p.n * std::max(2.0, gpu.product_bytes);
  o.a = p.m * p.k * gpu.product_bytes;
  o.b = p.k * p.n * gpu.product_bytes;
  o.once = operand_bytes.value;
  const double whole = (o.a + o.b + results) * p.count;
  const double scale = whole > 0 ? o.once / whole : 0;
  o.a *= scale;
  o.b *= scale;
  const double reads = (o.a + o.b) * p.count, writes = o.once - reads;
  o.resident = reads * kept_share(reads, gpu.resident_reads.value) +
               writes * kept_share(writes, gpu.resident_writes.value);
  const double smaller = std::min(o.a, o.b);
  o.reread_share = smaller > 0 ? 1 - std::min(1.0, gpu.l2.value / smaller) : 0;
  return o;
}

struct Cost {
  double busy = 0, memory = 0, bytes = 0, time = -1;
  TileChoice choice;
};

}  // namespace

/// Matrix units are fed 16 bytes at a time. Rows that do not start on 16 bytes are loaded in smaller pieces:
/// `unaligned_products` of the speed where they start at any 2, and each doubling up to 16 wins a third of
/// the loss (logarithmically) back. NVIDIA, Matrix Multiplication Background User's Guide, section 4.
double aligned_speed(std::int64_t width, const GpuModel& gpu) {
  const auto bytes = static_cast<std::int64_t>(gpu.product_bytes);
  double speed = 1;
  for (std::int64_t start = 16; start > 2 && width * bytes % start != 0; start /= 2)
    speed *= exact_pow(gpu.unaligned_products, 1.0 / 3);
  return speed;
}

Kernel product_kernel(const Product& p, const GpuModel& gpu, Bytes operand_bytes, TileChoice* choice) {
  const double processors = gpu.multiprocessors;
  const double rate = gpu.product_rate.value / processors * p.speed;
  const double feed = gpu.feed_rate.value;
  const double read_rate = gpu.memory_rate.value * gpu.product_reads;
  const double resident_rate = std::max(gpu.resident_rate.value, read_rate);
  const Operands o = operands(p, gpu, operand_bytes);
  Cost best;
  for (const Tile& tile : kTiles) {
    const double rows = std::ceil(p.m / tile.m), columns = std::ceil(p.n / tile.n);
    const double tiles = rows * columns * p.count;
    double once = o.once;
    if (o.reread_share > 0) {
      const double wave = std::min(processors, rows * columns);
      const double across = std::min(columns, std::max(std::sqrt(wave * tile.m / tile.n), wave / rows));
      const double down = wave / across;
      once += p.count * o.reread_share *
              (o.a * std::max(0.0, columns / across - 1) + o.b * std::max(0.0, rows / down - 1));
    }
    const double edge = std::min(tile.m, p.m) + std::min(tile.n, p.n);
    for (std::size_t s = 0; s < kSplits.size(); ++s) {
      const double split = kSplits[s], depth = p.k / split;
      if (s > 0 &&
          (split > p.most_splits || depth < kShortestSplit || tiles * kSplits[s - 1] >= 2 * processors))
        break;
      Cost cost;
      cost.choice = {tile.m, tile.n, split, std::ceil(tiles * split / processors), 0};
      const double waves = cost.choice.waves;
      const double prologues = gpu.k_prologue * (1 + (waves - 1) * gpu.exposed_prologue);
      const double arithmetic = 2 * tile.m * tile.n * (waves * depth + prologues) / rate;
      const double fed = feed > 0 ? waves * edge * depth * gpu.product_bytes / feed : 0;
      cost.busy = blend(arithmetic, fed);
      cost.bytes = once + (split > 1 ? kPartialSums * split * p.m * p.n * p.count : 0);
      const double flight = tiles * split * (tile.m + tile.n) / kFullTile / processors;
      const double starved = gpu.half_flight / flight;
      const double filling = std::sqrt(1 + starved * starved);
      cost.memory = ((cost.bytes - o.resident) / read_rate + o.resident / resident_rate) * filling;
      const double extra = split > 1 ? gpu.split_latency.value : 0;
      if (best.time >= 0 && std::max(cost.busy, cost.memory) + extra >= best.time) continue;
      cost.time = blend(cost.busy, cost.memory) + extra;
      if (best.time < 0 || cost.time < best.time) best = cost;
    }
  }
  const double overlap = blend(best.busy, best.memory) / std::max({best.busy, best.memory, 1e-30});
  Kernel kernel;
  (gpu.matrix_units ? kernel.matrix : kernel.vector) = {best.busy * overlap};
  kernel.memory = {best.memory * overlap};
  kernel.bytes = {best.bytes};
  kernel.flops = {2 * p.m * p.n * p.k * p.count / std::max(1.0, p.speed)};
  kernel.latency = gpu.execution.kernel_latency;
  if (best.choice.split_k > 1) kernel.latency += gpu.split_latency;
  if (choice != nullptr) {
    *choice = best.choice;
    choice->efficiency = 2 * p.m * p.n * p.k * p.count / (gpu.product_rate.value * p.speed * best.busy);
  }
  return kernel;
}

}  // namespace rigcast::cost
