/// Winograd's minimal filtering (Lavin and Gray 2016, arXiv:1509.09308) for 3x3 and 5x5 kernels: 2.25
/// (F(2x2, 3x3)), 4 (F(4x4, 3x3)) or 2.8 (F(2x2, 5x5)) times fewer multiplications, edges padded to whole
/// tiles. Fourier transforms of tiles (Vasilache et al. 2014, arXiv:1412.7580; cuDNN's FFT_TILING) for larger
/// kernels: one complex product, four real ones, for each frequency of a tile of 32 along each axis of the
/// kernel.

#include "cost/convolution_transforms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/matrix_product.h"
#include "cost/stream.h"

namespace rigcast::cost {
namespace {

using workload::Pass;

constexpr double kTransforms = 0.5;  // of the transforms' bytes, what leaves L2
constexpr double kComplex = 8;       // bytes
constexpr double kTile = 32;
constexpr std::int64_t kSmallestForFourier = 5, kLargestForFourier = 31;

bool plain(const workload::Convolution& c) {
  return c.kernel[0] == 1 && c.stride[1] == 1 && c.stride[2] == 1 && c.groups == 1 && c.in_channels >= 8 &&
         !c.transposed;
}

bool winograd_shape(const workload::Convolution& c) {
  return (c.kernel[1] == 3 || c.kernel[1] == 5) && c.kernel[2] == c.kernel[1];
}

/// Products of one point of the transformed domain: `blocks` tiles of all samples against the channels.
Product point_products(const workload::Convolution& c, Pass which, double blocks, double points,
                       double speed) {
  const double in = static_cast<double>(c.in_channels), out = static_cast<double>(c.out_channels);
  if (which == Pass::kForward) return {blocks, out, in, points, speed};
  if (which == Pass::kDataGradient) return {blocks, in, out, points, speed};
  return {out, in, blocks, points, speed};
}

/// F(2x2) of 3x3 kernels fused into one kernel, or F(4x4), and F(2x2) of 5x5 ones, with its transforms
/// through memory: (t + r - 1)^2 products of tiles x channels x channels, where the direct form has r^2 t^2
/// multiplications. The weights grow by (t + r - 1)^2 / r^2, which small images feel.
std::vector<Kernel> winograd(const workload::Convolution& c, Pass which, double batch, double tile,
                             const ConvolutionBytes& t, const GpuModel& gpu) {
  const double tiles = batch * std::ceil(static_cast<double>(c.output[1]) / tile) *
                       std::ceil(static_cast<double>(c.output[2]) / tile);
  const double reach = static_cast<double>(c.kernel[1]), points = (tile + reach - 1) * (tile + reach - 1);
  const Product product = point_products(c, which, tiles, points, gpu.winograd);
  const double spread = points / (tile * tile);  // transformed over plain pixels
  const double weights = points / (reach * reach) * t.weight;
  std::vector<Kernel> kernels = {product_kernel(product, gpu, {spread * (t.in + t.out) + weights})};
  if (points > 16)
    kernels.push_back(
        stream_kernel({kTransforms * (1 + 2 * spread) * (t.in + t.out) + t.weight + weights}, 2, gpu));
  return kernels;
}

/// Tiles overlap by the kernel's reach; data and weights are transformed, multiplied and transformed back.
std::vector<Kernel> fourier(const workload::Convolution& c, Pass which, double batch, bool line,
                            const ConvolutionBytes& t, const GpuModel& gpu) {
  double blocks = batch, points = 1;
  bool halved = false;  // real data: half of the last axis's frequencies say all
  for (std::size_t axis = 1; axis <= 2; ++axis) {
    const double extent = static_cast<double>(c.output[axis]);
    const double fresh = kTile - static_cast<double>(c.kernel[axis]) + 1;
    blocks *= line && c.kernel[axis] == 1 ? extent : std::ceil(extent / fresh);
    if (line && c.kernel[axis] == 1) continue;
    points *= halved ? kTile : kTile / 2 + 1;
    halved = true;
  }
  Product product = point_products(c, which, blocks, points, gpu.fourier);
  product.n *= 2;  // a complex product: real and imaginary parts of either side
  product.k *= 2;
  const double in = static_cast<double>(c.in_channels), out = static_cast<double>(c.out_channels);
  const double data = kComplex * points * blocks * (in + out), weights = kComplex * points * in * out;
  return {product_kernel(product, gpu, {data + weights}),
          stream_kernel({kTransforms * (t.in + t.out + data) + t.weight + weights}, 3, gpu)};
}

}  // namespace

std::vector<std::vector<Kernel>> transformed_convolutions(const workload::Convolution& c, Pass which,
                                                          double batch, const ConvolutionBytes& t,
                                                          const GpuModel& gpu) {
  std::vector<std::vector<Kernel>> ways;
  if (!plain(c)) return ways;
  if (gpu.winograd > 0 && winograd_shape(c)) {
    ways.push_back(winograd(c, which, batch, 2, t, gpu));
    if (c.kernel[1] == 3) ways.push_back(winograd(c, which, batch, 4, t, gpu));
  }
  const std::int64_t shorter = std::min(c.kernel[1], c.kernel[2]),
                     longer = std::max(c.kernel[1], c.kernel[2]);
  const bool line = shorter == 1;
  if (gpu.fourier > 0 && !c.dilated && longer >= kSmallestForFourier && longer <= kLargestForFourier)
    ways.push_back(fourier(c, which, batch, line, t, gpu));
  return ways;
}

}  // namespace rigcast::cost
