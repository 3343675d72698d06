#include "cost/collective.h"

#include <doctest/doctest.h>

#include <cmath>

#include "scenarios.h"

using namespace rigcast;
using namespace rigcast::cost;

static const hardware::Profile& profile() { return test::library().catalogue.profile; }
static double constant(const char* member, const char* name) {
  return profile().value("collective", member, name);
}

static Fabric node(int ranks, double rate) {
  Fabric fabric;
  fabric.ranks = ranks;
  fabric.link = "nvlink3";
  fabric.rate = {rate};
  return fabric;
}

static Fabric nodes(int count, int each, double rate, double network) {
  Fabric fabric = node(count * each, rate);
  fabric.nodes = count;
  fabric.network = "ib";
  fabric.network_rate = {network};
  return fabric;
}

TEST_CASE("bus bytes over the size as nccl-tests counts them: 2 (n - 1) / n, (n - 1) / n, 1") {
  CHECK(wire_factor(Collective::kAllReduce, 8) == doctest::Approx(1.75));
  CHECK(wire_factor(Collective::kAllGather, 8) == doctest::Approx(0.875));
  CHECK(wire_factor(Collective::kReduceScatter, 4) == doctest::Approx(0.75));
  CHECK(wire_factor(Collective::kBroadcast, 8) == 1);
}

TEST_CASE("ring of 8 GPUs: t = base + 14 hops + sqrt(t0 W / B) + W / B with W = 1.75 S") {
  const Bytes size{64e6};
  const double wire = 1.75 * 64e6 / 2e11;
  const double latency = constant("nvlink3", "base_s") + 14 * constant("nvlink3", "hop_s") +
                         std::sqrt(constant("nvlink3", "fill_s") * wire);
  const CollectiveChoice choice = choose(Collective::kAllReduce, size, node(8, 2e11), profile());
  CHECK(choice.algorithm == Algorithm::kRing);
  CHECK(choice.latency.value == doctest::Approx(latency));
  CHECK(choice.duration(size).value == doctest::Approx(latency + wire));
}

TEST_CASE("an all-gather goes round once: half the steps of an all-reduce, the same wire time for twice S") {
  const double base = constant("nvlink3", "base_s"), hop = constant("nvlink3", "hop_s");
  const auto gather = choose(Collective::kAllGather, {1e-9}, node(8, 2e11), profile());
  const auto reduce = choose(Collective::kAllReduce, {1e-9}, node(8, 2e11), profile());
  CHECK(gather.latency.value == doctest::Approx(base + 7 * hop).epsilon(1e-3));
  CHECK(reduce.latency.value == doctest::Approx(base + 14 * hop).epsilon(1e-3));
}

TEST_CASE("switches that reduce are used from five GPUs on, and gain as 2 (n - 1) / n does") {
  Fabric fabric = node(8, 3.6e11);
  fabric.link = "nvlink4";
  fabric.reducing_switches = true;
  const double gain = constant("nvlink4", "in_switch_gain");
  const Bytes size{8e9};
  const auto eight = choose(Collective::kAllReduce, size, fabric, profile());
  CHECK(eight.algorithm == Algorithm::kInSwitch);
  CHECK(eight.rate.value == doctest::Approx(3.6e11 * gain));
  fabric.ranks = 6;
  CHECK(choose(Collective::kAllReduce, size, fabric, profile()).rate.value ==
        doctest::Approx(3.6e11 * gain * (2 * 5.0 / 6) / 1.75));
  fabric.ranks = 4;
  CHECK(choose(Collective::kAllReduce, size, fabric, profile()).algorithm == Algorithm::kRing);
  CHECK(choose(Collective::kAllGather, size, fabric, profile()).algorithm == Algorithm::kRing);
}

TEST_CASE("over many nodes the network cards of a node bound the bus rate; rings inside go no faster") {
  const Bytes size{8e9};
  CHECK(choose(Collective::kAllReduce, size, nodes(8, 8, 2.3e11, 1e11), profile()).rate.value ==
        doctest::Approx(1e11));
  CHECK(choose(Collective::kAllReduce, size, Algorithm::kRing, nodes(8, 8, 2.3e11, 4e11), profile())
            .rate.value == doctest::Approx(2.3e11));
}

TEST_CASE("exactly two nodes: a tree crosses the network with S each way, n / 2 (n - 1) of the bus bytes") {
  const Fabric two = nodes(2, 8, 1e12, 1e11);
  const auto choice = choose(Collective::kAllReduce, {8e9}, two, profile());
  CHECK(choice.algorithm == Algorithm::kTree);
  CHECK(choice.network_factor == doctest::Approx(16.0 / 30 / constant("tree", "network_efficiency")));
  CHECK(choice.rate.value == doctest::Approx(1e11 / choice.network_factor));
  CHECK(choice.rate.value > 1e11);
}

TEST_CASE("small messages over many nodes take the tree: log2 of the nodes crossings, not nodes") {
  const Fabric many = nodes(64, 8, 2.3e11, 1.9e11);
  const auto choice = choose(Collective::kAllReduce, {1024}, many, profile());
  CHECK(choice.algorithm == Algorithm::kTree);
  const double steps = 2 * (7 * constant("nvlink3", "hop_s") + 6 * constant("ib", "hop_s"));
  const double wire = 1024 * choice.wire_factor / choice.rate.value;
  CHECK(choice.latency.value ==
        doctest::Approx(constant("nvlink3", "base_s") + steps + std::sqrt(constant("ib", "fill_s") * wire)));
}

TEST_CASE("a network is told by the letters its port's link kind begins with") {
  CHECK(network_of("ib-hdr") == "ib");
  CHECK(network_of("roce400") == "roce");
  CHECK(network_of("efa100") == "efa");
}
