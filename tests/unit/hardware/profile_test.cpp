#include "hardware/profile.h"

#include <doctest/doctest.h>

using namespace rigcast::hardware;

TEST_CASE("a member's own constant is found first, the group's default second, nothing third") {
  Profile profile;
  profile.set("architecture.default.matrix", {0.6, "", "test", 0});
  profile.set("architecture.volta.matrix", {0.8, "", "test", 0});
  profile.set("framework.pytorch.eager.operator", {5e-6, "s", "test", 0});
  REQUIRE(profile.find("architecture", "volta", "matrix") != nullptr);
  CHECK(profile.find("architecture", "volta", "matrix")->value == 0.8);
  CHECK(profile.value("architecture", "ada", "matrix") == 0.6);
  CHECK(profile.find("architecture", "volta", "latency") == nullptr);
  CHECK(profile.find("memory", "default", "matrix") == nullptr);
  CHECK(profile.value("framework", "pytorch.eager", "operator") == 5e-6);
}

TEST_CASE("setting a constant again replaces it") {
  Profile profile;
  profile.set("link.pcie3.a", {1, "", "", 0});
  profile.set("link.pcie3.a", {2, "", "", 0});
  CHECK(profile.all().size() == 1);
  CHECK(profile.value("link", "pcie3", "a") == 2);
}
