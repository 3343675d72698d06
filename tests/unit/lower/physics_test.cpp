#include "base/text.h"
#include "lower/fixture.h"

using namespace rigcast;

// Physics must move the answer: each case changes one thing of a machine or plan and states which way, and
// roughly how far, the iteration time must go.

using test::steady;

static double seconds(const std::string& machine, const std::string& workload, test::Settings set = {}) {
  return steady(test::scenario(machine, workload, std::move(set))).iteration.value;
}

/// The kind with the largest share of the critical path.
static std::string limit(const std::string& machine, const std::string& workload, test::Settings set = {}) {
  analysis::CriticalPath path;
  steady(test::scenario(machine, workload, std::move(set)), &path);
  double by_kind[task::kKindCount] = {};
  for (const analysis::Share& share : path.shares) by_kind[static_cast<int>(share.kind)] += share.share;
  const auto largest = std::max_element(std::begin(by_kind), std::end(by_kind)) - std::begin(by_kind);
  return std::string(task::name(static_cast<task::Kind>(largest)));
}

TEST_CASE(
    "removing NVLink from a V100 box slows BERT-large by more than a third and ResNet-50 by less than a "
    "tenth") {
  const test::Settings bert = {{"plan.precision", "amp-fp16"},
                               {"plan.batch_per_gpu", "8"},
                               {"plan.seq_len", "384"},
                               {"plan.framework.year", "2020"}};
  test::Settings bert_pcie = bert;
  bert_pcie.emplace_back("machine.interconnect", "pcie3");
  CHECK(seconds("dgx1-v100", "bert-large", bert_pcie) > 1.33 * seconds("dgx1-v100", "bert-large", bert));

  const test::Settings resnet = {{"plan.precision", "amp-fp16"}, {"plan.batch_per_gpu", "256"}};
  test::Settings resnet_pcie = resnet;
  resnet_pcie.emplace_back("machine.interconnect", "pcie3");
  const double slower =
      seconds("dgx1-v100", "resnet50", resnet_pcie) / seconds("dgx1-v100", "resnet50", resnet);
  CHECK(slower >= 1.0);
  CHECK(slower < 1.10);
}

TEST_CASE("8 GPUs behind one uplink are slower than 8 behind four where their traffic meets on it") {
  // Staged gradient exchange: eight hops over one x16 uplink, or two over each of four.
  const auto staged = [](const std::string& machine) {
    plan::Scenario scenario =
        test::scenario(machine, "bert-large", {{"plan.batch_per_gpu", "8"}, {"machine.p2p", "false"}});
    hardware::Constant copies;  // a host that is no bottleneck itself
    copies.value = 3e10;
    for (const hardware::Device& device : scenario.machine.devices)
      if (device.type == hardware::DeviceType::kCpu)
        scenario.profile.set("cpu." + lower_case(device.cpu().generation) + ".staging_Bps", copies);
    return steady(scenario).iteration.value;
  };
  CHECK(staged("eight-gpus-one-uplink") > 1.2 * staged("eight-gpus-four-uplinks"));
  // Input of a fast network, already decoded: 602 kB an image.
  const test::Settings input = {{"plan.batch_per_gpu", "512"},    {"plan.precision", "amp-fp16"},
                                {"plan.input.source", "dataset"}, {"plan.input.loader", "prebatched"},
                                {"plan.input.layout", "records"}, {"machine.storage", "nvme-pm1733"}};
  CHECK(seconds("eight-gpus-one-uplink", "alexnet", input) >
        1.1 * seconds("eight-gpus-four-uplinks", "alexnet", input));
}

TEST_CASE("a ring between peers crosses each uplink once: one uplink is as good as four") {
  const test::Settings peers = {{"plan.batch_per_gpu", "8"}};
  CHECK(seconds("eight-gpus-one-uplink", "bert-large", peers) ==
        doctest::Approx(seconds("eight-gpus-four-uplinks", "bert-large", peers)).epsilon(0.01));
}

TEST_CASE("a hard disk makes ResNet-50 storage-bound and an NVMe drive does not") {
  const test::Settings input = {
      {"plan.input.source", "dataset"}, {"plan.batch_per_gpu", "128"}, {"plan.input.loader", "dali-gpu"}};
  test::Settings disk = input, nvme = input;
  disk.emplace_back("machine.storage", "hdd-7200-8t");
  nvme.emplace_back("machine.storage", "nvme-980pro");
  CHECK(limit("desk-1x3090-hdd", "resnet50", disk) == "storage");
  CHECK(limit("desk-1x3090-hdd", "resnet50", nvme) != "storage");
}

TEST_CASE("fewer decode workers make ResNet-50 decode-bound") {
  const test::Settings input = {
      {"plan.input.source", "dataset"}, {"plan.batch_per_gpu", "128"}, {"machine.storage", "nvme-980pro"}};
  test::Settings one = input, many = input;
  one.emplace_back("plan.input.workers", "1");
  many.emplace_back("plan.input.workers", "16");
  many.emplace_back("plan.input.loader", "dali-gpu");
  CHECK(limit("desk-1x3090-hdd", "resnet50", one) == "host.decode");
  CHECK(limit("desk-1x3090-hdd", "resnet50", many) != "host.decode");
}

TEST_CASE("batch 1 is launch-bound; then a faster clock helps and more cores do not") {
  const test::Settings set = {{"plan.batch_per_gpu", "1"}, {"plan.gpus", "1"}};
  CHECK(limit("dgx1-v100", "resnet50", set) == "host.launch");

  plan::Scenario base = test::scenario("dgx1-v100", "resnet50", set);
  plan::Scenario faster = base, wider = base;
  for (hardware::Device& device : faster.machine.devices)
    if (device.type == hardware::DeviceType::kCpu)
      std::get<hardware::CpuPart>(device.figures).turbo_clock *= 1.5;
  for (hardware::Device& device : wider.machine.devices)
    if (device.type == hardware::DeviceType::kCpu) std::get<hardware::CpuPart>(device.figures).cores *= 2;
  const double before = steady(base).iteration.value;
  CHECK(steady(faster).iteration.value < 0.85 * before);
  CHECK(steady(wider).iteration.value == before);
}

TEST_CASE("shares of the critical path add up to 1") {
  for (const char* machine : {"dgx1-v100", "desk-1x3090-hdd", "desk-2x4090"}) {
    analysis::CriticalPath path;
    steady(test::scenario(machine, "resnet50", {{"plan.input.source", "dataset"}}), &path);
    double sum = 0;
    for (const analysis::Share& share : path.shares) sum += share.share;
    CHECK(sum == doctest::Approx(1).epsilon(1e-9));
  }
}

TEST_CASE(
    "gradient accumulation by 4 costs less than 4 steps and more than 4 forward and backward passes without "
    "exchange") {
  const double one =
      seconds("dgx1-v100", "resnet50", {{"plan.precision", "amp-fp16"}, {"plan.batch_per_gpu", "64"}});
  const double four =
      seconds("dgx1-v100", "resnet50",
              {{"plan.precision", "amp-fp16"}, {"plan.batch_per_gpu", "256"}, {"plan.micro_batch", "64"}});
  CHECK(four < 4 * one);
  CHECK(four > 3 * one);
}

TEST_CASE("inference is forward only: faster than a third of training's step plus launches") {
  const double training =
      seconds("dgx-a100", "resnet50", {{"plan.batch_per_gpu", "256"}, {"plan.gpus", "1"}});
  const double inference =
      seconds("dgx-a100", "resnet50",
              {{"plan.batch_per_gpu", "256"}, {"plan.gpus", "1"}, {"plan.mode", "inference"}});
  CHECK(inference < training / 2);
}
