#include <doctest/doctest.h>

#include "cost/operator_kernels.h"

using namespace rigcast;
using namespace rigcast::cost;

TEST_CASE("autocast keeps layer norms and sums with them in 32 bits until a product casts them") {
  workload::Network network;
  const auto add = [&](workload::Attributes attributes, std::vector<std::uint32_t> inputs) {
    workload::Operator op;
    op.attributes = attributes;
    op.inputs = inputs;
    op.input_elements = 100.0 * static_cast<double>(inputs.size());
    op.output_elements = 100;
    network.operators.push_back(op);
  };
  add(workload::Linear{10, 10, 10}, {});
  add(workload::Normalisation{workload::NormKind::kLayer}, {0});
  add(workload::Elementwise{}, {0, 1});
  add(workload::Linear{10, 10, 10}, {2});
  GpuModel gpu;
  gpu.element_bytes = 2;
  gpu.memory_rate = {1e12};
  gpu.product_rate = gpu.vector_rate = {1e13};
  CHECK(fusion(network, gpu)[2].output_bytes == 0);
  gpu.execution.wide_streams = true;
  const std::vector<Fusion> wide = fusion(network, gpu);
  CHECK(wide[0].output_bytes == 2);
  CHECK(wide[1].output_bytes == 4);
  CHECK(wide[2].input_bytes == 3);
  CHECK(wide[2].output_bytes == 4);
  CHECK(wide[3].output_bytes == 2);
  std::vector<Kernel> kernels;
  append_forward(network, 3, wide[3], 1, gpu, kernels);
  REQUIRE(kernels.size() == 2);  // the cast, then the product
  CHECK(kernels[0].bytes.value == 100 * (4 + 2));
}
