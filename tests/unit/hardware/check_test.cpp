#include <doctest/doctest.h>

#include "hardware/machine.h"
#include "small_catalogue.h"

using namespace rigcast;
using namespace rigcast::hardware;
using namespace rigcast::hardware::test;

namespace {

std::vector<std::string> errors(const Machine& machine) {
  Diagnostics diagnostics;
  check(machine, "m.json", diagnostics);
  std::vector<std::string> messages;
  for (const Diagnostic& each : diagnostics.entries())
    messages.push_back(each.origin.pointer + ": " + each.message);
  return messages;
}

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("a sound machine has no findings") {
  Builder builder = two_sockets();
  builder.gpu("gpu0", "module").gpu("gpu1", "module");
  builder.link("cpu0", "gpu0", "pcie3", 16)
      .link("cpu1", "gpu1", "pcie3", 16)
      .link("gpu0", "gpu1", "nvlink2", 6);
  CHECK(errors(builder.machine).empty());
}

TEST_CASE("every fault is found, all in one go") {
  Builder builder = two_sockets();
  builder.gpu("gpu0", "module").gpu("gpu0", "gaming").gpu("gpu2", "plain");
  builder.link("cpu0", "gpu0", "pcie4", 16);
  CHECK(errors(builder.machine) == Messages{"/nodes/5: two devices have the id \"gpu0\"",
                                            "/links/3: \"cpu0\" speaks PCIe 3.0 at most, the link is pcie4",
                                            "/links/3: \"gpu0\" speaks PCIe 3.0 at most, the link is pcie4",
                                            "/nodes/5: \"gpu0\" reaches no CPU",
                                            "/nodes/6: \"gpu2\" reaches no CPU"});
}

TEST_CASE("more lanes, NVLinks or ports than a part has are errors at the device") {
  Builder builder = two_sockets();
  builder.gpu("gpu0", "module").gpu("gpu1", "module").gpu("gpu2", "gaming").gpu("gpu3", "module");
  for (const char* id : {"gpu0", "gpu1", "gpu2", "gpu3"}) builder.link("cpu0", id, "pcie3", 16);
  builder.link("gpu0", "gpu1", "nvlink2", 7).link("gpu2", "gpu3", "nvlink2", 1);
  CHECK(errors(builder.machine) == Messages{"/nodes/0: \"cpu0\" has 48 PCIe lanes, its links use 64",
                                            "/nodes/4: \"gpu0\" has 6 nvlink2 links, its links use 7",
                                            "/nodes/5: \"gpu1\" has 6 nvlink2 links, its links use 7",
                                            "/nodes/6: \"gpu2\" (gaming) has no links to other GPUs"});
}

TEST_CASE("a CPU without memory and nodes without network cards are named") {
  Builder builder;
  builder.cpu("cpu0");
  builder.machine.nodes = 2;
  CHECK(errors(builder.machine) ==
        Messages{"/nodes/0: \"cpu0\" reaches no memory", "/node_count: 2 nodes need a network card in each"});
}

TEST_CASE("device types have the names of the files, and devices are found by id and type") {
  CHECK(name(DeviceType::kNetworkSwitch) == "network_switch");
  Builder builder = two_sockets();
  CHECK(builder.machine.find("ram1").index == 3);
  CHECK_FALSE(builder.machine.find("ram2").valid());
  CHECK(builder.machine.all(DeviceType::kRam).size() == 2);
}
