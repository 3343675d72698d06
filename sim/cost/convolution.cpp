/// A convolution runs as an implicit GEMM with the m, n, k of its pass (workload::matrix_work). Exceptions:
///  * depthwise (one input channel a group) has no reuse to speak of: bytes, or in the general kernel of
///    unusual shapes the ordinary lanes at a part of their rate; its weight gradient moves far more bytes;
///  * grouped ones in channels-last form of widths that no kernel on matrix units was made for run on the
///    ordinary lanes;
///  * those of stride 1 in plain fp32 may multiply in a transformed domain where that is faster
///    (convolution_transforms.h);
///  * matrix units want channels last: with channels-first tensors the library transposes input and output in
///    every pass, 2 (in + out) bytes where it has no kernel that reads them as they are, and pads channels to
///    a multiple of 8 (fp16) or 4, which the 3-channel first layer pays for.

#include "cost/convolution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/convolution_transforms.h"
#include "cost/stream.h"

namespace rigcast::cost {
namespace {

using workload::MatrixWork;
using workload::Pass;

bool depthwise(const workload::Convolution& c) { return c.groups > 1 && c.in_channels == c.groups; }

/// Libraries have depthwise kernels for squares of 1, 3 and 5 and for channels-last images; frameworks run
/// their own general one for the rest, such as the long kernels of speech networks (PyTorch, ATen/native
/// Convolution.cpp).
bool generic_depthwise(const workload::Convolution& c, const GpuModel& gpu) {
  if (c.kernel[1] == 1 || c.kernel[2] == 1) return c.kernel[1] != c.kernel[2];
  const bool usual = c.kernel[1] == c.kernel[2] && (c.kernel[1] == 3 || c.kernel[1] == 5);
  return !usual && !gpu.execution.channels_last;
}

/// Widths of a group (in = out) that libraries have channels-last kernels on matrix units for.
bool prepared_width(const workload::Convolution& c) {
  const std::int64_t width = c.in_channels / c.groups;
  return c.in_channels == c.out_channels && (width == 4 || width == 8 || width == 16 || width == 32);
}

double padded_channels(double channels, const GpuModel& gpu) {
  if (!gpu.matrix_units) return channels;
  const double step = gpu.element_bytes <= 2 ? 8 : 4;
  return std::ceil(channels / step) * step;
}

constexpr double kMostPacked = 8;      // groups that one tile computes together, as blocks of a diagonal
constexpr double kWidestOnLanes = 64;  // channels a group
constexpr double kGradientSplits = 8;  // weight gradients sum over long k; the other passes do not split it

ConvolutionBytes tensors(const workload::Operator& op, double batch, const GpuModel& gpu) {
  return {op.input_elements * batch * gpu.element_bytes, op.output_elements * batch * gpu.element_bytes,
          op.parameters * gpu.compute_parameter_bytes};
}

double layer_speed(Pass which, const GpuModel& gpu) {
  switch (which) {
    case Pass::kForward:
      return gpu.convolution_forward;
    case Pass::kDataGradient:
      return gpu.convolution_gradient;
    case Pass::kWeightGradient:
      return gpu.convolution_weight_gradient;
  }
  return 1;
}

/// Pixels over those a gradient needs: library kernels do not skip what a stride larger than the kernel
/// leaves untouched.
double untouched(const workload::Convolution& c) {
  double factor = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (c.kernel[axis] < c.stride[axis])
      factor *= static_cast<double>(c.stride[axis]) / static_cast<double>(c.kernel[axis]);
  return factor;
}

Seconds duration(const std::vector<Kernel>& kernels) {
  Seconds sum;
  for (const Kernel& kernel : kernels) sum += kernel.duration();
  return sum;
}

/// Several groups in one product: a block diagonal, of which all but the blocks is computed in vain.
Product pack(Product product, Pass which, double groups) {
  (which == Pass::kWeightGradient ? product.m : product.k) *= groups;
  product.n *= groups;
  product.count /= groups;
  return product;
}

/// Time on ordinary lanes of grouped convolutions that fall back on them: channels-last ones of widths that
/// no kernel on matrix units was made for. Published times stop growing with the width at about 64 channels.
Seconds lane_time(const workload::Convolution& c, Pass which, double flops, const GpuModel& gpu) {
  if (c.groups == 1 || !gpu.matrix_units || !gpu.execution.channels_last || prepared_width(c)) return {};
  const double reached = which == Pass::kForward ? gpu.grouped_forward : gpu.grouped_gradient;
  if (!(reached > 0)) return {};
  const double width = static_cast<double>(c.in_channels / c.groups);
  return Flops{flops * std::min(1.0, kWidestOnLanes / width)} / (gpu.vector_rate * reached);
}

std::vector<Kernel> direct(const workload::Operator& op, const workload::Convolution& conv, Pass which,
                           double batch, const ConvolutionBytes& t, const GpuModel& gpu) {
  const double channels = static_cast<double>(conv.in_channels) / static_cast<double>(conv.groups);
  const double padding = padded_channels(channels, gpu) / channels;
  std::vector<Kernel> kernels;
  for (const MatrixWork& work : workload::matrix_work(op, which)) {
    Product product{work.batch_in_k ? work.rows : work.rows * batch, work.n,
                    work.batch_in_k ? work.k * batch : work.k, work.count, layer_speed(which, gpu)};
    const double flops = 2 * product.m * product.n * product.k * product.count;
    if (which == Pass::kForward) product.k *= padding;
    if (which == Pass::kWeightGradient) product.speed /= padding;
    if (which == Pass::kDataGradient) product.k *= untouched(conv);
    product.most_splits = which == Pass::kWeightGradient ? kGradientSplits : 1;
    Kernel best = product_kernel(product, gpu, {t.in + t.out + t.weight});
    for (double packed = 2; gpu.matrix_units && packed <= std::min(kMostPacked, product.count); packed *= 2) {
      const Kernel other = product_kernel(pack(product, which, packed), gpu, {t.in + t.out + t.weight});
      if (other.duration() < best.duration()) best = other;
    }
    best.flops = {flops};
    best.vector = std::max(best.vector, lane_time(conv, which, flops, gpu));
    kernels.push_back(best);
  }
  return kernels;
}

/// Arithmetic of a kernel that reuses next to nothing: ordinary lanes at a part of their rate.
void on_lanes(const workload::Operator& op, const workload::Convolution& c, double batch, double reached,
              const GpuModel& gpu, Kernel& kernel) {
  const double taps = static_cast<double>(c.kernel[0] * c.kernel[1] * c.kernel[2] * c.in_channels / c.groups);
  kernel.flops = {2 * taps * op.output_elements * batch};
  kernel.vector = kernel.flops / (gpu.vector_rate * reached);
}

void pass(const workload::Operator& op, const workload::Convolution& conv, Pass which, double batch,
          const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const ConvolutionBytes t = tensors(op, batch, gpu);
  if (depthwise(conv)) {
    const double factor =
        which == Pass::kWeightGradient ? gpu.traffic.depthwise_weight_gradient : gpu.traffic.depthwise;
    kernels.push_back(stream_kernel({factor * (t.in + t.out)}, 1, gpu));
    if (generic_depthwise(conv, gpu)) on_lanes(op, conv, batch, gpu.depthwise_lanes, gpu, kernels.back());
    return;
  }
  std::vector<Kernel> best = direct(op, conv, which, batch, t, gpu);
  if (best.empty()) return;
  for (std::vector<Kernel>& other : transformed_convolutions(conv, which, batch, t, gpu))
    if (duration(other) < duration(best)) best = std::move(other);
  kernels.insert(kernels.end(), best.begin(), best.end());
  if (gpu.matrix_units && !gpu.execution.channels_last)
    kernels.push_back(stream_kernel({gpu.traffic.layout_change * (t.in + t.out)}, 1, gpu));
}

double bias(const workload::Operator& op, const workload::Convolution& c) {
  const double weights = static_cast<double>(c.in_channels / c.groups * c.out_channels * c.kernel[0] *
                                             c.kernel[1] * c.kernel[2]);
  return op.parameters > weights ? 1 : 0;
}

}  // namespace

void convolution_forward(const workload::Operator& op, const workload::Convolution& conv, double batch,
                         const GpuModel& gpu, std::vector<Kernel>& kernels) {
  pass(op, conv, Pass::kForward, batch, gpu, kernels);
  if (bias(op, conv) > 0 && !gpu.execution.fused_convolution_bias)
    kernels.push_back(stream_kernel({2 * tensors(op, batch, gpu).out}, 1, gpu));
}

void convolution_backward(const workload::Operator& op, const workload::Convolution& conv, double batch,
                          const GpuModel& gpu, bool data_gradient, bool weight_gradient,
                          std::vector<Kernel>& kernels) {
  if (weight_gradient && bias(op, conv) > 0)
    kernels.push_back(stream_kernel({tensors(op, batch, gpu).out}, 1, gpu));
  if (data_gradient) pass(op, conv, Pass::kDataGradient, batch, gpu, kernels);
  if (weight_gradient) pass(op, conv, Pass::kWeightGradient, batch, gpu, kernels);
}

}  // namespace rigcast::cost
