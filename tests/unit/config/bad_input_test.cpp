#include <doctest/doctest.h>

#include "helpers.h"

/// Every mistake a user can make has a text that says what is wrong, where, and what was meant. The texts are
/// exact: a message that gets worse must fail here.

using rigcast::config::testing::complaints;

namespace {

/// A sound machine of two GPUs; one place of it is replaced by a mistake.
std::string machine_with(const std::string& wrong, const std::string& right) {
  std::string text = R"({"workload": "resnet50", "machine": {"nodes": [
  {"id": "cpu0", "type": "cpu", "part": "epyc-7742"},
  {"id": "ram0", "type": "ram", "capacity": "256 GiB"},
  {"id": "gpu0", "type": "gpu", "part": "a100-sxm4-40"},
  {"id": "gpu1", "type": "gpu", "part": "a100-sxm4-40"}],
 "links": [
  {"from": "cpu0", "to": "ram0", "kind": "ddr"},
  {"from": "cpu0", "to": "gpu0", "kind": "pcie4", "lanes": 16},
  {"from": "cpu0", "to": "gpu1", "kind": "pcie4", "bandwidth": "30 GB/s"}]}})";
  if (!right.empty()) text.replace(text.find(right), right.size(), wrong);
  return text;
}

/// A layer list on a shipped machine.
std::string layers(const std::string& list) {
  return R"({"machine": "dgx-a100", "workload": {"name": "net", "input": [3, 32, 32], "layers": [)" + list +
         "]}}";
}

std::string plan(const std::string& text) {
  return R"({"machine": "dgx-a100", "workload": "resnet50", "plan": {)" + text + "}}";
}

}  // namespace

TEST_CASE("the machine the mistakes are made in is sound") { CHECK(complaints(machine_with("", "")) == ""); }

TEST_CASE("unknown names") {
  CHECK(complaints(R"({"machine": "dgx-a10", "workload": "resnet5"})") ==
        "s.json:1:13: error: no machine \"dgx-a10\" (/machine)\n  did you mean \"dgx-a100\"?\n"
        "s.json:1:36: error: no workload \"resnet5\" (/workload)\n  did you mean \"resnet50\"?");
  CHECK(complaints(R"({"machine": "qqqqqq", "workload": "resnet50"})") ==
        "s.json:1:13: error: no machine \"qqqqqq\" (/machine)\n"
        "  \"rigcast list machines\" shows them; a path ends in .json");
  CHECK(complaints(machine_with("a100-sxm4-4O", "a100-sxm4-40")) ==
        "s.json:4:41: error: no gpu part \"a100-sxm4-4O\" (/machine/nodes/2/part)\n  did you mean "
        "\"a100-sxm4-40\"?");
  CHECK(complaints(machine_with("pcie44", "pcie4")) ==
        "s.json:8:42: error: no link kind \"pcie44\" (/machine/links/1/kind)\n  did you mean \"pcie4\"?");
  CHECK(complaints(machine_with("\"to\": \"gpu2\"", "\"to\": \"gpu1\"")) ==
        "s.json:9:26: error: no device \"gpu2\" in this machine (/machine/links/2/to)\n  did you mean "
        "\"gpu0\"?");
}

TEST_CASE("missing and unknown keys, wrong types") {
  CHECK(complaints(machine_with("", "\"id\": \"gpu0\", ")) ==
        "s.json:4:3: error: the key \"id\" is missing (/machine/nodes/2)\n"
        "s.json:8:26: error: no device \"gpu0\" in this machine (/machine/links/1/to)\n  did you mean "
        "\"cpu0\"?");
  CHECK(complaints(machine_with("\"lane\"", "\"lanes\"")) ==
        "s.json:8:51: error: unknown key \"lane\" (/machine/links/1/lane)\n  did you mean \"lanes\"?");
  CHECK(complaints(machine_with("\"x16\"}", "16}")) ==
        "s.json:8:60: error: expected a number, found a text (/machine/links/1/lanes)");
  CHECK(complaints(plan("\"gpus\": \"four\"")) ==
        "s.json:1:66: error: expected a number, found a text (/plan/gpus)");
  CHECK(complaints(plan("\"gpus\": 1.5")) ==
        "s.json:1:66: error: expected a whole number, found 1.5 (/plan/gpus)");
  CHECK(complaints(plan("\"input\": [1]")) ==
        "s.json:1:67: error: expected an object, found an array (/plan/input)");
  CHECK(complaints("[]") == "s.json:1:1: error: expected an object, found an array");
  CHECK(complaints(plan("\"optimizer\": \"adamm\"")) ==
        "s.json:1:71: error: \"adamm\" is none of none, sgd-momentum, adam, adamw, lamb, lars, novograd, "
        "rmsprop, adagrad, "
        "muon (/plan/optimizer)\n  did you mean \"adam\"?");
  CHECK(complaints("{}") ==
        "s.json:1:1: error: no machine is given\n  write \"machine\" in the scenario, or --machine NAME\n"
        "s.json:1:1: error: no workload is given\n  write \"workload\" in the scenario, or --workload NAME");
}

TEST_CASE("units and signs") {
  CHECK(
      complaints(machine_with("256 Gb", "256 GiB")) ==
      "s.json:3:45: error: \"256 Gb\" is bits, expected bytes: write \"32 GB\" (/machine/nodes/1/capacity)");
  CHECK(complaints(machine_with("30 GB", "30 GB/s")) ==
        "s.json:9:64: error: \"30 GB\" is bytes, expected bytes per second, such as \"12.3 GB/s\" "
        "(/machine/links/2/bandwidth)");
  CHECK(complaints(machine_with("-30 GB/s", "30 GB/s")) ==
        "s.json:9:64: error: expected a bandwidth above 0, found \"-30 GB/s\" (/machine/links/2/bandwidth)");
  CHECK(complaints(machine_with("0 GB/s", "30 GB/s")) ==
        "s.json:9:64: error: expected a bandwidth above 0, found \"0 GB/s\" (/machine/links/2/bandwidth)");
}

TEST_CASE("machines that cannot be") {
  // The cable to gpu1 leads to gpu0 instead.
  CHECK(complaints(machine_with("\"to\": \"gpu0\"", "\"to\": \"gpu1\"")) ==
        "s.json:4:3: error: \"gpu0\" has 16 PCIe lanes, its links use 32 (/machine/nodes/2)\n"
        "s.json:5:3: error: \"gpu1\" reaches no CPU (/machine/nodes/3)\n  join it with a link");
  CHECK(complaints(machine_with("\"lanes\": 32", "\"lanes\": 16")) ==
        "s.json:4:3: error: \"gpu0\" has 16 PCIe lanes, its links use 32 (/machine/nodes/2)");
  CHECK(complaints(machine_with("\"gpu0\", \"type\"", "\"gpu1\", \"type\"")) ==
        "s.json:5:10: error: two devices have the id \"gpu0\" (/machine/nodes/3/id)\n"
        "s.json:9:26: error: no device \"gpu1\" in this machine (/machine/links/2/to)\n  did you mean "
        "\"gpu0\"?");
}

TEST_CASE("layer lists that cannot be") {
  CHECK(complaints(layers(
            R"({"type": "conv2d", "name": "a", "inputs": "b", "out_channels": 8, "kernel": 3, "padding": 1},
    {"type": "relu", "name": "b", "inputs": "a"})")) ==
        "s.json:1:86: error: the layers form a cycle: \"a\" -> \"b\" -> \"a\" (/workload/layers/0)");
  CHECK(complaints(layers(R"({"type": "conv2d", "name": "a", "out_channels": 8, "kernel": 3},
    {"type": "conv2d", "name": "b", "inputs": "input", "out_channels": 8, "kernel": 5},
    {"type": "add", "name": "sum", "inputs": ["a", "b"]})")) ==
        "s.json:3:5: error: add: \"a\" gives [8, 30, 30] but \"b\" gives [8, 28, 28] (/workload/layers/2)");
  CHECK(complaints(layers(R"({"type": "conv2", "out_channels": 8, "kernel": 3})")) ==
        "s.json:1:86: error: unknown layer type \"conv2\" (/workload/layers/0)\n  did you mean \"conv2d\"?");
}

TEST_CASE("plans that cannot be") {
  CHECK(complaints(plan("\"batch_per_gpu\": 0")) ==
        "s.json:1:75: error: expected a number above 0, found 0 (/plan/batch_per_gpu)");
  CHECK(complaints(plan("\"batch_per_gpu\": -8")) ==
        "s.json:1:75: error: expected a number above 0, found -8 (/plan/batch_per_gpu)");
  CHECK(complaints(plan("\"batch_per_gpu\": 1e300")) ==
        "s.json:1:75: error: batch_per_gpu 1e+300 on 8 data-parallel ranks is more than 2147483647 samples "
        "(/plan/batch_per_gpu)");
  CHECK(
      complaints(plan("\"global_batch\": 800000, \"micro_batch\": 1")) ==
      "s.json:1:97: error: batch_per_gpu 100000 takes 100000 forward passes of micro_batch 1: at most 10000 "
      "(/plan/micro_batch)");
  CHECK(complaints(plan("\"gpus\": 1000000")) ==
        "s.json:1:66: error: expected at most 10000, found 1000000 (/plan/gpus)");
  CHECK(complaints(plan("\"gpus\": 9")) ==
        "s.json:1:66: error: 9 GPUs do not divide by 2 nodes: nodes take equal parts (/plan/gpus)");
  CHECK(complaints(plan("\"precision\": \"fp8\"")) ==
        "s.json:1:71: error: A100 SXM4 80GB has no fp8 (/plan/precision)\n"
        "  it has fp64, fp32, tf32, amp-fp16, amp-bf16, fp16, bf16, int8, int4");
  CHECK(complaints(plan("\"mode\": \"decode\"")) ==
        "s.json:1:66: error: mode \"decode\" is not supported yet: rigcast forecasts training steps and "
        "forward "
        "passes (/plan/mode)");
  CHECK(complaints(plan("\"parallel\": {\"tensor\": 2, \"zero\": 1, \"pipeline\": 1}")) ==
        "s.json:1:81: error: tensor 2 is not supported yet: rigcast forecasts data parallelism "
        "(/plan/parallel/tensor)\n"
        "s.json:1:92: error: zero 1 is not supported yet: every one of the 8 data-parallel ranks keeps all "
        "weights, gradients and states (/plan/parallel/zero)");
}

TEST_CASE("mistakes of several kinds and places are reported together, and overrides by their name") {
  CHECK(complaints(R"({"machine": "dgx-a100", "workload": "resnet50",
 "plan": {"gpus": 9, "batchpergpu": 3, "input": {"source": "disk"}}})",
                   {{"plan.framework.year", "1999"}, {"plan.optimiser", "adam"}, {"batch_per_gpu", "3"}}) ==
        "--set batch_per_gpu: error: \"batch_per_gpu\" does not begin with machine, workload or plan\n"
        "  did you mean \"plan.batch_per_gpu\"?\n"
        "--set plan.framework.year: error: expected a number of at least 2010, found 1999 "
        "(/plan/framework/year)\n"
        "s.json:2:60: error: \"disk\" is none of synthetic, dataset (/plan/input/source)\n"
        "s.json:2:22: error: unknown key \"batchpergpu\" (/plan/batchpergpu)\n  did you mean "
        "\"batch_per_gpu\"?\n"
        "--set plan.optimiser: error: unknown key \"optimiser\" (/plan/optimiser)\n  did you mean "
        "\"optimizer\"?\n"
        "s.json:2:19: error: 9 GPUs do not divide by 2 nodes: nodes take equal parts (/plan/gpus)");
}
