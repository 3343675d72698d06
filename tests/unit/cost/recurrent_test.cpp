#include "cost/recurrent.h"

#include <doctest/doctest.h>

#include "models.h"

using namespace rigcast;
using namespace rigcast::cost;
using test::lanes;

TEST_CASE("a recurrent layer at small batch: steps x (latency + what a step costs beside its product)") {
  GpuModel gpu = lanes();
  gpu.execution.kernel_latency = {5e-6};
  gpu.recurrent_step = {30e-6};
  workload::Recurrent r;
  r.cell = workload::Cell::kLstm;
  r.hidden = 16;
  r.steps = 1000;
  std::vector<Kernel> kernels;
  recurrent_forward({}, r, 1, gpu, kernels);
  REQUIRE(kernels.size() == 1);  // no input width: no input product
  CHECK(kernels[0].duration().value == doctest::Approx(1000 * 35e-6).epsilon(0.02));
}

TEST_CASE("at small batch a 16-bit layer whose weights fit in the registers stays on the chip") {
  GpuModel gpu = lanes();
  gpu.matrix_units = true;
  gpu.multiprocessors = 108;
  gpu.element_bytes = gpu.compute_parameter_bytes = 2;
  gpu.execution.kernel_latency = {5e-6};
  gpu.recurrent_step = {30e-6};
  gpu.resident_step = {4e-6};
  workload::Recurrent r;
  r.cell = workload::Cell::kLstm;
  r.hidden = 1024;
  r.steps = 400;
  const auto latency = [&](double batch) {
    std::vector<Kernel> kernels;
    recurrent_forward({}, r, batch, gpu, kernels);
    return kernels[0].latency.value;
  };
  CHECK(latency(16) == doctest::Approx(400 * 4e-6));
  CHECK(latency(256) == doctest::Approx(400 * 35e-6));
  gpu.execution.captured = true;  // the library's own launches are replayed: a product and the gates
  CHECK(latency(256) == doctest::Approx(400 * 10e-6));
  gpu.multiprocessors = 56;  // 8 MiB of weights, half of 14 MiB of registers
  CHECK(latency(16) == doctest::Approx(400 * 10e-6));
}
