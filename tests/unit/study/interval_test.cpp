#include "study/interval.h"

#include <doctest/doctest.h>

#include "scenarios.h"
#include "study/forecast.h"

using namespace rigcast;
using study::Comparable;
using study::Residual;

namespace {

std::vector<Residual> residuals() {
  std::vector<Residual> list;
  for (int i = 0; i < 40; ++i) list.push_back({{"resnet", "volta", 1, 1}, 0.9 + 0.005 * i});
  for (int i = 0; i < 4; ++i) list.push_back({{"vgg", "volta", 1, 1}, 2.0});
  return list;
}

}  // namespace

TEST_CASE("a group's bounds are the 10 % and 90 % quantiles of its ratios: 0.9 + 0.005 i over 40 members") {
  const auto groups = study::group_residuals(residuals());
  for (const hardware::ResidualGroup& group : groups)
    if (group.family == "resnet" && group.architecture == "volta") {
      CHECK(group.n == 40);
      CHECK(group.low == doctest::Approx(0.9 + 0.005 * 3.9));
      CHECK(group.high == doctest::Approx(0.9 + 0.005 * 35.1));
      return;
    }
  FAIL("no group of resnet on volta");
}

TEST_CASE("groups of few members do not speak: four rows of vgg fall back on all rows of one GPU") {
  const auto groups = study::group_residuals(residuals());
  CHECK(study::interval(groups, {"vgg", "volta", 1, 1}).basis == "44 measurements: all networks, one GPU");
  CHECK(study::interval(groups, {"resnet", "volta", 1, 1}).basis ==
        "40 measurements: resnet on volta, one GPU");
  CHECK(study::interval(groups, {"resnet", "hopper", 1, 1}).basis == "40 measurements: resnet, one GPU");
}

TEST_CASE("an interval holds the forecast and is wider than its group's quantiles") {
  const auto groups = study::group_residuals(residuals());
  const study::Spread spread = study::interval(groups, {"resnet", "volta", 1, 1});
  CHECK(spread.low < 0.9 + 0.005 * 3.9);
  CHECK(spread.high > 0.9 + 0.005 * 35.1);
  CHECK(spread.low < 1);
  CHECK(spread.high > 1);
}

TEST_CASE("scale: one GPU, several of one machine, several machines") {
  CHECK(Comparable{"", "", 1, 1}.scale() == "one");
  CHECK(Comparable{"", "", 8, 1}.scale() == "node");
  CHECK(Comparable{"", "", 8, 2}.scale() == "nodes");
}

TEST_CASE("a forecast with residuals has an interval around it, without them none") {
  const config::Loaded loaded = test::load("dgx1-v100", "resnet50", {{"plan.gpus", "1"}});
  study::Options options{false, false, nullptr};
  CHECK(!study::forecast(loaded.scenario, options).interval);
  const auto groups = study::group_residuals(residuals());
  options.residuals = &groups;
  const study::Forecast f = study::forecast(loaded.scenario, options);
  REQUIRE(f.interval);
  CHECK(f.interval->low < f.iteration);
  CHECK(f.interval->high > f.iteration);
  CHECK(f.interval->coverage == 0.8);
}
