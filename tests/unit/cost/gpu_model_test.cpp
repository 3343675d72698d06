#include "cost/gpu_model.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;

static double unaligned(const char* framework) {
  const plan::Scenario s = test::scenario("dgx1-v100", "bert-base",
                                          {{"plan.framework.name", framework}, {"plan.precision", "fp16"}});
  const hardware::DeviceId gpu = s.machine.all(hardware::DeviceType::kGpu).front(),
                           cpu = s.machine.all(hardware::DeviceType::kCpu).front();
  return cost::gpu_model(s.machine.device(gpu).gpu(), s.machine.device(cpu).cpu(), s.plan, s.profile)
      .unaligned_products;
}

TEST_CASE("a framework that pads its vocabulary loses nothing to an odd one") {
  CHECK(unaligned("megatron") == 1);
  CHECK(unaligned("pytorch") < 0.5);
}
