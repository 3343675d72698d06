#include "cost/operator_kernels.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;

namespace {

double optimizer_bytes(const char* workload, test::Settings set) {
  set.emplace_back("plan.gpus", "1");
  const plan::Scenario s = test::scenario("dgx1-v100", workload, set);
  const auto gpu = s.machine.all(hardware::DeviceType::kGpu).front();
  const auto cpu = s.machine.all(hardware::DeviceType::kCpu).front();
  std::vector<cost::Kernel> kernels;
  cost::append_optimizer(
      s.network, cost::gpu_model(s.machine.device(gpu).gpu(), s.machine.device(cpu).cpu(), s.plan, s.profile),
      s.plan, s.profile, kernels);
  double sum = 0;
  for (const cost::Kernel& kernel : kernels) sum += kernel.bytes.value;
  return sum;
}

}  // namespace

TEST_CASE("a sparse step reads and writes the looked-up rows and their gradients: 12 bytes an element") {
  const auto at = [](const char* batch) {
    return optimizer_bytes("dlrm", {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", batch}});
  };
  // 26 tables, 128 wide; the perceptrons' share does not grow with the batch.
  CHECK(at("2048") - at("1024") == doctest::Approx(1024.0 * 26 * 128 * 12));
}

TEST_CASE("rows are looked up in every micro-batch, and all of them are stepped once") {
  const test::Settings whole = {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", "2048"}};
  test::Settings parts = whole;
  parts.emplace_back("plan.micro_batch", "512");
  CHECK(optimizer_bytes("dlrm", parts) == optimizer_bytes("dlrm", whole));
}
