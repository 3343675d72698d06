#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "report/list.h"
#include "report/machine.h"
#include "report/memory.h"
#include "report/samples.h"

namespace rigcast::report {
namespace {

using Json = nlohmann::ordered_json;

hardware::GpuPart sample_gpu() {
  hardware::GpuPart gpu;
  gpu.id = "a100";
  gpu.name = "A100 \"40 GB\"";
  gpu.memory = {40.0 * 1024 * 1024 * 1024};
  gpu.memory_bandwidth = {1.56e12};
  gpu.provenance.source = "data sheet";
  return gpu;
}

hardware::Machine sample_machine() {
  hardware::Machine machine;
  machine.name = "box";
  machine.title = "A box";
  hardware::Device gpu, cpu;
  gpu.id = "gpu0";
  gpu.type = hardware::DeviceType::kGpu;
  gpu.figures = sample_gpu();
  cpu.id = "cpu0";
  cpu.type = hardware::DeviceType::kCpu;
  cpu.figures = hardware::CpuPart{};
  machine.devices = {gpu, cpu};
  hardware::Link link;
  link.from = {1};
  link.to = {0};
  link.kind = "pcie4";
  link.count = 16;
  link.raw = {31.5e9};
  link.achievable = {26e9};
  machine.links = {link};
  return machine;
}

TEST_CASE("lists: an array of one kind, an object of all kinds, null where nothing is known") {
  const std::vector<Listing> listings = {{"gpus", {"title", "memory_bytes"}, {facts(sample_gpu())}}};
  const Json array = Json::parse(printed([&](std::ostream& out) { list_json(out, listings, false); }));
  CHECK(array[0]["name"] == "a100");
  CHECK(array[0]["title"] == "A100 \"40 GB\"");
  CHECK(array[0]["source"] == "data sheet");
  CHECK(array[0]["memory_Bps"] == 1.56e12);
  CHECK(array[0]["price_usd"].is_null());
  const Json object = Json::parse(printed([&](std::ostream& out) { list_json(out, listings, true); }));
  CHECK(object["gpus"] == array);
  CHECK(printed([&](std::ostream& out) { list_text(out, listings); }) ==
        "name  title           memory\n"
        "a100  A100 \"40 GB\"  40.0 GiB\n");
}

TEST_CASE("a machine as DOT: every device a node, every link an edge, quotes escaped") {
  const std::string dot = printed([](std::ostream& out) { machine_dot(out, sample_machine()); });
  CHECK(contains(dot, "graph \"box\" {"));
  CHECK(contains(dot,
                 "\"gpu0\" [shape=box, style=filled, fillcolor=palegreen, label=\"gpu0\\nA100 \\\"40 GB\\\", "
                 "40.0 GiB at 1.56 TB/s\"];"));
  CHECK(contains(dot, "\"cpu0\" -- \"gpu0\" [color=black, label=\"16 x pcie4\\n26.0 GB/s\"];"));
}

TEST_CASE("a machine as text names devices, links and what they reach") {
  const std::string text = printed([](std::ostream& out) { machine_text(out, sample_machine()); });
  CHECK(contains(text, "  gpu0  gpu   A100 \"40 GB\", 40.0 GiB at 1.56 TB/s"));
  CHECK(contains(text, "  cpu0  gpu0  16 x pcie4  26.0 GB/s of 31.5 GB/s"));
}

TEST_CASE("the memory ledger prints equal GPUs once and lists what would make it fit") {
  MemoryFindings findings{sample_ledger(50), 200, {{"batch 200 instead of 256 a GPU", {39e9}, {42.9e9}}}};
  const std::string text =
      printed([&](std::ostream& out) { memory_text(out, sample_scenario(), findings, false); });
  CHECK(contains(text, "DOES NOT FIT at batch 256 a GPU; the largest batch that fits is 200"));
  CHECK(contains(text, "gpu0 to gpu1, each"));
  CHECK(contains(text, "  in all             50.0 GiB  of 40.0 GiB (125.0 %)"));
  CHECK(contains(text, "What would make it fit\n  - batch 200 instead of 256 a GPU: 36.3 GiB of 40.0 GiB"));
  const Json document = Json::parse(printed([&](std::ostream& out) { memory_json(out, findings); }));
  CHECK(document["memory"]["fits"] == false);
  CHECK(document["memory"]["largest_batch_that_fits"] == 200);
  CHECK(document["operators"][0]["name"] == "conv1");
  CHECK(document["remedies"][0]["text"] == "batch 200 instead of 256 a GPU");
}

}  // namespace
}  // namespace rigcast::report
