#include <doctest/doctest.h>

#include "config/embedded.h"
#include "helpers.h"

using namespace rigcast;
using namespace rigcast::config;
using rigcast::config::testing::library;
using rigcast::config::testing::text;

namespace {

std::string complaints_of(const std::string& path, const std::string& json) {
  Diagnostics diagnostics;
  load_library({{path, json}}, std::nullopt, diagnostics);
  return text(diagnostics);
}

const std::string kDrive =
    R"({"storage": [{"id": "fast", "name": "Fast", "kind": "nvme", "interface": "pcie4",
  "capacity": "1 TB", "sequential_read": "7 GB/s", "source": "a label"}]})";

}  // namespace

TEST_CASE("the shipped catalogue reads without a complaint and is carried in path order") {
  Diagnostics diagnostics;
  const Library shipped = load_library({}, std::nullopt, diagnostics);
  CHECK(text(diagnostics) == "");
  CHECK(shipped.catalogue.gpus.size() > 90);
  CHECK(shipped.machines.size() >= 55);
  CHECK(shipped.catalogue.date >= "2026-01-01");
  CHECK(shipped.catalogue.profile.all().size() > 10);
  const auto files = embedded_files();
  for (std::size_t i = 1; i < files.size(); ++i) CHECK(files[i - 1].path < files[i].path);
}

TEST_CASE("every shipped machine reads, is sound, and is the same machine when written and read again") {
  for (const auto& [name, source] : library().machines) {
    CAPTURE(name);
    Diagnostics diagnostics;
    const auto machine = load_machine(library(), name, nullptr, diagnostics);
    REQUIRE_MESSAGE(machine, text(diagnostics));
    CHECK(machine->name == name);
    const std::string written = to_json(*machine);
    const auto again = load_machine(library(), written, nullptr, diagnostics);
    REQUIRE_MESSAGE(again, text(diagnostics));
    CHECK(to_json(*again) == written);
  }
}

TEST_CASE("every shipped workload builds") {
  for (const auto& [name, source] : library().workloads) {
    CAPTURE(name);
    Diagnostics diagnostics;
    const auto network = load_network(library(), name, {}, nullptr, diagnostics);
    REQUIRE_MESSAGE(network, text(diagnostics));
    CHECK(network->name == name);
    CHECK(!network->operators.empty());
  }
}

TEST_CASE("figures of a part, with units: an A100 of 40 GB") {
  const hardware::GpuPart& part = library().catalogue.gpus.at("a100-sxm4-40");
  CHECK(part.peak.fp16_matrix.value == 312e12);
  CHECK(part.memory.value == 40.0 * 1024 * 1024 * 1024);
  CHECK(part.multiprocessors == 108);
  CHECK(part.peer_links->count == 12);
}

TEST_CASE("a link's figures: kind x lanes, what is stated, and the share that is reached") {
  Diagnostics diagnostics;
  const auto machine = load_machine(library(), R"({"nodes": [
      {"id": "cpu0", "type": "cpu", "part": "epyc-7742"}, {"id": "ram0", "type": "ram", "capacity": "1 GiB"},
      {"id": "gpu0", "type": "gpu", "part": "a100-sxm4-40", "numa": 0}],
    "links": [{"from": "cpu0", "to": "ram0", "kind": "ddr"}, {"from": "cpu0", "to": "gpu0", "kind": "pcie4", "lanes": 8},
      {"from": "cpu0", "to": "gpu0", "kind": "pcie4", "lanes": 8, "bandwidth": "4 GB/s", "latency": "2 us"}]})",
                                    nullptr, diagnostics);
  REQUIRE_MESSAGE(machine, text(diagnostics));
  const hardware::LinkKind& pcie4 = library().catalogue.links.at("pcie4");
  CHECK(machine->links[0].raw.value == library().catalogue.cpus.at("epyc-7742").memory_bandwidth.value);
  CHECK(machine->links[1].raw.value == 8 * pcie4.raw.value);
  CHECK(machine->links[1].achievable.value == doctest::Approx(8 * pcie4.achievable.value).epsilon(1e-12));
  CHECK(machine->links[2].raw.value == 4e9);
  CHECK(machine->links[2].achievable.value ==
        doctest::Approx(4e9 * (pcie4.achievable / pcie4.raw)).epsilon(1e-12));
  CHECK(machine->links[2].latency.value == 2e-6);
  CHECK(machine->links[2].pointer == "/links/2");
}

TEST_CASE("a catalogue folder adds parts and machines and replaces those of the same id") {
  Diagnostics diagnostics;
  const std::string box =
      R"({"name": "box", "title": "Box", "base": "dgx1-v100", "storage": "fast", "source": "a label"})";
  const Library mine = load_library({{"my/parts/drives.json", kDrive}, {"my/servers/box.json", box}},
                                    std::nullopt, diagnostics);
  CHECK(text(diagnostics) == "");
  CHECK(mine.catalogue.storage.at("fast").sequential_read.value == 7e9);
  CHECK(mine.machines.size() == library().machines.size() + 1);
  const auto machine = load_machine(mine, "box", nullptr, diagnostics);
  REQUIRE_MESSAGE(machine, text(diagnostics));
  CHECK(machine->title == "Box");
}

TEST_CASE("mistakes in a catalogue folder") {
  CHECK(complaints_of("my/box.json", "{}") ==
        "my/box.json: error: a catalogue's files lie in parts/, servers/, teaching/ or workloads/");
  CHECK(
      complaints_of("my/parts/p.json",
                    R"({"storage": [{"id": "x", "name": "X", "kind": "tape", "capacity": "1 Tb",
   "sequential_read": "7 GB/s"}]})") ==
      "my/parts/p.json:1:47: error: \"tape\" is none of hdd, sata-ssd, sas-ssd, nvme, raid, network, object "
      "(/storage/0/kind)\n"
      "my/parts/p.json:1:67: error: \"1 Tb\" is bits, expected bytes: write \"125 GB\" "
      "(/storage/0/capacity)\n"
      "my/parts/p.json:1:14: error: the key \"source\" is missing (/storage/0)");
  CHECK(complaints_of("my/parts/p.json", R"({"date": "today"})") ==
        "my/parts/p.json:1:10: error: \"today\" is not a date: expected YYYY-MM-DD (/date)");
}

TEST_CASE("a profile replaces constants of the same name") {
  Diagnostics diagnostics;
  const Source profile{"p.json", R"({"date": "2026-12-01", "constants": {
    "memory.test.achieved": {"value": 0.9, "source": "here", "uncertainty": 0.02}, "bad": {"value": 1, "source": "x"},
    "memory.test.other": {"unit": "s", "source": "x"}}})"};
  const Library mine = load_library({}, profile, diagnostics);
  CHECK(mine.catalogue.profile.value("memory", "test", "achieved") == 0.9);
  CHECK(mine.catalogue.profile.find("memory", "test", "achieved")->uncertainty == 0.02);
  CHECK(text(diagnostics) ==
        "p.json:2:91: error: \"bad\" is no name of a constant: expected GROUP.MEMBER.NAME (/constants/bad)\n"
        "p.json:3:26: error: the key \"value\" is missing (/constants/memory.test.other)");
}
