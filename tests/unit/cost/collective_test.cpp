#include "cost/collective.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;
using namespace rigcast::cost;

TEST_CASE(
    "a large all-reduce takes the ring in the simple protocol: wire factor 2 (n - 1) / n, no rate lost") {
  const auto choice =
      choose_all_reduce({1e9}, 8, {1e11}, HopClass::kGpuLink, {}, test::library().catalogue.profile);
  CHECK(choice.algorithm == Algorithm::kRing);
  CHECK(choice.protocol == Protocol::kSimple);
  CHECK(choice.wire_factor == doctest::Approx(2.0 * 7 / 8));
  CHECK(choice.efficiency == 1);
}

TEST_CASE("a small one takes the tree in the low-latency protocol: 2 log2 n steps instead of 2 (n - 1)") {
  const auto& profile = test::library().catalogue.profile;
  const auto choice = choose_all_reduce({1024}, 8, {1e11}, HopClass::kGpuLink, {}, profile);
  CHECK(choice.algorithm == Algorithm::kTree);
  CHECK(choice.protocol == Protocol::kLowLatency);
  const double expected = profile.value("collective", "gpu-link", "base_low_latency_s") +
                          6 * profile.value("collective", "gpu-link", "tree_hop_low_latency_s");
  CHECK(choice.latency.value == doctest::Approx(expected));
}

TEST_CASE("staged hops cost more latency than direct ones") {
  const auto& profile = test::library().catalogue.profile;
  const auto direct = choose_all_reduce({1e6}, 4, {5e9}, HopClass::kGpuLink, {}, profile);
  const auto staged = choose_all_reduce({1e6}, 4, {5e9}, HopClass::kStaged, {}, profile);
  CHECK(staged.latency > direct.latency);
}
