/// A convolution runs as an implicit GEMM with the m, n, k of its pass (workload::matrix_work). Three
/// exceptions:
///  * depthwise (one input channel a group) has no reuse to speak of and is memory-bound, its weight gradient
///  far more;
///  * 3x3 stride-1 in plain fp32 uses Winograd transforms (Lavin and Gray 2016): up to 2.25 (F(2x2)) or 4
///  (F(4x4)) fewer
///    multiplications, less in the weight gradient;
///  * matrix units want channels last: with channels-first tensors the library transposes input and output in
///  every pass,
///    2 (in + out) bytes, and pads channels to a multiple of 8 (fp16) or 4, which the 3-channel first layer
///    pays for.

#include "cost/convolution.h"

#include <algorithm>
#include <cmath>

#include "cost/stream.h"

namespace rigcast::cost {
namespace {

using workload::MatrixWork;
using workload::Pass;

bool depthwise(const workload::Convolution& c) { return c.groups > 1 && c.in_channels == c.groups; }

bool winograd_shape(const workload::Convolution& c) {
  return c.kernel[1] == 3 && c.kernel[2] == 3 && c.kernel[0] == 1 && c.stride[1] == 1 && c.stride[2] == 1 &&
         c.groups == 1 && c.in_channels >= 16 && !c.transposed;
}

double padded_channels(double channels, const GpuModel& gpu) {
  if (!gpu.matrix_units) return channels;
  const double step = gpu.element_bytes <= 2 ? 8 : 4;
  return std::ceil(channels / step) * step;
}

struct Bytes3 {
  double in, out, weight;
};

Bytes3 tensors(const workload::Operator& op, double batch, const GpuModel& gpu) {
  return {op.input_elements * batch * gpu.element_bytes, op.output_elements * batch * gpu.element_bytes,
          op.parameters * gpu.compute_parameter_bytes};
}

void pass(const workload::Operator& op, const workload::Convolution& conv, Pass which, double batch,
          const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const Bytes3 t = tensors(op, batch, gpu);
  if (depthwise(conv)) {
    const double factor =
        which == Pass::kWeightGradient ? gpu.traffic.depthwise_weight_gradient : gpu.traffic.depthwise;
    kernels.push_back(stream_kernel({factor * (t.in + t.out)}, 1, gpu));
    return;
  }
  double speed = which == Pass::kForward ? 1 : gpu.convolution_gradient;
  if (winograd_shape(conv))
    speed *= which == Pass::kWeightGradient ? gpu.winograd_weight_gradient : gpu.winograd;
  const double channels = static_cast<double>(conv.in_channels) / static_cast<double>(conv.groups);
  const double padding = padded_channels(channels, gpu) / channels;
  for (const MatrixWork& work : workload::matrix_work(op, which)) {
    Product product{work.batch_in_k ? work.rows : work.rows * batch, work.n,
                    work.batch_in_k ? work.k * batch : work.k, work.count, speed};
    const double flops = 2 * product.m * product.n * product.k * product.count;
    if (which == Pass::kForward) product.k *= padding;
    if (which == Pass::kWeightGradient) product.speed /= padding;
    kernels.push_back(product_kernel(product, gpu, {t.in + t.out + t.weight}));
    kernels.back().flops = {flops / std::max(1.0, speed)};
  }
  if (gpu.matrix_units && !gpu.execution.channels_last)
    kernels.push_back(stream_kernel({2 * (t.in + t.out)}, 1, gpu));
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
