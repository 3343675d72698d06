#include <doctest/doctest.h>

#include "helpers.h"

using namespace rigcast;
using namespace rigcast::config;
using rigcast::config::testing::library;
using rigcast::config::testing::load;
using rigcast::config::testing::text;

namespace {

const std::string kShort = R"({"machine": "dgx-a100", "workload": "resnet50"})";

const hardware::Device& device(const hardware::Machine& machine, const std::string& id) {
  for (const hardware::Device& found : machine.devices)
    if (found.id == id) return found;
  throw "no device " + id;
}

std::size_t links_of(const hardware::Machine& machine, hardware::LinkClass link_class) {
  std::size_t count = 0;
  for (const hardware::Link& link : machine.links) count += link.link_class == link_class ? 1 : 0;
  return count;
}

/// Reading the echo of a scenario must give the same echo and the same warnings.
void check_echo(const Loaded& loaded) {
  const std::string echo = to_json(loaded.scenario);
  const Loaded again = load(echo);
  CHECK(to_json(again.scenario) == echo);
  CHECK(again.scenario.warnings == loaded.scenario.warnings);
  CHECK(again.scenario.network.operators.size() == loaded.scenario.network.operators.size());
  CHECK(workload::forward_macs(again.scenario.network) == workload::forward_macs(loaded.scenario.network));
  CHECK(again.scenario.machine.links.size() == loaded.scenario.machine.links.size());
}

/// Files for paths in scenarios; nothing touches a disk.
Expected<Source, std::string> read_fake(const std::string& path) {
  if (path == "lab/box.json")
    return Source{path, R"({"name": "box", "base": "desk-1x3090-nvme", "ram": "64 GiB"})"};
  if (path == "lab/loop.json") return Source{path, R"({"base": "loop.json"})"};
  return Unexpected<std::string>("no such file");
}

}  // namespace

TEST_CASE("a machine and a workload are a scenario; the plan is all defaults") {
  const Loaded loaded = load(kShort);
  CHECK(loaded.scenario.machine.name == "dgx-a100");
  CHECK(loaded.scenario.network.name == "resnet50");
  CHECK(loaded.scenario.plan.gpus == 8);
  CHECK(loaded.scenario.plan.global_batch == 256);
  CHECK(loaded.scenario.catalogue_date == library().catalogue.date);
  CHECK(loaded.scenario.catalogue_date.size() == 10);
}

TEST_CASE("the echo of a scenario is a scenario, and the same one") {
  check_echo(load(kShort));
  check_echo(load(R"({"machine": "dgx1-v100", "workload": "bert-large",
    "plan": {"precision": "fp16", "gpus": 3, "global_batch": 100, "seq_len": 384, "input": {"source": "dataset"},
             "framework": {"name": "mxnet", "year": 2019, "execution": "compiled"}, "cost": {"usd_per_kwh": 0}}})"));
  check_echo(load(
      R"({"machine": {"gpu": "rtx-3090", "count": 4, "cpu": "2x Xeon Gold 6230", "interconnect": "nvlink-bridge"},
    "workload": {"name": "tiny", "input": [3, 32, 32], "layers": [
      {"type": "conv2d", "name": "stem", "out_channels": 16, "kernel": 3, "padding": "same", "bias": false},
      {"repeat": 3, "name": "stage", "layers": [
        {"branches": [[{"type": "conv2d", "out_channels": 16, "kernel": [3, 3], "padding": 1}, {"type": "batch-norm"}], []]},
        {"type": "add"}, {"type": "relu"}]},
      {"type": "global-average-pool"}, {"type": "linear", "out": 10}]},
    "plan": {"mode": "inference", "batch_per_gpu": 7}})"));
}

TEST_CASE("overrides: a field of a named machine makes a variant of it, later ones win") {
  const Loaded loaded = load(kShort, {{"machine.interconnect", "pcie4"},
                                      {"machine.set.gpu1.memory", "80 GiB"},
                                      {"machine.set.gpu1.peak.fp16_matrix", "100 TFLOP/s"},
                                      {"plan.gpus", "4"},
                                      {"plan.gpus", "2"},
                                      {"plan.input", R"({"source": "dataset"})"},
                                      {"plan.input.sample_bytes", "50 kB"}});
  const hardware::Machine& machine = loaded.scenario.machine;
  CHECK(links_of(machine, hardware::LinkClass::kGpuLink) == 0);
  CHECK(device(machine, "gpu1").gpu().memory.value == 80.0 * 1024 * 1024 * 1024);
  CHECK(device(machine, "gpu1").gpu().peak.fp16_matrix.value == 100e12);
  CHECK(device(machine, "gpu0").gpu().peak.fp16_matrix.value == 312e12);
  CHECK(loaded.scenario.plan.gpus == 2);
  CHECK(loaded.scenario.plan.dataset);
  CHECK(loaded.scenario.plan.sample_bytes.value == 50000);
}

TEST_CASE("overrides of a link by its place keep the share of the rate that is reached") {
  const Loaded before = load(kShort);
  const hardware::Link& old = before.scenario.machine.links[3];
  const Loaded after =
      load(kShort, {{"machine.set.link:3.bandwidth", "1 GB/s"}, {"machine.set.link:3.latency", "7 us"}});
  const hardware::Link& link = after.scenario.machine.links[3];
  CHECK(link.raw.value == 1e9);
  CHECK(link.achievable.value == doctest::Approx(1e9 * (old.achievable / old.raw)).epsilon(1e-12));
  CHECK(link.latency.value == doctest::Approx(7e-6).epsilon(1e-12));
}

TEST_CASE(
    "overrides of a workload's dimensions: parameters of 2 layers differ from those of 1 by one layer") {
  const auto parameters = [](const char* layers) {
    return load(R"({"machine": "dgx-a100", "workload": "bert-large"})", {{"workload.layers", layers}})
        .scenario.network.parameters();
  };
  // An encoder layer of width h = 1024: 4 h^2 + 8 h^2 weights, 4 h + 5 h biases, two norms of 2 h.
  const double h = 1024;
  CHECK(parameters("2") - parameters("1") == 12 * h * h + 9 * h + 4 * h);
  const Loaded longer =
      load(R"({"machine": "dgx-a100", "workload": "bert-large"})", {{"workload.seq_len", "512"}});
  CHECK(longer.scenario.plan.seq_len == 512);
  const Loaded planned =
      load(R"({"machine": "dgx-a100", "workload": "bert-large", "plan": {"seq_len": 256}})",
           {{"workload.seq_len", "512"}});
  CHECK(planned.scenario.plan.seq_len == 256);
}

TEST_CASE("origins: what the user wrote, and where") {
  const Loaded loaded =
      load("{\"machine\": \"dgx-a100\",\n \"workload\": \"resnet50\",\n \"plan\": {\"gpus\": 4}}",
           {{"plan.batch_per_gpu", "64"}});
  CHECK(loaded.origins.find("/plan/gpus").line == 3);
  CHECK(loaded.origins.find("/plan/batch_per_gpu").file == "--set plan.batch_per_gpu");
  CHECK(loaded.origins.written("/machine"));
  CHECK(!loaded.origins.written("/plan/precision"));
  CHECK(loaded.origins.pointers() ==
        std::vector<std::string>{"/machine", "/plan/batch_per_gpu", "/plan/gpus", "/workload"});
}

TEST_CASE("a link knows the pointer under which its figures were written, so that idle ones can be named") {
  const Loaded set = load(kShort, {{"machine.set.link:3.latency", "7 us"}});
  CHECK(set.scenario.machine.links[3].pointer == "/machine/set/link:3");
  CHECK(set.origins.written(set.scenario.machine.links[3].pointer + "/latency"));
  CHECK(set.scenario.machine.links[2].pointer.empty());

  const Loaded inlined = load(to_json(load(kShort).scenario));
  CHECK(inlined.scenario.machine.links[5].pointer == "/machine/links/5");
  CHECK(inlined.origins.written("/machine/links/5/bandwidth"));
}

TEST_CASE("paths are read relative to the scenario's folder; a machine based on itself is an error") {
  Diagnostics diagnostics;
  Request request;
  request.read_file = read_fake;
  request.scenario = Source{"lab/s.json", R"({"machine": "box.json", "workload": "resnet50"})"};
  const auto loaded = load_scenario(library(), request, diagnostics);
  REQUIRE_MESSAGE(loaded, text(diagnostics));
  CHECK(loaded->scenario.machine.name == "box");
  CHECK(loaded->origins.find("/ram").file == "lab/box.json");

  request.scenario = Source{"lab/s.json", R"({"machine": "loop.json", "workload": "resnet50"})"};
  CHECK(!load_scenario(library(), request, diagnostics));
  CHECK(text(diagnostics) ==
        "lab/loop.json:1:10: error: \"loop.json\" is based on itself: loop.json -> loop.json (/base)");

  Diagnostics missing;
  request.scenario = Source{"lab/s.json", R"({"machine": "gone.json", "workload": "resnet50"})"};
  CHECK(!load_scenario(library(), request, missing));
  CHECK(missing.has_unreadable());
  CHECK(text(missing) == "gone.json: error: no such file");
}

TEST_CASE("--machine and --workload take the place of the file's") {
  Diagnostics diagnostics;
  Request request;
  request.scenario = Source{"s.json", kShort};
  request.machine = R"({"base": "dgx1-v100", "count": 4})";
  request.workload = "vgg16";
  const auto loaded = load_scenario(library(), request, diagnostics);
  REQUIRE_MESSAGE(loaded, text(diagnostics));
  CHECK(loaded->scenario.plan.gpus == 4);
  CHECK(loaded->scenario.network.name == "vgg16");
}
