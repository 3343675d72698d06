#include "cost/memory.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;

using test::scenario;

TEST_CASE(
    "fp32 training with SGD momentum holds 4 bytes a parameter for weights, gradients and momentum each") {
  const plan::Scenario s =
      scenario("dgx1-v100", "resnet50",
               {{"plan.gpus", "1"}, {"plan.precision", "fp32"}, {"plan.batch_per_gpu", "32"}});
  const cost::MemoryLedger ledger = cost::memory(s);
  REQUIRE(ledger.gpus.size() == 1);
  const cost::GpuMemory& m = ledger.gpus[0];
  const double parameters = s.network.parameters();
  CHECK(m.gradients.value == doctest::Approx(4 * parameters));
  CHECK(m.optimizer.value == doctest::Approx(4 * parameters));
  CHECK(m.parameters.value >= 4 * parameters);
  CHECK(m.master_weights.value == 0);
  CHECK(m.communication.value == 0);
}

TEST_CASE("Adam holds two states, pure 16-bit training a 32-bit master copy") {
  const plan::Scenario s =
      scenario("dgx-a100", "bert-large",
               {{"plan.precision", "bf16"}, {"plan.optimizer", "adamw"}, {"plan.batch_per_gpu", "8"}});
  const cost::GpuMemory m = cost::memory(s).gpus.at(0);
  const double parameters = s.network.parameters();
  CHECK(m.optimizer.value == doctest::Approx(8 * parameters));
  CHECK(m.master_weights.value == doctest::Approx(4 * parameters));
  CHECK(m.gradients.value == doctest::Approx(2 * parameters));
}

TEST_CASE("activations are linear in the batch; the largest batch fits and one more does not") {
  plan::Scenario s =
      scenario("dgx1-v100", "resnet50", {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", "32"}});
  const double at_32 = cost::memory(s).gpus[0].activations.value;
  s.plan.micro_batch = s.plan.batch_per_gpu = 64;
  CHECK(cost::memory(s).gpus[0].activations.value == doctest::Approx(2 * at_32));
  const double largest = cost::largest_batch_that_fits(s);
  s.plan.micro_batch = s.plan.batch_per_gpu = largest;
  CHECK(cost::memory(s).fits);
  s.plan.micro_batch = s.plan.batch_per_gpu = largest + 1;
  CHECK_FALSE(cost::memory(s).fits);
}

TEST_CASE(
    "ResNet-50 at batch 256 in mixed precision fits 32 GB (published runs did) and batch 1024 does not") {
  const plan::Scenario fits =
      scenario("dgx1-v100", "resnet50", {{"plan.precision", "amp-fp16"}, {"plan.batch_per_gpu", "256"}});
  CHECK(cost::memory(fits).fits);
  const plan::Scenario not_so =
      scenario("dgx1-v100", "resnet50", {{"plan.precision", "amp-fp16"}, {"plan.batch_per_gpu", "1024"}});
  CHECK_FALSE(cost::memory(not_so).fits);
}

TEST_CASE("flash attention keeps no scores") {
  const plan::Scenario plain = scenario(
      "dgx-a100", "bert-large", {{"plan.framework.flash_attention", "false"}, {"plan.batch_per_gpu", "8"}});
  const plan::Scenario flash = scenario(
      "dgx-a100", "bert-large", {{"plan.framework.flash_attention", "true"}, {"plan.batch_per_gpu", "8"}});
  CHECK(cost::memory(flash).gpus[0].activations < cost::memory(plain).gpus[0].activations);
}

TEST_CASE("the parts of a ledger add up to what is used") {
  const cost::GpuMemory m = cost::memory(scenario("dgx-a100", "resnet50", {})).gpus.at(0);
  const Bytes sum = m.parameters + m.master_weights + m.gradients + m.optimizer + m.activations + m.kv_cache +
                    m.workspace + m.communication + m.reserved + m.context;
  CHECK(sum == m.used());
}
