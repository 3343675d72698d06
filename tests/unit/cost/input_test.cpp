#include "cost/input.h"

#include <doctest/doctest.h>

#include <cmath>

#include "cost/gpu_model.h"
#include "scenarios.h"

using namespace rigcast;

TEST_CASE("tf.data decodes on the threads that four a GPU leave: r1 x (threads - 4)^e x speed of a thread") {
  const plan::Scenario s = test::scenario(
      "desk-1x3090-hdd", "resnet50", {{"plan.input.source", "dataset"}, {"plan.input.loader", "tf-data"}});
  const hardware::CpuPart* cpu = nullptr;
  for (const hardware::DeviceId id : s.machine.all(hardware::DeviceType::kCpu))
    cpu = &s.machine.device(id).cpu();
  REQUIRE(cpu != nullptr);
  const double one = s.profile.value("decode", "jpeg-224", "samples_per_s") *
                     s.profile.value("loader", "tf-data", "speed") * cost::thread_speed(*cpu, s.profile);
  const double exponent = s.profile.value("loader", "tf-data", "core_exponent");
  CHECK(cost::decode_rate(s) == doctest::Approx(one * std::pow(cpu->threads - 4, exponent)).epsilon(1e-6));
}

TEST_CASE("tf.data casts images to the type the GPU computes in: half the bytes in mixed precision") {
  const test::Settings input = {{"plan.input.source", "dataset"}, {"plan.input.loader", "tf-data"}};
  test::Settings half = input, full = input;
  half.emplace_back("plan.precision", "amp-fp16");
  full.emplace_back("plan.precision", "fp32");
  CHECK(cost::prepared_bytes(test::scenario("desk-1x3090-hdd", "resnet50", full)).value ==
        4.0 * 3 * 224 * 224);
  CHECK(cost::prepared_bytes(test::scenario("desk-1x3090-hdd", "resnet50", half)).value ==
        2.0 * 3 * 224 * 224);
}
