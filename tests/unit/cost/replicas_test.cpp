#include "cost/replicas.h"

#include <doctest/doctest.h>

#include <cmath>

#include "scenarios.h"

using namespace rigcast;

namespace {

double slowest(const char* gpus, const char* source, const char* method) {
  const plan::Scenario s =
      test::scenario("epyc-8x3090", "resnet50",
                     {{"plan.gpus", gpus}, {"plan.input.source", source}, {"plan.parallel.method", method}});
  return cost::slowest_replica(s.plan, s.profile);
}

double constant(const char* field) {
  const plan::Scenario s = test::scenario("epyc-8x3090", "resnet50", {});
  return s.profile.value("framework", "pytorch-eager", field);
}

}  // namespace

TEST_CASE("the largest of n draws between -sqrt(3) and sqrt(3): n/(n + 1) of the way, on average") {
  CHECK(cost::expected_maximum(1) == 0);
  for (const double n : {2.0, 8.0, 1000.0})
    CHECK(cost::expected_maximum(n) == doctest::Approx(2 * std::sqrt(3.0) * n / (n + 1) - std::sqrt(3.0)));
}

TEST_CASE("a synchronous step waits for its slowest replica: 1 + expected maximum x spread") {
  const double same = constant("replica_spread"), data = constant("data_spread");
  CHECK(slowest("1", "dataset", "ddp") == 1);
  CHECK(slowest("8", "synthetic", "ddp") == doctest::Approx(1 + std::sqrt(3.0) * 7 / 9 * same));
  CHECK(slowest("8", "dataset", "ddp") ==
        doctest::Approx(1 + std::sqrt(3.0) * 7 / 9 * std::hypot(same, data)));
  CHECK(slowest("8", "dataset", "independent") == 1);
}
