#include "cost/attention.h"

#include <doctest/doctest.h>

#include "models.h"

using namespace rigcast;
using namespace rigcast::cost;
using test::lanes;

static double flash(double heads, std::int64_t length, bool causal, const GpuModel& gpu,
                    std::int64_t dimension = 128) {
  workload::Attention a;
  a.heads = a.kv_heads = static_cast<std::int64_t>(heads);
  a.qk_dim = a.v_dim = dimension;
  a.queries = a.keys = length;
  a.causal = causal;
  workload::Operator op;
  op.input_elements = 3 * heads * static_cast<double>(length) * static_cast<double>(dimension);
  op.output_elements = heads * static_cast<double>(length * dimension);
  std::vector<Kernel> kernels;
  attention_forward(op, a, 1, gpu, kernels);
  return kernels.at(0).duration().value;
}

TEST_CASE("flash attention: 4 d operations a score in products, half of the scores when causal") {
  GpuModel gpu = lanes();
  gpu.execution.flash_attention = true;
  const double all = 4.0 * 128 * 100 * 12800.0 * 12800 / 1e13;  // 100 heads x 100 blocks: whole waves
  CHECK(flash(100, 12800, false, gpu) == doctest::Approx(all).epsilon(1e-6));
  CHECK(flash(100, 12800, true, gpu) == doctest::Approx(all / 2).epsilon(0.02));
}

TEST_CASE("flash attention: what is beside the products adds to them") {
  GpuModel gpu = lanes();
  gpu.execution.flash_attention = true;
  const double products = flash(100, 12800, false, gpu);
  gpu.flash_forward = 512;  // as much as the products' 4 x 128, at the same rate
  CHECK(flash(100, 12800, false, gpu) == doctest::Approx(2 * products).epsilon(1e-6));
}

TEST_CASE("flash attention: head dimensions are those kernels are compiled for, multiples of 32") {
  GpuModel gpu = lanes();
  gpu.execution.flash_attention = true;
  CHECK(flash(100, 12800, false, gpu, 40) == doctest::Approx(flash(100, 12800, false, gpu, 64)));
  CHECK(flash(100, 12800, false, gpu, 80) == doctest::Approx(0.75 * flash(100, 12800, false, gpu)));
}

TEST_CASE("flash attention: one head of one block takes as long as a hundred of them") {
  GpuModel gpu = lanes();
  gpu.execution.flash_attention = true;
  CHECK(flash(1, 128, false, gpu) == doctest::Approx(flash(100, 128, false, gpu)).epsilon(1e-9));
}
