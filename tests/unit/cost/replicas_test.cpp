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

TEST_CASE("The largest of two standard normal draws is 1/sqrt(pi) on average, of three 1.5/sqrt(pi)") {
  CHECK(cost::expected_maximum(1) == 0);
  CHECK(cost::expected_maximum(2) == doctest::Approx(1 / std::sqrt(M_PI)).epsilon(1e-3));
  CHECK(cost::expected_maximum(3) == doctest::Approx(1.5 / std::sqrt(M_PI)).epsilon(0.07));
  CHECK(cost::expected_maximum(1024) > cost::expected_maximum(1023));
  CHECK(cost::expected_maximum(4096) > cost::expected_maximum(1024));
}

TEST_CASE("A synchronous step waits for its slowest replica: 1 + expected maximum x spread") {
  const double same = constant("replica_spread"), data = constant("data_spread");
  CHECK(slowest("1", "dataset", "ddp") == 1);
  CHECK(slowest("8", "synthetic", "ddp") == doctest::Approx(1 + 1.4236 * same));
  CHECK(slowest("8", "dataset", "ddp") == doctest::Approx(1 + 1.4236 * std::hypot(same, data)));
  CHECK(slowest("8", "dataset", "independent") == 1);
}
