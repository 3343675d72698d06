#include "study/explain_operator.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;

TEST_CASE("an operator is found by its name or a unique part of it; otherwise the candidates are named") {
  const workload::Network network = test::scenario("dgx1-v100", "resnet50").network;
  const std::string exact = network.operators[3].name;
  CHECK(study::find_operator(network, exact).found == 3);
  CHECK(!study::find_operator(network, "conv").found);
  CHECK(study::find_operator(network, "conv").candidates.size() > 10);
  CHECK(study::find_operator(network, "no such operator").candidates.size() == network.operators.size());
}

TEST_CASE(
    "the time is the sum of the kernels'; a large convolution's rests on the product rate, negatively") {
  const auto scenario =
      test::scenario("dgx1-v100", "vgg16", {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", "64"}});
  for (std::size_t op = 0; op < scenario.network.operators.size(); ++op) {
    if (scenario.network.operators[op].name.find("conv") == std::string::npos || op < 8) continue;
    const study::OperatorStory story = study::explain_operator(scenario, op);
    double sum = 0;
    bool backward = false;
    for (const study::KernelStory& k : story.kernels) {
      sum += k.kernel.duration().value;
      backward = backward || k.backward;
    }
    CHECK(story.time.value == doctest::Approx(sum));
    CHECK(backward);
    bool found = false;
    for (const study::ConstantEffect& effect : story.constants)
      if (effect.key.find("vector_products") != std::string::npos) {
        found = true;
        CHECK(effect.elasticity < -0.3);
      }
    CHECK(found);
    return;
  }
  FAIL("no convolution");
}
