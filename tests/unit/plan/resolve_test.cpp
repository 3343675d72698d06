#include <doctest/doctest.h>

#include "plan/scenario.h"

using namespace rigcast;
using namespace rigcast::plan;

namespace {

/// What a test changes before it resolves.
struct Given {
  hardware::Machine machine;
  workload::Network network;
  Plan plan;
  hardware::Catalogue catalogue;
  OriginMap origins;
  Diagnostics diagnostics;

  explicit Given(int gpus) {
    machine.name = "box";
    hardware::Device cpu;
    cpu.id = "cpu0";
    cpu.type = hardware::DeviceType::kCpu;
    cpu.figures = hardware::CpuPart{};
    machine.devices.push_back(cpu);
    for (int i = 0; i < gpus; ++i) {
      hardware::GpuPart part;
      part.name = "G";
      part.peak.fp32 = {1e13};
      hardware::Device device;
      device.id = "gpu" + std::to_string(i);
      device.type = hardware::DeviceType::kGpu;
      device.figures = part;
      machine.devices.push_back(device);
    }
    network.name = "net";
    network.optimizer = "lamb";
    catalogue.date = "2026-11-30";
  }

  hardware::PeakRates& peak(int gpu) {
    return std::get<hardware::GpuPart>(machine.devices[static_cast<std::size_t>(gpu) + 1].figures).peak;
  }
  void add_storage(const std::string& id, const std::string& kind, double capacity, int count = 1) {
    hardware::StoragePart part;
    part.kind = kind;
    part.capacity = {capacity};
    hardware::Device device;
    device.id = id;
    device.type = hardware::DeviceType::kStorage;
    device.count = count;
    device.figures = part;
    machine.devices.push_back(device);
  }
  std::optional<Scenario> resolve() {
    return plan::resolve(machine, network, plan, catalogue, origins, diagnostics);
  }
  ResolvedPlan resolved() {
    const auto scenario = resolve();
    REQUIRE_MESSAGE(scenario, (diagnostics.entries().empty() ? "" : to_text(diagnostics.entries()[0])));
    return scenario->plan;
  }
  /// The messages of a plan that cannot be.
  std::string complaint() {
    CHECK(!resolve());
    std::string all;
    for (const Diagnostic& entry : diagnostics.entries()) all += (all.empty() ? "" : "; ") + entry.message;
    return all;
  }
};

}  // namespace

TEST_CASE(
    "defaults: training on every GPU, fp32 where there are no matrix units, PyTorch eager of this year") {
  Given given(4);
  const ResolvedPlan plan = given.resolved();
  CHECK(plan.mode == Mode::kTraining);
  CHECK(plan.gpus == 4);
  CHECK(plan.data == 4);
  CHECK(plan.precision == Precision::kFp32);
  CHECK(plan.framework == "pytorch");
  CHECK(plan.year == 2026);
  CHECK(plan.execution == Execution::kEager);
  CHECK(plan.optimizer == Optimizer::kLamb);
  CHECK(!plan.dataset);
  CHECK(plan.storage.empty());
}

TEST_CASE("default precision: bf16 where every GPU of the plan has it, else fp16 matrix units, else fp32") {
  Given given(2);
  given.peak(0).fp16_matrix = given.peak(1).fp16_matrix = {1e14};
  CHECK(given.resolved().precision == Precision::kAmpFp16);
  given.peak(0).bf16_matrix = {1e14};
  CHECK(given.resolved().precision == Precision::kAmpFp16);  // the second GPU has none
  given.plan.gpus = 1;
  CHECK(given.resolved().precision == Precision::kAmpBf16);
}

TEST_CASE("a precision that a GPU lacks names what it has; integers do not train") {
  Given given(1);
  given.peak(0).fp16_vector = {1e13};
  given.plan.precision = Precision::kBf16;
  CHECK(given.complaint() == "G has no bf16");
  CHECK(given.diagnostics.entries()[0].hint == "it has fp32, amp-fp16, fp16, int4");
  Given integer(1);
  integer.peak(0).int8_vector = {1e13};
  integer.plan.precision = Precision::kInt8;
  CHECK(integer.complaint() == "int8 is for inference only");
  integer.plan.mode = Mode::kInference;
  CHECK(integer.resolved().precision == Precision::kInt8);
}

TEST_CASE("batch defaults: 32 samples a rank, 8 sequences of a token model") {
  Given given(2);
  CHECK(given.resolved().batch_per_gpu == 32);
  CHECK(given.resolved().global_batch == 64);
  given.network.tokens_per_sample = 128;
  CHECK(given.resolved().batch_per_gpu == 8);
  CHECK(given.resolved().seq_len == 128);
}

TEST_CASE("any of the batch sizes follows from the others: G = b D, a = ceil(b / m)") {
  Given given(4);
  given.plan.global_batch = 100;  // 25 a rank
  CHECK(given.resolved().batch_per_gpu == 25);
  given.plan.micro_batch = 8;  // 8 + 8 + 8 + 1
  CHECK(given.resolved().grad_accum == 4);
  given.plan.micro_batch.reset();
  given.plan.parallel.grad_accum = 3;  // 9 + 9 + 7
  CHECK(given.resolved().micro_batch == 9);
  given.plan.global_batch = 102;  // 25.5 a rank need not be whole
  CHECK(given.resolved().batch_per_gpu == 25.5);
  CHECK(given.resolved().micro_batch == 8.5);

  Given micro(4);
  micro.plan.micro_batch = 6;
  micro.plan.parallel.grad_accum = 2;
  CHECK(micro.resolved().batch_per_gpu == 12);
  CHECK(micro.resolved().global_batch == 48);
}

TEST_CASE("batch sizes that contradict name all parties") {
  Given given(4);
  given.plan.global_batch = 100;
  given.plan.batch_per_gpu = 16;
  CHECK(given.complaint() ==
        "global_batch 100 contradicts batch_per_gpu 16 on 4 data-parallel ranks: 16 x 4 = 64");
  Given accumulate(1);
  accumulate.plan.batch_per_gpu = 16;
  accumulate.plan.micro_batch = 4;
  accumulate.plan.parallel.grad_accum = 2;
  CHECK(accumulate.complaint() ==
        "grad_accum 2 contradicts batch_per_gpu 16 and micro_batch 4, which take 4 forward passes");
  Given micro(1);
  micro.plan.batch_per_gpu = 16;
  micro.plan.micro_batch = 17;
  CHECK(micro.complaint() == "micro_batch 17 is larger than batch_per_gpu 16");
  Given small(4);
  small.plan.global_batch = 3;
  CHECK(small.complaint() == "global_batch 3 leaves less than one sample for each of 4 data-parallel ranks");
  Given part(4);
  part.plan.batch_per_gpu = 12.5;
  CHECK(part.complaint() == "batch_per_gpu 12.5 is not a whole number of samples");
}

TEST_CASE("more GPUs than there are, ranks that are not GPUs, several nodes, no GPU at all") {
  Given given(4);
  given.plan.gpus = 5;
  CHECK(given.complaint() == "5 GPUs asked for, box has 4");
  Given ranks(4);
  ranks.plan.gpus = 4;
  ranks.plan.parallel.data = 2;
  CHECK(ranks.complaint() == "parallel.data 2 contradicts gpus 4: every GPU is a data-parallel rank");
  Given some(4);
  some.plan.parallel.data = 2;
  CHECK(some.resolved().gpus == 2);
  Given nodes(4);
  nodes.machine.nodes = 2;
  CHECK(nodes.resolved().gpus == 8);
  nodes.plan.nodes = 3;
  CHECK(nodes.complaint() == "plan.nodes 3 contradicts the machine, which has 2 nodes");
  Given uneven(4);
  uneven.machine.nodes = 2;
  uneven.plan.gpus = 5;
  CHECK(uneven.complaint() == "5 GPUs do not divide by 2 nodes: nodes take equal parts");
  Given none(0);
  CHECK(none.complaint() == "box has no GPU to run on");
}

TEST_CASE("framework defaults: fused attention from 2023 in 16 bits, overlap, XLA when TensorFlow compiles") {
  Given given(1);
  given.peak(0).bf16_matrix = {1e14};
  CHECK(given.resolved().flash_attention);
  given.plan.framework.year = 2022;
  CHECK(!given.resolved().flash_attention);
  given.plan.framework.year = 2023;
  CHECK(given.resolved().flash_attention);
  given.plan.precision = Precision::kFp32;
  CHECK(!given.resolved().flash_attention);
  given.plan.framework.flash_attention = true;
  CHECK(given.resolved().flash_attention);
  CHECK(given.resolved().overlap);
  CHECK(!given.resolved().xla);
  given.plan.framework.name = "tensorflow";
  given.plan.framework.execution = Execution::kCompiled;
  CHECK(given.resolved().xla);
}

TEST_CASE("one process cannot drive the GPUs of several nodes") {
  Given given(2);
  given.plan.parallel.method = Method::kParameterServer;
  CHECK(given.resolved().method == Method::kParameterServer);
  given.machine.nodes = 2;
  CHECK(given.complaint() == "method parameter-server is one process on one node, not on 2");
  given.plan.parallel.method = Method::kIndependent;
  CHECK(given.resolved().method == Method::kIndependent);
}

TEST_CASE("batches in tokens hold as many samples as their tokens make up: 2,560 tokens of 128 are 20") {
  Given given(1);
  given.network.tokens_per_sample = 128;
  given.plan.batch_unit = BatchUnit::kTokens;
  given.plan.batch_per_gpu = 2560;
  CHECK(given.resolved().batch_per_gpu == 20);
}

TEST_CASE("packed sequences keep their nominal length in the plan; the network has the real half") {
  Given given(1);
  given.network.tokens_per_sample = 256;
  given.plan.padding = Padding::kPacked;
  given.plan.seq_len = 512;
  CHECK(given.resolved().seq_len == 512);
}

TEST_CASE("a data set takes the workload's figures and the largest local storage, and 4 workers a GPU") {
  Given given(2);
  given.network.dataset = {"image", 1281167, 110e3, 602112, "jpeg-224"};
  given.plan.input.dataset = true;
  given.add_storage("nfs", "network", 1e15);
  given.add_storage("small", "nvme", 3e12);
  given.add_storage("bays", "sata-ssd", 1e12, 4);
  const ResolvedPlan plan = given.resolved();
  CHECK(plan.samples == 1281167);
  CHECK(plan.sample_bytes.value == 110e3);
  CHECK(plan.decode == Decode::kJpeg224);
  CHECK(plan.layout == Layout::kFiles);
  CHECK(plan.loader == Loader::kFramework);
  CHECK(plan.storage == "bays");  // 4 x 1 TB
  CHECK(plan.workers == 8);
  given.plan.input.storage = "nvme9";
  CHECK(given.complaint() == "no storage device \"nvme9\" in the machine");
  CHECK(given.diagnostics.entries()[0].hint == "it has nfs, small, bays");
}

TEST_CASE("a machine without storage gets one default drive, joined to the CPU and named in the warnings") {
  Given given(1);
  given.network.dataset = {"image", 1000, 1e5, 6e5, "none"};
  given.plan.input.dataset = true;
  CHECK(given.complaint() == "the machine has no storage to read the data set from");

  Given with(1);
  with.network.dataset = {"image", 1000, 1e5, 6e5, "none"};
  with.plan.input.dataset = true;
  hardware::LinkKind link;
  link.id = "slot";
  link.raw = {4e9};
  link.achievable = {3e9};
  with.catalogue.links["slot"] = link;
  for (const auto& [id, speed] : {std::pair{"a", 9e9}, std::pair{"b", 5e9}, std::pair{"c", 1e9}}) {
    hardware::StoragePart part;
    part.id = part.name = id;
    part.kind = "nvme";
    part.interface = "slot";
    part.capacity = {1e12};
    part.sequential_read = {speed};
    with.catalogue.storage[id] = part;
  }
  const auto scenario = with.resolve();
  REQUIRE(scenario);
  CHECK(scenario->plan.storage == "storage0");
  CHECK(scenario->machine.devices.back().part == "b");  // of middling speed
  REQUIRE(scenario->machine.links.size() == 1);
  CHECK(scenario->machine.links[0].achievable.value == 3e9);
  CHECK(scenario->warnings ==
        std::vector<std::string>{"the machine has no storage: one b was added to read the data set from"});
}

TEST_CASE("a network without a usual data set needs one in the plan") {
  Given given(1);
  given.add_storage("nvme0", "nvme", 1e12);
  given.plan.input.dataset = true;
  CHECK(given.complaint() ==
        "input.samples is missing: net has no usual data set; input.sample_bytes is missing: net has no "
        "usual data set");
  given.plan.input.samples = 10;
  given.plan.input.sample_bytes = Bytes{100};
  CHECK(given.resolved().sample_bytes.value == 100);
}

TEST_CASE("errors stand where the user wrote one of the parties") {
  Given given(1);
  given.origins.set("/plan/batch_per_gpu", {"s.json", 7, 2, "/plan/batch_per_gpu"});
  given.plan.global_batch = 100;
  given.plan.batch_per_gpu = 16;
  given.complaint();
  CHECK(given.diagnostics.entries()[0].origin.line == 7);
  CHECK(given.diagnostics.entries()[0].origin.pointer == "/plan/batch_per_gpu");
}
