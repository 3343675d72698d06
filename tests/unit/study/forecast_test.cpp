#include "study/forecast.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "scenarios.h"

using namespace rigcast;

using test::load;

TEST_CASE("bottleneck shares add up to 1 and their seconds to the iteration") {
  for (const char* machine : {"dgx1-v100", "desk-2x4090", "desk-1x3090-hdd"}) {
    const study::Forecast f = study::forecast(load(machine, "resnet50").scenario);
    double share = 0, seconds = 0;
    for (const study::Bottleneck& b : f.bottlenecks) share += b.share, seconds += b.seconds.value;
    CHECK(share == doctest::Approx(1).epsilon(1e-9));
    CHECK(seconds == doctest::Approx(f.iteration.value).epsilon(1e-6));
  }
}

TEST_CASE(
    "on one GPU nothing overlaps: infinite <= doubled <= as it is, and what is free saves at most its time") {
  const study::Forecast f = study::forecast(load("dgx1-v100", "bert-large", {{"plan.gpus", "1"}}).scenario);
  for (const study::Bottleneck& b : f.bottlenecks) {
    CHECK(*b.if_doubled <= f.iteration);
    CHECK(*b.if_infinite <= *b.if_doubled);
    CHECK(b.if_infinite->value >= (f.iteration - b.seconds).value * 0.999);
  }
}

TEST_CASE("throughput is the global batch over the iteration; an epoch is the data set over throughput") {
  const config::Loaded loaded =
      load("dgx1-v100", "resnet50", {{"plan.batch_per_gpu", "64"}, {"plan.input.source", "dataset"}});
  const study::Forecast f = study::forecast(loaded.scenario);
  CHECK(f.samples_per_s == doctest::Approx(8 * 64 / f.iteration.value));
  CHECK(f.epoch->value == doctest::Approx(1281167 / f.samples_per_s).epsilon(1e-6));
}

TEST_CASE("the first epoch of a data set larger than memory's cache is the slower one on a hard disk") {
  const config::Loaded loaded =
      load("desk-1x3090-hdd", "resnet50", {{"plan.input.source", "dataset"}, {"plan.batch_per_gpu", "96"}});
  const study::Forecast f = study::forecast(loaded.scenario);
  CHECK(f.first_epoch->value > 1.3 * f.epoch->value);
}

TEST_CASE(
    "bytes of a link over an iteration are what was sent: gradients 2 (n - 1) / n times over a ring of two") {
  const config::Loaded loaded =
      load("desk-2x3090-nvl", "resnet50", {{"plan.precision", "fp32"}, {"plan.batch_per_gpu", "32"}});
  const study::Forecast f = study::forecast(loaded.scenario);
  const double gradient = 4 * loaded.scenario.network.parameters();
  double bridge = 0;
  for (const study::ResourceUse& use : f.resources)
    if (use.kind == task::Kind::kGpuLink) bridge = std::max(bridge, use.bytes.value_or(0));
  // Collectives use a link more than byte for byte (what they reach is below what copies reach).
  CHECK(bridge >= gradient * 0.999);
  CHECK(bridge <= gradient * 2);
}

TEST_CASE("a setting that could not matter is named with its reason, one that matters is not") {
  const config::Loaded loaded =
      load("dgx1-v100", "resnet50", {{"plan.input.workers", "8"}, {"plan.batch_per_gpu", "32"}});
  study::Run run;
  study::forecast(loaded.scenario, {}, &run);
  const auto idle = study::without_effect(loaded.scenario, loaded.origins, run);
  REQUIRE(idle.size() == 1);
  CHECK(idle[0] == "/plan/input/workers had no effect: the input is synthetic");
}

TEST_CASE("a batch that does not fit is forecast all the same, and marked") {
  const study::Forecast f =
      study::forecast(load("desk-1x3090-nvme", "resnet50", {{"plan.batch_per_gpu", "4096"}}).scenario);
  CHECK_FALSE(f.memory.fits);
  CHECK(f.iteration.value > 0);
  CHECK(std::any_of(f.warnings.begin(), f.warnings.end(),
                    [](const std::string& w) { return w.find("does not fit") != std::string::npos; }));
}

TEST_CASE("price and power are those of the machine, energy a sample is power over throughput") {
  const study::Forecast f = study::forecast(load("dgx1-v100", "resnet50").scenario);
  CHECK(*f.money.price_usd == 149000);
  CHECK(*f.money.power_w > 1500);
  CHECK(*f.money.power_w < 3500);
  CHECK(*f.money.joules_per_sample == doctest::Approx(*f.money.power_w / f.samples_per_s));
}
