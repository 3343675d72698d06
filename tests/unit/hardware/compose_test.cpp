#include "hardware/compose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "small_catalogue.h"

using namespace rigcast;
using namespace rigcast::hardware;
using namespace rigcast::hardware::test;

namespace {

struct Outcome {
  std::optional<Machine> machine;
  std::vector<std::string> messages;
};

Outcome finish(std::optional<Machine> machine, Diagnostics diagnostics) {
  if (machine) check(*machine, "composed", diagnostics);
  Outcome outcome{std::move(machine), {}};
  for (const Diagnostic& each : diagnostics.entries())
    outcome.messages.push_back(each.origin.pointer + ": " + each.message);
  return outcome;
}

Outcome composed(const Composition& composition) {
  Diagnostics diagnostics;
  auto machine = compose(small_catalogue(), composition, {"s.json", 1, 1, "/machine"}, diagnostics);
  return finish(std::move(machine), std::move(diagnostics));
}

Outcome varied(const Machine& base, const Composition& composition) {
  Diagnostics diagnostics;
  auto machine = vary(small_catalogue(), base, composition, {"s.json", 1, 1, "/machine"}, diagnostics);
  return finish(std::move(machine), std::move(diagnostics));
}

Composition of(const std::string& gpu, int count, const std::string& cpu) {
  Composition composition;
  composition.gpu = gpu;
  composition.count = count;
  composition.cpu = cpu;
  return composition;
}

// Lanes or links of every link of a kind, widest first.
std::vector<int> counts(const Machine& machine, std::string_view kind) {
  std::vector<int> found;
  for (const Link& link : machine.links)
    if (link.kind == kind) found.push_back(link.count);
  std::sort(found.rbegin(), found.rend());
  return found;
}

std::map<std::string, int> links_per_gpu(const Machine& machine, LinkClass link_class) {
  std::map<std::string, int> sum;
  for (const Link& link : machine.links)
    for (const DeviceId end : {link.from, link.to})
      if (link.link_class == link_class && machine.device(end).type == DeviceType::kGpu)
        sum[machine.device(end).id] += link.count;
  return sum;
}

}  // namespace

TEST_CASE("two cards on a desktop CPU share its sixteen lanes") {
  const Outcome outcome = composed(of("gaming", 2, "ryzen-5950x"));
  REQUIRE(outcome.machine);
  CHECK(outcome.messages.empty());
  CHECK(counts(*outcome.machine, "pcie4") == std::vector<int>{8, 8});
  CHECK(outcome.machine->all(DeviceType::kCpu).size() == 1);
}

TEST_CASE("three cards get x8/x4/x4, five do not fit") {
  const Outcome three = composed(of("gaming", 3, "ryzen-5950x"));
  REQUIRE(three.machine);
  CHECK(counts(*three.machine, "pcie4") == std::vector<int>{8, 4, 4});
  const Outcome five = composed(of("gaming", 5, "ryzen-5950x"));
  CHECK_FALSE(five.machine);
  CHECK(five.messages ==
        std::vector<std::string>{
            "/machine/count: Ryzen 9 5950X has 16 lanes for cards: too few for 5 GPUs at x4"});
}

TEST_CASE("eight cards on two servers' CPUs: direct while lanes last, else switches") {
  // EPYC: 128 lanes a socket, four x16 = 64. Xeon: 48 lanes less x16 kept free, so two uplinks for four GPUs.
  const Outcome direct = composed(of("plain", 8, "2x epyc 7763"));
  REQUIRE(direct.machine);
  CHECK(direct.messages.empty());
  CHECK(direct.machine->all(DeviceType::kPcieSwitch).empty());
  CHECK(counts(*direct.machine, "pcie4") == std::vector<int>(8, 16));

  const Outcome switched = composed(of("plain", 8, "2x xeon gold 6148"));
  REQUIRE(switched.machine);
  CHECK(switched.messages.empty());
  CHECK(switched.machine->all(DeviceType::kPcieSwitch).size() == 4);
  CHECK(counts(*switched.machine, "pcie3") ==
        std::vector<int>(12, 16));  // 8 GPUs at the CPU's generation, 4 uplinks
  CHECK(switched.machine->device(switched.machine->find("gpu7")).numa == 1);
}

TEST_CASE("eight modules are joined as a cube mesh that uses every link, four as a full mesh") {
  const Outcome eight = composed(of("module", 8, "2x xeon e5-2698v4"));
  REQUIRE(eight.machine);
  CHECK(eight.messages.empty());
  for (const auto& [gpu, links] : links_per_gpu(*eight.machine, LinkClass::kGpuLink)) CHECK(links == 6);
  const Outcome four = composed(of("module", 4, "2x xeon e5-2698v4"));
  REQUIRE(four.machine);
  CHECK(counts(*four.machine, "nvlink2") == std::vector<int>(6, 2));  // six pairs, 6 / 3 links each
}

TEST_CASE("eight NVLink 3 modules get six switches with two links of every GPU each") {
  const Outcome outcome = composed(of("module3", 8, "2x epyc-7763"));
  REQUIRE(outcome.machine);
  CHECK(outcome.messages.empty());
  CHECK(outcome.machine->all(DeviceType::kNvSwitch).size() == 6);
  CHECK(counts(*outcome.machine, "nvlink3") == std::vector<int>(48, 2));
}

TEST_CASE("eight OAM modules are joined pair by pair") {
  const Outcome outcome = composed(of("oam", 8, "xeon-platinum-8480+"));
  REQUIRE(outcome.machine);
  CHECK(outcome.messages.empty());
  CHECK(counts(*outcome.machine, "xgmi-gpu") == std::vector<int>(28, 1));
}

TEST_CASE("a bridge joins pairs, and only cards that have one") {
  Composition composition = of("card", 4, "2x xeon gold 6148");
  composition.interconnect = "nvlink-bridge";
  const Outcome bridged = composed(composition);
  REQUIRE(bridged.machine);
  CHECK(counts(*bridged.machine, "nvlink2") == std::vector<int>{2, 2});
  composition.gpu = "plain";
  CHECK(composed(composition).messages ==
        std::vector<std::string>{"/machine/interconnect: plain has no bridge connector"});
}

TEST_CASE("interconnect pcie takes the NVLinks away and sets the generation") {
  const Outcome base = composed(of("module3", 8, "2x epyc-7763"));
  REQUIRE(base.machine);
  Composition change;
  change.interconnect = "pcie3";
  const Outcome outcome = varied(*base.machine, change);
  REQUIRE(outcome.machine);
  CHECK(outcome.messages.empty());
  CHECK(counts(*outcome.machine, "nvlink3").empty());
  CHECK(outcome.machine->all(DeviceType::kNvSwitch).empty());
  CHECK(counts(*outcome.machine, "pcie4").empty());
  CHECK(counts(*outcome.machine, "pcie3") == std::vector<int>(12, 16));
}

TEST_CASE("another GPU in the same places keeps the shape of the links and the lower generation") {
  const Outcome base = composed(of("module3", 4, "2x epyc-7763"));
  REQUIRE(base.machine);
  CHECK(counts(*base.machine, "nvlink3") == std::vector<int>(6, 4));
  Composition change;
  change.gpu = "module";
  const Outcome same_shape = varied(*base.machine, change);
  REQUIRE(same_shape.machine);
  CHECK(same_shape.messages.empty());
  CHECK(counts(*same_shape.machine, "nvlink2") == std::vector<int>(6, 2));  // 4 x 6 / 12
  CHECK(links_per_gpu(*same_shape.machine, LinkClass::kPcie).at("gpu0") == 16);
  for (const Link& link : same_shape.machine->links)
    if (link.link_class == LinkClass::kPcie && same_shape.machine->device(link.to).type == DeviceType::kGpu)
      CHECK(link.kind == "pcie3");

  change.gpu = "gaming";
  const Outcome without = varied(*base.machine, change);
  REQUIRE(without.machine);
  CHECK(without.messages.empty());
  CHECK(counts(*without.machine, "nvlink3").empty());
}

TEST_CASE("fewer GPUs are the first ones, more than places is an error") {
  const Outcome base = composed(of("module", 8, "2x xeon gold 6148"));
  REQUIRE(base.machine);
  Composition change;
  change.count = 2;
  const Outcome two = varied(*base.machine, change);
  REQUIRE(two.machine);
  CHECK(two.messages.empty());
  CHECK(two.machine->find("gpu1").valid());
  CHECK_FALSE(two.machine->find("gpu2").valid());
  change.count = 9;
  CHECK(varied(*base.machine, change).messages ==
        std::vector<std::string>{"/machine/count: \"8x module\" has places for 8 GPUs, not 9"});
}

TEST_CASE("network, storage, memory and overrides land where they belong") {
  Composition composition = of("plain", 8, "2x xeon gold 6148");
  composition.nodes = 4;
  composition.network = NetworkChoice{"ib", 200.0, 4};
  composition.storage = std::vector<StorageChoice>{{"", "drive", 1}, {"home", "nas", 1}};
  composition.ram = Bytes{128 * kGiB};
  composition.gpu_overrides.clock = Hertz{0.5e9};
  composition.gpu_overrides.power_w = 200;
  const Outcome outcome = composed(composition);
  REQUIRE(outcome.machine);
  const Machine& machine = *outcome.machine;
  CHECK(outcome.messages.empty());
  CHECK(machine.nodes == 4);
  const auto cards = machine.all(DeviceType::kNic);
  REQUIRE(cards.size() == 4);
  const auto& card = std::get<SwitchPart>(machine.device(cards[0]).figures);
  CHECK(card.port_bandwidth.value == 25e9);
  CHECK(card.port_achievable.value == 24e9);
  // The cards sit on the four switches of the GPUs.
  for (const Link& link : machine.links)
    if (machine.device(link.to).type == DeviceType::kNic && link.link_class == LinkClass::kPcie)
      CHECK(machine.device(link.from).type == DeviceType::kPcieSwitch);
  CHECK(machine.find("storage0").valid());
  CHECK(machine.find("home").valid());
  CHECK(machine.device(machine.find("ram1")).ram().capacity.value == 64 * kGiB);
  CHECK(machine.device(machine.find("gpu3")).gpu().peak.fp32.value == 5e12);  // half the clock
  CHECK(machine.device(machine.find("gpu3")).gpu().power_w == 200);
}

TEST_CASE("sockets can be taken away and added again") {
  const Outcome base = composed(of("plain", 4, "2x epyc-7763"));
  REQUIRE(base.machine);
  Composition change;
  change.sockets = 1;
  const Outcome one = varied(*base.machine, change);
  REQUIRE(one.machine);
  CHECK(one.messages.empty());
  CHECK(one.machine->all(DeviceType::kCpu).size() == 1);
  CHECK(counts(*one.machine, "upi").empty());
  CHECK(counts(*one.machine, "pcie4") == std::vector<int>(4, 16));
  change.sockets = 2;
  const Outcome two = varied(*one.machine, change);
  REQUIRE(two.machine);
  CHECK(two.messages.empty());
  CHECK(two.machine->device(two.machine->find("gpu3")).numa == 1);
  CHECK(counts(*two.machine, "upi") == std::vector<int>{3});
  CHECK(two.machine->device(two.machine->find("ram0")).ram().capacity ==
        base.machine->device(base.machine->find("ram0")).ram().capacity);
}

TEST_CASE("removal takes ids, types and kinds of link; a misspelt one gets a suggestion") {
  const Outcome base = composed(of("module3", 8, "2x epyc-7763"));
  REQUIRE(base.machine);
  Composition change;
  change.remove = {"nvswitch", "gpu7"};
  const Outcome outcome = varied(*base.machine, change);
  REQUIRE(outcome.machine);
  CHECK(outcome.machine->all(DeviceType::kNvSwitch).empty());
  CHECK(outcome.machine->all(DeviceType::kGpu).size() == 7);
  change.remove = {"nvswich"};
  Diagnostics diagnostics;
  CHECK_FALSE(vary(small_catalogue(), *base.machine, change, {}, diagnostics));
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].hint == "did you mean \"nvswitch\"?");
}

TEST_CASE("what is not said is assumed and noted; what cannot be is an error") {
  Composition composition;
  composition.gpu = "plain";
  const Outcome one = composed(composition);
  REQUIRE(one.machine);
  CHECK(one.messages.empty());
  CHECK(one.machine->all(DeviceType::kGpu).size() == 1);
  CHECK(one.machine->notes ==
        std::vector<std::string>{"host not stated: 1x EPYC 7763 assumed", "ram not stated: 256 GiB assumed"});
  composition.gpu = "plan";
  CHECK(composed(composition).messages ==
        std::vector<std::string>{"/machine/gpu: there is no GPU \"plan\" in the catalogue"});
  CHECK(composed({}).messages ==
        std::vector<std::string>{"/machine: a machine needs a \"base\", a \"gpu\" or a \"cpu\""});
  Composition host_only;
  host_only.cpu = "2x Xeon Gold 6148";
  const Outcome cpus = composed(host_only);
  REQUIRE(cpus.machine);
  CHECK(cpus.machine->all(DeviceType::kGpu).empty());
  CHECK(cpus.machine->all(DeviceType::kCpu).size() == 2);
}
