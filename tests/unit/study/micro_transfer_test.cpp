#include <doctest/doctest.h>

#include "scenarios.h"
#include "study/micro.h"

using namespace rigcast;
using namespace rigcast::study;

static double value(const std::string& json) {
  Diagnostics diagnostics;
  auto parsed = config::parse_json(json, "row", diagnostics);
  REQUIRE(parsed.has_value());
  const Row row(*std::move(parsed));
  const MicroForecast f = forecast_transfer_row(row, test::library(), test::library().catalogue.profile);
  REQUIRE_MESSAGE(f.reason.empty(), f.reason);
  return f.value;
}

static std::string host_copy(const std::string& id, const std::string& direction) {
  return R"({"id":")" + id +
         R"(","kind":"h2d","metric":"Bps","value":1,"gpu":"a100-sxm4-80","gpus":1,"nodes":1,)" +
         R"("interconnect":"pcie4","pinned":true,"direction":")" + direction + R"("})";
}

TEST_CASE("both directions at once: copies out keep their rate, copies in lose half") {
  const double alone = value(host_copy("x-h2d", "h2d"));
  CHECK(value(host_copy("x-h2d-bidir", "h2d")) < 0.7 * alone);
  CHECK(value(host_copy("x-d2h-bidir", "d2h")) > 0.85 * alone);
}

TEST_CASE("encrypted memory: one thread's cipher, whatever the bus") {
  CHECK(value(host_copy("x-cc-h2d", "h2d")) < 0.5 * value(host_copy("x-h2d", "h2d")));
}

static std::string flows(const std::string& label, int count) {
  return R"({"id":"x-)" + label +
         R"(","kind":"p2p","op":"copy","metric":"Bps","value":1,"gpu":"rtx-pro-6000-ws",)" +
         R"("gpus":8,"nodes":1,"interconnect":"pcie5","network":"none","path_stated":"PCIe5 x16 + switch uplinks",)" +
         R"("flows":)" + std::to_string(count) + "}";
}

TEST_CASE("a tree of switches: uplinks add up, two root ports from one uplink collapse") {
  const double one = value(flows("same", 1));
  CHECK(value(flows("same-bidir", 4)) == doctest::Approx(4 * one));
  const double shared = value(flows("same-uplink-same-target", 2));
  CHECK(shared < one);
  CHECK(value(flows("diff-uplink", 2)) == doctest::Approx(2 * shared));
  CHECK(value(flows("same-uplink-diff-target", 2)) < 0.1 * one);
}

TEST_CASE("samples streamed from object storage grow with the workers") {
  const auto rate = [](const std::string& workers) {
    return value(R"({"id":"x-)" + workers +
                 R"(","kind":"dataload","metric":"samples_per_s","value":1,"gpu":"none",)" +
                 R"("where":"a table: images over S3","library":"litdata"})");
  };
  CHECK(rate("w8") == doctest::Approx(8 * rate("w1")));
}
