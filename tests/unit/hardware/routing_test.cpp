#include "hardware/routing.h"

#include <doctest/doctest.h>

#include "small_catalogue.h"

using namespace rigcast;
using namespace rigcast::hardware;
using namespace rigcast::hardware::test;

namespace {

// Two GPUs of one part on each socket.
Builder four(const std::string& part) {
  Builder builder = two_sockets();
  for (int i = 0; i < 4; ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    builder.gpu(gpu, part, i / 2);
    builder.link("cpu" + std::to_string(i / 2), gpu, "pcie3", 16);
  }
  return builder;
}

DeviceId id(const Builder& builder, std::string_view name) { return builder.machine.find(name); }

}  // namespace

TEST_CASE("PCIe peers of one socket: two hops, the rate of x16, both latencies") {
  const Builder builder = four("plain");
  const Router router(builder.machine);
  const Route& route = router.peer(id(builder, "gpu0"), id(builder, "gpu1"));
  CHECK(route.route_class == RouteClass::kPeer);
  CHECK(route.hops.size() == 2);
  CHECK(route.bandwidth.value == doctest::Approx(16 * 3 * 0.8e9));  // 16 lanes x 3 GB/s x 0.8
  CHECK(route.latency.value == doctest::Approx(2e-6));
}

TEST_CASE("PCIe peers of different sockets get the socket link's peer rate, not its own") {
  const Builder builder = four("plain");
  const Router router(builder.machine);
  const Route& route = router.peer(id(builder, "gpu0"), id(builder, "gpu2"));
  CHECK(route.route_class == RouteClass::kPeerAcross);
  CHECK(route.hops.size() == 3);
  CHECK(route.bandwidth.value ==
        doctest::Approx(9e9));  // 3 links x 3 GB/s of peer traffic; 45 GB/s achievable otherwise
}

TEST_CASE("without peer access a copy goes through the memory of the source's socket") {
  const Builder builder = four("gaming");
  const Router router(builder.machine);
  const Route& route = router.peer(id(builder, "gpu2"), id(builder, "gpu3"));
  CHECK(route.route_class == RouteClass::kStaged);
  // gpu2 -> cpu1 -> ram1 -> cpu1 -> gpu3: the memory link in both directions.
  REQUIRE(route.hops.size() == 4);
  const std::uint32_t memory = 1;
  CHECK(route.hops[1] == Hop{memory, true});
  CHECK(route.hops[2] == Hop{memory, false});
  // DRAM is half duplex: 8 GB/s shared by writing and reading, less than x16's 38.4.
  CHECK(route.bandwidth.value == doctest::Approx(4e9));
}

TEST_CASE("p2p of the machine overrides the parts' rule, both ways") {
  Builder builder = four("gaming");
  builder.machine.peer_access = true;
  CHECK(Router(builder.machine).peer(id(builder, "gpu0"), id(builder, "gpu1")).route_class ==
        RouteClass::kPeer);
  Builder other = four("plain");
  other.machine.peer_access = false;
  CHECK(Router(other.machine).peer(id(other, "gpu0"), id(other, "gpu1")).route_class == RouteClass::kStaged);
}

TEST_CASE("a GeForce card with peer access has it under one CPU only") {
  const Builder builder = four("old-gaming");
  const Router router(builder.machine);
  CHECK(router.peer(id(builder, "gpu0"), id(builder, "gpu1")).route_class == RouteClass::kPeer);
  CHECK(router.peer(id(builder, "gpu0"), id(builder, "gpu2")).route_class == RouteClass::kStaged);
}

TEST_CASE("a direct NVLink is taken, a detour over a third GPU is not") {
  Builder builder = four("module");
  builder.link("gpu0", "gpu1", "nvlink2", 2).link("gpu1", "gpu2", "nvlink2", 2);
  const Router router(builder.machine);
  const Route& direct = router.peer(id(builder, "gpu1"), id(builder, "gpu0"));
  CHECK(direct.route_class == RouteClass::kDirect);
  CHECK(direct.hops.size() == 1);
  CHECK_FALSE(direct.hops[0].forward);
  CHECK(direct.bandwidth.value == doctest::Approx(40e9));
  CHECK(router.peer(id(builder, "gpu0"), id(builder, "gpu2")).route_class == RouteClass::kPeerAcross);
}

TEST_CASE("a bridge gives GeForce pairs a direct link; the others are staged") {
  Builder builder = four("card");
  builder.machine.peer_access = false;
  builder.link("gpu0", "gpu1", "nvlink2", 2);
  const Router router(builder.machine);
  CHECK(router.peer(id(builder, "gpu0"), id(builder, "gpu1")).route_class == RouteClass::kDirect);
  CHECK(router.peer(id(builder, "gpu2"), id(builder, "gpu3")).route_class == RouteClass::kStaged);
}

TEST_CASE("through NVSwitches a copy is spread over all planes in proportion to their links") {
  Builder builder = four("module");
  builder.other("nvs0", DeviceType::kNvSwitch, "nvswitch1").other("nvs1", DeviceType::kNvSwitch, "nvswitch1");
  for (const char* gpu : {"gpu0", "gpu1", "gpu2", "gpu3"})
    builder.link(gpu, "nvs0", "nvlink2", 4).link(gpu, "nvs1", "nvlink2", 2);
  const Router router(builder.machine);
  const Route& route = router.peer(id(builder, "gpu0"), id(builder, "gpu3"));
  CHECK(route.route_class == RouteClass::kSwitched);
  REQUIRE(route.hops.size() == 4);
  CHECK(route.bandwidth.value == doctest::Approx(120e9));  // six links of 20 GB/s
  double out = 0;
  for (const Hop& hop : route.hops) {
    const Link& link = builder.machine.links[hop.link];
    CHECK(hop.share == doctest::Approx(link.count / 6.0));
    if (link.from == id(builder, "gpu0")) out += hop.share;
  }
  CHECK(out == doctest::Approx(1));
  CHECK(route.latency.value == doctest::Approx(2 * 5e-7 + 1e-7));  // two links and a switch
}

TEST_CASE("host traffic takes the fewest hops, and the nearest memory is that of the socket") {
  const Builder builder = four("plain");
  const Router router(builder.machine);
  CHECK(router.nearest_memory(id(builder, "gpu3")) == id(builder, "ram1"));
  CHECK(router.nearest_cpu(id(builder, "gpu3")) == id(builder, "cpu1"));
  CHECK(router.nearest_cpu(id(builder, "cpu0")) == id(builder, "cpu0"));
  const Route& near_by = router.host(id(builder, "ram1"), id(builder, "gpu3"));
  CHECK(near_by.hops.size() == 2);
  CHECK(near_by.bandwidth.value == doctest::Approx(8e9));
  CHECK(router.host(id(builder, "ram0"), id(builder, "gpu3")).hops.size() == 3);
}

TEST_CASE("the same question gives the same object") {
  const Builder builder = four("plain");
  const Router router(builder.machine);
  CHECK(&router.peer(id(builder, "gpu0"), id(builder, "gpu1")) ==
        &router.peer(id(builder, "gpu0"), id(builder, "gpu1")));
}
