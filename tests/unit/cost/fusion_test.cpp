#include <doctest/doctest.h>

#include "cost/fusion.h"

using namespace rigcast;
using namespace rigcast::cost;

namespace {

workload::Operator op(workload::Attributes attributes, std::vector<std::uint32_t> inputs) {
  workload::Operator op;
  op.attributes = std::move(attributes);
  op.inputs = std::move(inputs);
  return op;
}

/// The end of a residual block: convolution, batch norm, sum with the block's input, ReLU.
workload::Network block() {
  workload::Network network;
  network.operators = {op(workload::Convolution{}, {}), op(workload::Convolution{}, {0}),
                       op(workload::Normalisation{}, {1}), op(workload::Elementwise{}, {2, 0}),
                       op(workload::Activation{}, {3})};
  return network;
}

}  // namespace

TEST_CASE("eager batch norm takes in the sum and ReLU after it where its library can, and nothing else") {
  GpuModel gpu;
  CHECK_FALSE(fusion(block(), gpu)[4].joins_producer);
  gpu.execution.fused_norm = true;
  std::vector<Fusion> fused = fusion(block(), gpu);
  CHECK(fused[3].joins_producer);
  CHECK(fused[4].joins_producer);
  workload::Network gated = block();
  gated.operators[3].attributes = workload::Elementwise{true};  // a product is no sum
  fused = fusion(gated, gpu);
  CHECK_FALSE(fused[3].joins_producer);
  CHECK_FALSE(fused[4].joins_producer);
}

TEST_CASE("a compiler that has convolutions with activation uses them forward, in training too") {
  workload::Network network;
  network.operators = {op(workload::Convolution{}, {}), op(workload::Activation{}, {0})};
  GpuModel gpu;
  gpu.execution.fuses = true;
  CHECK_FALSE(fusion(network, gpu)[1].in_epilogue);
  gpu.execution.fused_convolution_activation = true;
  CHECK(fusion(network, gpu)[1].in_epilogue);
  CHECK_FALSE(fusion(network, gpu)[1].joins_producer);  // its gradient is a kernel of its own
}
