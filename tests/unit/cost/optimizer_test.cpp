#include <doctest/doctest.h>

#include "cost/operator_kernels.h"
#include "scenarios.h"

using namespace rigcast;

namespace {

cost::GpuModel model(const plan::Scenario& s) {
  const hardware::Machine& machine = s.machine;
  const auto gpu = machine.all(hardware::DeviceType::kGpu).front();
  const auto cpu = machine.all(hardware::DeviceType::kCpu).front();
  return cost::gpu_model(machine.device(gpu).gpu(), machine.device(cpu).cpu(), s.plan, s.profile);
}

plan::Scenario one_gpu(const char* workload, test::Settings set) {
  set.emplace_back("plan.gpus", "1");
  return test::scenario("dgx1-v100", workload, std::move(set));
}

double bytes(const std::vector<cost::Kernel>& kernels) {
  double sum = 0;
  for (const cost::Kernel& kernel : kernels) sum += kernel.bytes.value;
  return sum;
}

std::vector<cost::Kernel> optimizer(const plan::Scenario& s) {
  std::vector<cost::Kernel> kernels;
  cost::append_optimizer(s.network, model(s), s.plan, s.profile, kernels);
  return kernels;
}

}  // namespace

TEST_CASE("a sparse step reads and writes the looked-up rows and their gradients: 12 bytes an element") {
  const auto at = [](const char* batch) {
    return bytes(optimizer(one_gpu("dlrm", {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", batch}})));
  };
  // 26 tables, 128 wide; the perceptrons' share does not grow with the batch.
  CHECK(at("2048") - at("1024") == doctest::Approx(1024.0 * 26 * 128 * 12));
}

TEST_CASE("rows are looked up in every micro-batch, and all of them are stepped once") {
  const test::Settings whole = {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", "2048"}};
  test::Settings parts = whole;
  parts.emplace_back("plan.micro_batch", "512");
  CHECK(bytes(optimizer(one_gpu("dlrm", parts))) == bytes(optimizer(one_gpu("dlrm", whole))));
}

TEST_CASE("autocast looks ordinary tables up in 32 bits and casts: 14 bytes an element, 8 without") {
  const auto lookup = [](const char* precision) {
    const plan::Scenario s = one_gpu("ncf", {{"plan.precision", precision}, {"plan.batch_per_gpu", "1024"}});
    std::vector<cost::Kernel> kernels;
    for (std::uint32_t op = 0; op < s.network.operators.size(); ++op)
      if (s.network.operators[op].name == "mf_user")
        cost::append_forward(s.network, op, {}, s.plan.micro_batch, model(s), kernels);
    return bytes(kernels);
  };
  CHECK(lookup("fp32") == doctest::Approx(1024.0 * 64 * 8));
  CHECK(lookup("amp-fp16") == doctest::Approx(1024.0 * 64 * 14));
}
