#include "base/math.h"
#include "cost/gpu_model.h"
#include "cost/memory.h"
#include "lower/fixture.h"

using namespace rigcast;
using test::Settings;

namespace {

double seconds(const char* machine, const char* workload, const Settings& set) {
  return test::steady(test::scenario(machine, workload, set)).iteration.value;
}

std::size_t exchanges(const plan::Scenario& scenario, const char* item) {
  const lower::Lowered lowered = lower::lower(scenario);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < lowered.graph.size(); ++i)
    if (lowered.graph.describe(task::TaskId{i}).find(item) != std::string::npos) ++count;
  return count;
}

cost::GpuMemory ledger(const char* machine, const char* workload, const Settings& set) {
  return cost::memory(test::scenario(machine, workload, set)).gpus.front();
}

}  // namespace

TEST_CASE("full recomputation runs the forward pass once more, selective only the attention core") {
  const Settings none = {{"plan.gpus", "1"}, {"plan.batch_per_gpu", "16"}, {"plan.optimizer", "none"}};
  Settings full = none, selective = none, forward = none;
  full.emplace_back("plan.parallel.recompute", "full");
  selective.emplace_back("plan.parallel.recompute", "selective");
  forward[2] = {"plan.mode", "inference"};
  const double base = seconds("dgx1-v100", "bert-large", none);
  const double again = seconds("dgx1-v100", "bert-large", full) - base;
  // Inference has no dropout and no training overhead on the host, so it is somewhat shorter.
  CHECK(again > 0.6 * seconds("dgx1-v100", "bert-large", forward));
  CHECK(again < 0.45 * base);
  const double part = seconds("dgx1-v100", "bert-large", selective) - base;
  CHECK(part > 0);
  CHECK(part < 0.7 * again);
}

TEST_CASE(
    "work between steps adds to each step where the loop waits for the GPU, and hides where it runs ahead") {
  const auto longer = [](const char* framework, const char* key) {
    plan::Scenario s = test::scenario(
        "desk-1x3090-nvme", "resnet50",
        {{"plan.framework.name", framework}, {"plan.precision", "fp32"}, {"plan.batch_per_gpu", "64"}});
    const double slow =
        exact_pow(cost::thread_speed(s.machine.device(s.machine.find("cpu0")).cpu(), s.profile),
                  -s.profile.value("framework", "default", "host_speed_exponent"));
    const auto iteration = [&](double step) {
      hardware::Constant constant = s.profile.all().find(key)->second;
      constant.value = step / slow;
      s.profile.set(key, constant);
      return test::steady(s).iteration.value;
    };
    return iteration(0.012) - iteration(0.002);
  };
  CHECK(longer("tensorflow", "framework.tensorflow-eager.step_s") == doctest::Approx(0.010).epsilon(1e-6));
  CHECK(longer("pytorch", "framework.default.step_s") == doctest::Approx(0).scale(0.010).epsilon(0.01));
}

TEST_CASE("replicas of one process take turns for the part of an operator that holds the interpreter") {
  const auto step = [](double share) {
    plan::Scenario s = test::scenario("two-gpus-one-uplink", "mobilenet-v2",
                                      {{"plan.parallel.method", "data-parallel"},
                                       {"plan.framework.name", "pytorch"},
                                       {"plan.batch_per_gpu", "1"}});
    hardware::Constant constant = s.profile.all().find("framework.default.interpreter_share")->second;
    constant.value = share;
    s.profile.set("framework.default.interpreter_share", constant);
    return test::steady(s).iteration.value;
  };
  CHECK(step(0.2) == step(0.5));  // two replicas in half of the time each: nobody waits
  CHECK(step(1) > 1.05 * step(0.5));
}

TEST_CASE("what is recomputed is not kept") {
  const Settings none = {{"plan.batch_per_gpu", "16"}};
  Settings full = none, selective = none;
  full.emplace_back("plan.parallel.recompute", "full");
  selective.emplace_back("plan.parallel.recompute", "selective");
  const Bytes all = ledger("dgx1-v100", "bert-large", none).activations;
  const Bytes some = ledger("dgx1-v100", "bert-large", selective).activations;
  CHECK(some < all);
  CHECK(ledger("dgx1-v100", "bert-large", full).activations < some * 0.6);
}

TEST_CASE(
    "spread tables: all-to-all there and back on eight ranks, none on one; an eighth of the tables each") {
  const Settings spread = {{"plan.parallel.embedding", "model-parallel"}, {"plan.batch_per_gpu", "8192"}};
  Settings alone = spread;
  alone.emplace_back("plan.gpus", "1");
  CHECK(exchanges(test::scenario("dgx1-v100", "dlrm", spread), "looked-up vectors") > 0);
  CHECK(exchanges(test::scenario("dgx1-v100", "dlrm", alone), "looked-up vectors") == 0);
  CHECK(exchanges(test::scenario("dgx1-v100", "dlrm", {{"plan.batch_per_gpu", "8192"}}), "looked-up") == 0);
  const double whole = ledger("dgx1-v100", "dlrm", {{"plan.batch_per_gpu", "8192"}}).parameters.value;
  CHECK(ledger("dgx1-v100", "dlrm", spread).parameters.value == doctest::Approx(whole / 8).epsilon(0.05));
}

TEST_CASE("adapters: states of a few small matrices, and no weight gradients of the frozen ones") {
  const Settings all = {{"plan.gpus", "1"}, {"plan.batch_per_gpu", "1"}, {"plan.precision", "bf16"}};
  Settings adapters = all;
  adapters.emplace_back("plan.lora_rank", "16");
  const cost::GpuMemory trained = ledger("dgx-a100", "llama-2-7b", all),
                        frozen = ledger("dgx-a100", "llama-2-7b", adapters);
  CHECK(frozen.optimizer < trained.optimizer * 0.02);
  CHECK(frozen.parameters < trained.parameters * 1.02);
  const double full = seconds("dgx-a100", "llama-2-7b", all),
               low_rank = seconds("dgx-a100", "llama-2-7b", adapters);
  // Two of three products remain, and hardly any optimizer step.
  CHECK(low_rank < 0.85 * full);
  CHECK(low_rank > 0.4 * full);
}

TEST_CASE("gradients that wait lengthen an iteration, and with all of them nothing overlaps") {
  plan::Scenario scenario =
      test::scenario("desk-2x4090", "resnet50", {{"plan.batch_per_gpu", "64"}, {"plan.precision", "fp32"}});
  const auto with = [&](double late) {
    hardware::Constant constant = *scenario.profile.find("framework", "pytorch-eager", "late_gradients");
    constant.value = late;
    scenario.profile.set("framework.pytorch-eager.late_gradients", constant);
    return test::steady(scenario).iteration.value;
  };
  CHECK(with(0.5) > with(0) * 1.01);
  CHECK(with(1) > with(0.5) * 1.01);
}

TEST_CASE(
    "a host that waits for a result issues nothing meanwhile: box selection adds its time to the GPU's") {
  plan::Scenario waits =
      test::scenario("dgx1-v100", "maskrcnn-r50-fpn", {{"plan.gpus", "1"}, {"plan.batch_per_gpu", "4"}});
  plan::Scenario runs_ahead = waits;
  for (workload::Operator& op : runs_ahead.network.operators) op.synchronises = false;
  CHECK(test::steady(waits).iteration > test::steady(runs_ahead).iteration * 1.02);
}

TEST_CASE("independent copies exchange nothing: eight take as long as one") {
  const Settings one = {{"plan.gpus", "1"}, {"plan.batch_per_gpu", "8"}};
  const Settings eight = {{"plan.parallel.method", "independent"}, {"plan.batch_per_gpu", "8"}};
  CHECK(seconds("dgx1-v100", "bert-large", eight) ==
        doctest::Approx(seconds("dgx1-v100", "bert-large", one)).epsilon(1e-3));
  CHECK(exchanges(test::scenario("dgx1-v100", "bert-large", eight), "all-reduce") == 0);
}

TEST_CASE("a copy from pageable memory adds its whole time: 602 kB an image at the driver's rate") {
  const Settings pinned = {{"plan.gpus", "1"}, {"plan.batch_per_gpu", "64"}, {"plan.precision", "fp32"}};
  Settings pageable = pinned;
  pageable.emplace_back("plan.input.h2d", "pageable");
  const plan::Scenario scenario = test::scenario("dgx1-v100", "resnet50", pageable);
  const double copy = 64 * 3 * 224 * 224 * 4 / scenario.profile.value("host", "default", "pageable_Bps");
  const double longer = seconds("dgx1-v100", "resnet50", pageable) - seconds("dgx1-v100", "resnet50", pinned);
  CHECK(longer >= copy);
  // The host issues nothing meanwhile, so the first kernels are late too: the loop's work and one operator's.
  CHECK(longer < copy + 4e-3);
}

TEST_CASE("whole tables on ranks: the busiest of eight sends four of 26, of two 13") {
  const auto sent = [](const char* gpus) {
    const lower::Lowered lowered = lower::lower(test::scenario("dgx1-v100", "dlrm",
                                                               {{"plan.parallel.embedding", "model-parallel"},
                                                                {"plan.batch_per_gpu", "1024"},
                                                                {"plan.gpus", gpus}}));
    double bytes = 0;
    for (std::uint32_t i = 0; i < lowered.graph.size(); ++i)
      if (lowered.graph.describe(task::TaskId{i}).find("looked-up vectors") != std::string::npos)
        bytes += lowered.graph.work(task::TaskId{i});
    return bytes;
  };
  // Of eight parts seven leave the rank, of two one.
  CHECK(sent("8") / (7.0 / 8) == doctest::Approx(sent("2") / (1.0 / 2) * (4 * 8) / 26));
}
