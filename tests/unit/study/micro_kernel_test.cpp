#include "scenarios.h"
#include "study/micro.h"

using namespace rigcast;
using namespace rigcast::study;

static MicroForecast forecast(const std::string& json) {
  Diagnostics diagnostics;
  auto value = config::parse_json(json, "row", diagnostics);
  REQUIRE(value.has_value());
  const Row row(*std::move(value));
  return forecast_kernel_row(row, test::library(), test::library().catalogue.profile);
}

static double value(const std::string& json) {
  const MicroForecast f = forecast(json);
  REQUIRE_MESSAGE(f.reason.empty(), f.reason);
  return f.value;
}

static std::string gemm(const std::string& gpu, const std::string& precision, int m, int n, int k) {
  return R"({"id":"g","kind":"gemm","metric":"seconds","value":1,"gpu":")" + gpu + R"(","precision":")" +
         precision + R"(","m":)" + std::to_string(m) + ",\"n\":" + std::to_string(n) +
         ",\"k\":" + std::to_string(k) + "}";
}

TEST_CASE("large bf16 products reach 75 to 95 % of an A100's 312 TFLOP/s, tiny ones cost microseconds") {
  const double rate = 2.0 * 8192 * 8192 * 8192 / value(gemm("a100-sxm4-80", "bf16", 8192, 8192, 8192));
  CHECK(rate > 0.75 * 312e12);
  CHECK(rate < 0.95 * 312e12);
  const double tiny = value(gemm("a100-sxm4-80", "bf16", 16, 32, 64));
  CHECK(tiny > 2e-6);
  CHECK(tiny < 6e-6);
}

TEST_CASE("few tokens stream the weights at 60 to 90 % of memory bandwidth: 8192 x 8192 bf16 on an H100") {
  const double rate = 2.0 * 8192 * 8192 / value(gemm("h100-sxm5-80", "bf16", 8, 8192, 8192));
  CHECK(rate > 0.6 * 3.35e12);
  CHECK(rate < 0.9 * 3.35e12);
}

TEST_CASE("fp8 nearly doubles a large product of an H100, fp32 on lanes is many times slower than bf16") {
  const double bf16 = value(gemm("h100-sxm5-80", "bf16", 8192, 8192, 8192));
  const double fp8 = value(gemm("h100-sxm5-80", "fp8", 8192, 8192, 8192));
  CHECK(bf16 / fp8 > 1.4);
  CHECK(bf16 / fp8 < 2.1);
  CHECK(value(gemm("h100-sxm5-80", "fp32", 8192, 8192, 8192)) > 8 * bf16);
}

TEST_CASE("streams: lower occupancy has fewer bytes in flight and never a higher rate") {
  const std::string row =
      R"({"id":"s","kind":"membw","metric":"Bps","value":1,"gpu":"h200-sxm5-141","op":"triad","occupancy":)";
  const double full = value(row + "1.0}"), half = value(row + "0.5}"), little = value(row + "0.03}");
  CHECK(full > half);
  CHECK(half > little);
  CHECK(little < 0.2 * full);
  CHECK(full < 4.8e12);
}

TEST_CASE("a pointer chase pays the latency of the level its buffer fits into") {
  const std::string row =
      R"({"id":"c","kind":"membw","metric":"seconds","value":1,"gpu":"a100-sxm4-80","op":"pointer-chase","buffer_bytes":)";
  const double l1 = value(row + "1000}"), l2 = value(row + "1000000}"), memory = value(row + "340000000}");
  CHECK(l1 < l2 / 3);
  CHECK(l2 < memory / 2);
}

TEST_CASE(
    "STREAM on a CPU: channels bound all cores, outstanding lines bound one; allocating stores cost a "
    "third") {
  const std::string row =
      R"({"id":"c","kind":"membw","metric":"Bps","value":1,"gpu":"none","cpu_stated":"2x Xeon E5 v4","channels":"2x4 DDR4-2400","op":"copy","software":)";
  const double stores = value(row + R"("STREAM"})"), allocating = value(row + R"("BabelStream OpenMP"})");
  CHECK(stores > 0.6 * 153.6e9);
  CHECK(stores < 0.95 * 153.6e9);
  CHECK(allocating == doctest::Approx(stores / 1.5));
  CHECK(value(row + R"("STREAM","cores":1})") < stores / 4);
}

TEST_CASE("launches: a graph's kernels follow each other faster than a stream's") {
  const std::string row =
      R"({"id":"l","kind":"launch","metric":"seconds","value":1,"gpu":"a100-sxm4-80","launches":10,"method":)";
  const double stream = value(row + R"("stream"})"), graph = value(row + R"("graph"})");
  CHECK(graph < stream);
  CHECK(stream > 10e-6);
  CHECK(stream < 50e-6);
}

TEST_CASE("what cannot be forecast says why") {
  CHECK_FALSE(forecast(gemm("no-such-card", "bf16", 16, 16, 16)).reason.empty());
  CHECK_FALSE(forecast(gemm("a100-sxm4-80", "fp3", 16, 16, 16)).reason.empty());
  CHECK_FALSE(
      forecast(
          R"({"id":"x","kind":"conv","metric":"seconds","value":1,"gpu":"t4","N":1,"C":8,"H":2,"W":2,"K":8,"R":5,"S":5})")
          .reason.empty());
}
