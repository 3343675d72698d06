#include <doctest/doctest.h>

#include <string>

#include "config/load.h"
#include "hardware/compose.h"
#include "hardware/routing.h"

using namespace rigcast;
using namespace rigcast::hardware;

namespace {

const config::Library& library() {
  static const config::Library loaded = [] {
    Diagnostics diagnostics;
    config::Library result = config::load_library({}, std::nullopt, diagnostics);
    for (const Diagnostic& each : diagnostics.entries()) FAIL_CHECK(to_text(each));
    return result;
  }();
  return loaded;
}

Machine shipped(const std::string& name) {
  Diagnostics diagnostics;
  auto machine = config::load_machine(library(), name, nullptr, diagnostics);
  for (const Diagnostic& each : diagnostics.entries()) INFO(to_text(each));
  REQUIRE(machine);
  return *std::move(machine);
}

void expect_sound(const Machine& machine, const std::string& name) {
  Diagnostics diagnostics;
  check(machine, name, diagnostics);
  for (const Diagnostic& each : diagnostics.entries()) FAIL_CHECK(to_text(each));
}

}  // namespace

TEST_CASE("the catalogue is complete and every part has a source") {
  const Catalogue& catalogue = library().catalogue;
  CHECK(catalogue.gpus.size() >= 100);
  CHECK(catalogue.cpus.size() >= 57);
  for (const auto& [id, part] : catalogue.gpus) {
    CHECK_MESSAGE(!part.provenance.source.empty(), id);
    CHECK_MESSAGE((!part.provenance.doubtful || !part.provenance.doubt_reason.empty()), id);
    if (part.peer_links) CHECK_MESSAGE(catalogue.links.contains(part.peer_links->kind), id);
  }
  for (const auto& [id, part] : catalogue.cpus) {
    CHECK_MESSAGE(!part.provenance.source.empty(), id);
    if (!part.socket_link.empty()) CHECK_MESSAGE(catalogue.links.contains(part.socket_link), id);
  }
  for (const auto& [id, kind] : catalogue.links) {
    CHECK_MESSAGE(!kind.provenance.source.empty(), id);
    CHECK_MESSAGE(kind.achievable <= kind.raw, id);
  }
  for (const auto& [id, part] : catalogue.storage) CHECK_MESSAGE(part.sequential_read.value > 0, id);
}

TEST_CASE("every shipped machine loads, is sound and has a source, and all its GPUs reach each other") {
  CHECK(library().machines.size() >= 80);
  for (const auto& [name, source] : library().machines) {
    CAPTURE(name);
    const Machine machine = shipped(name);
    CHECK(machine.name == name);
    CHECK(!machine.provenance.source.empty());
    expect_sound(machine, name);
    const Router router(machine);
    const auto gpus = machine.all(DeviceType::kGpu);
    for (const DeviceId gpu : gpus) {
      CHECK(router.nearest_memory(gpu).valid());
      if (gpu != gpus.front()) CHECK(router.peer(gpus.front(), gpu).bandwidth.value > 0);
    }
  }
}

TEST_CASE("well-known routes of shipped machines") {
  const auto route = [](const std::string& name, const char* from, const char* to) {
    const Machine machine = shipped(name);
    return Router(machine).peer(machine.find(from), machine.find(to));
  };
  // Hybrid cube mesh: 0-3 has two NVLink 2 links; 0-5 none, so PCIe across the sockets.
  CHECK(route("dgx1-v100", "gpu0", "gpu3").route_class == RouteClass::kDirect);
  CHECK(route("dgx1-v100", "gpu0", "gpu3").bandwidth.value == doctest::Approx(2 * 21.7e9));
  CHECK(route("dgx1-v100", "gpu0", "gpu5").route_class == RouteClass::kPeerAcross);
  // Twelve NVLink 3 links over six switches.
  CHECK(route("dgx-a100", "gpu0", "gpu7").route_class == RouteClass::kSwitched);
  CHECK(route("dgx-a100", "gpu0", "gpu7").bandwidth.value == doctest::Approx(12 * 22.9e9));
  CHECK(route("dgx2", "gpu0", "gpu15").bandwidth.value == doctest::Approx(6 * 21.7e9));
  CHECK(route("gb200-nvl72", "gpu0", "gpu71").bandwidth.value == doctest::Approx(18 * 41.4e9));
  // GeForce: no peer access on 4090, the bridge only on 3090.
  CHECK(route("threadripper-4x4090", "gpu0", "gpu1").route_class == RouteClass::kStaged);
  CHECK(route("tr-4x3090-nvl", "gpu0", "gpu1").route_class == RouteClass::kDirect);
  CHECK(route("tr-4x3090-nvl", "gpu1", "gpu2").route_class == RouteClass::kStaged);
  CHECK(route("two-gpus-staged", "gpu0", "gpu1").route_class == RouteClass::kStaged);
  CHECK(route("two-gpus-pcie3", "gpu0", "gpu1").route_class == RouteClass::kPeer);
}

TEST_CASE("every GPU of the catalogue makes a sound machine of one, two, four and eight where it fits") {
  for (const auto& [id, part] : library().catalogue.gpus)
    for (const int count : {1, 2, 4, 8}) {
      CAPTURE(id);
      CAPTURE(count);
      Composition composition;
      composition.gpu = id;
      composition.count = count;
      Diagnostics diagnostics;
      const auto machine = compose(library().catalogue, composition, {}, diagnostics);
      for (const Diagnostic& each : diagnostics.entries()) FAIL_CHECK(to_text(each));
      REQUIRE(machine);
      expect_sound(*machine, id);
      CHECK(static_cast<int>(machine->all(DeviceType::kGpu).size()) == count);
    }
}
