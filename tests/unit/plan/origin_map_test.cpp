#include <doctest/doctest.h>

#include "plan/scenario.h"

using rigcast::plan::OriginMap;

TEST_CASE(
    "a pointer that was not written resolves to its nearest written parent, else to itself without a place") {
  OriginMap origins;
  origins.set("/plan", {"s.json", 3, 1, "/plan"});
  origins.set("/plan/input/workers", {"s.json", 5, 9, "/plan/input/workers"});
  CHECK(origins.find("/plan/input/workers").line == 5);
  CHECK(origins.find("/plan/input/storage").line == 3);
  CHECK(origins.find("/machine/gpu").line == 0);
  CHECK(origins.find("/machine/gpu").pointer == "/machine/gpu");
  CHECK(origins.written("/plan/input/workers"));
  CHECK(!origins.written("/plan/input"));
}

TEST_CASE("setting a pointer again replaces its place; pointers come in order") {
  OriginMap origins;
  origins.set("/b", {"s.json", 1, 1, "/b"});
  origins.set("/a", {"s.json", 2, 1, "/a"});
  origins.set("/b", {"--set b", 0, 0, "/b"});
  CHECK(origins.find("/b").file == "--set b");
  CHECK(origins.pointers() == std::vector<std::string>{"/a", "/b"});
}
