#include "cost/convolution.h"

#include <doctest/doctest.h>

#include "models.h"

using namespace rigcast;
using namespace rigcast::cost;
using test::lanes;

static workload::Convolution square(std::int64_t channels, std::int64_t side, std::int64_t kernel,
                                    std::int64_t stride) {
  workload::Convolution c;
  c.in_channels = c.out_channels = channels;
  c.input[1] = c.input[2] = side;
  c.output[1] = c.output[2] = side / stride;
  c.kernel[1] = c.kernel[2] = kernel;
  c.stride[1] = c.stride[2] = stride;
  return c;
}

static workload::Operator operator_of(const workload::Convolution& c) {
  workload::Operator op;
  op.attributes = c;
  op.input_elements = static_cast<double>(c.in_channels * c.input[1] * c.input[2]);
  op.output_elements = static_cast<double>(c.out_channels * c.output[1] * c.output[2]);
  op.parameters = static_cast<double>(c.in_channels * c.out_channels * c.kernel[1] * c.kernel[2]);
  return op;
}

static double forward(const workload::Convolution& c, const GpuModel& gpu) {
  std::vector<Kernel> kernels;
  convolution_forward(operator_of(c), c, 64, gpu, kernels);
  double sum = 0;
  for (const Kernel& kernel : kernels) sum += kernel.duration().value;
  return sum;
}

static double data_gradient(const workload::Convolution& c, const GpuModel& gpu) {
  std::vector<Kernel> kernels;
  convolution_backward(operator_of(c), c, 64, gpu, true, false, kernels);
  double sum = 0;
  for (const Kernel& kernel : kernels) sum += kernel.duration().value;
  return sum;
}

TEST_CASE("a large convolution costs its multiplications: 2 N P Q K C R S / rate") {
  const workload::Convolution c = square(512, 32, 3, 1);
  CHECK(forward(c, lanes()) == doctest::Approx(2.0 * 64 * 32 * 32 * 512 * 512 * 9 / 1e13).epsilon(0.03));
}

TEST_CASE("Winograd makes large 3x3 convolutions up to four times faster, other shapes not at all") {
  GpuModel gpu = lanes();
  const double direct = forward(square(512, 32, 3, 1), gpu), strided = forward(square(512, 32, 3, 2), gpu),
               pointwise = forward(square(512, 32, 1, 1), gpu);
  gpu.winograd = 1;
  CHECK(forward(square(512, 32, 3, 1), gpu) == doctest::Approx(direct / 4).epsilon(0.05));
  CHECK(forward(square(512, 32, 3, 2), gpu) == strided);
  CHECK(forward(square(512, 32, 1, 1), gpu) == pointwise);
}

TEST_CASE("Winograd of 5x5 kernels multiplies 36 times where the direct form does 100") {
  GpuModel gpu = lanes();
  const double direct = forward(square(512, 32, 5, 1), gpu);
  gpu.winograd = 1;
  CHECK(forward(square(512, 32, 5, 1), gpu) == doctest::Approx(direct * 36 / 100).epsilon(0.05));
}

TEST_CASE("Fourier transforms of 32 x 32 tiles: 17 x 32 complex products for (32 - r + 1)^2 outputs") {
  GpuModel gpu = lanes();
  workload::Convolution c = square(1024, 52, 7, 1);  // two tiles of 26 along each axis
  const double direct = forward(c, gpu);
  gpu.fourier = 1;
  CHECK(forward(c, gpu) == doctest::Approx(direct * 4 * 17 * 32 / (26.0 * 26 * 49)).epsilon(0.15));
  c.dilated = true;
  CHECK(forward(c, gpu) == direct);
}

TEST_CASE("Fourier transforms along a line: 17 complex products for 32 - r + 1 outputs of each row") {
  GpuModel gpu = lanes();
  workload::Convolution c = square(1024, 44, 1, 1);
  c.kernel[2] = 11;
  const double direct = forward(c, gpu);
  gpu.fourier = 1;
  CHECK(forward(c, gpu) == doctest::Approx(direct * 4 * 17 / (22.0 * 11)).epsilon(0.2));
}

TEST_CASE("depthwise kernels of one axis run tap by tap on ordinary lanes, squares of 3 at the bytes' rate") {
  GpuModel gpu = lanes();
  gpu.depthwise_lanes = 0.1;
  workload::Convolution c = square(512, 32, 3, 1);
  c.groups = 512;
  const double small = forward(c, gpu);
  c.kernel[1] = 1;
  c.kernel[2] = 33;
  CHECK(forward(c, gpu) == doctest::Approx(2.0 * 64 * 32 * 32 * 512 * 33 / 1e12).epsilon(0.01));
  CHECK(small < forward(c, gpu) / 100);
}

TEST_CASE("a data gradient whose stride is larger than the kernel computes the pixels nobody needs") {
  const double dense = forward(square(512, 16, 1, 1), lanes());
  // As many output pixels, but the gradient covers the input's four times as many.
  CHECK(data_gradient(square(512, 32, 1, 2), lanes()) == doctest::Approx(4 * dense).epsilon(0.05));
}

TEST_CASE("channels-first tensors on matrix units are transposed: one more kernel") {
  GpuModel gpu = lanes();
  gpu.matrix_units = true;
  gpu.execution.channels_last = false;
  const workload::Convolution c = square(64, 32, 3, 1);
  std::vector<Kernel> first, last;
  convolution_forward(operator_of(c), c, 8, gpu, first);
  gpu.execution.channels_last = true;
  convolution_forward(operator_of(c), c, 8, gpu, last);
  CHECK(first.size() == last.size() + 1);
}

TEST_CASE("narrow groups share tiles of matrix units; odd channels-last widths fall back on lanes") {
  GpuModel gpu = lanes();
  gpu.matrix_units = true;
  gpu.grouped_forward = 1;
  gpu.k_prologue = 128;
  workload::Convolution c = square(128, 32, 3, 1);
  c.groups = 32;
  const double flops = 2.0 * 64 * 32 * 32 * 128 * 4 * 9;
  // One group alone fills 4 of 16 columns and 36 of 36 + 128 steps: 18 times slower than eight together are
  // at most.
  CHECK(forward(c, gpu) < 15 * flops / 1e13);
  c.groups = 4;
  const double prepared = forward(c, gpu);
  gpu.vector_rate = {1e11};
  CHECK(forward(c, gpu) == prepared);
  c.groups = 2;  // 64 channels a group: no kernel on matrix units
  CHECK(forward(c, gpu) == doctest::Approx(2.0 * 64 * 32 * 32 * 128 * 64 * 9 / 1e11).epsilon(0.01));
}
