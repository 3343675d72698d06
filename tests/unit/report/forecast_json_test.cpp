#include "report/forecast_json.h"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/forecast_csv.h"
#include "report/samples.h"

namespace rigcast::report {
namespace {

using Json = nlohmann::ordered_json;

Json json(const study::Forecast& forecast) {
  return Json::parse(printed([&](std::ostream& out) { forecast_json(out, sample_scenario(), forecast); }));
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}

TEST_CASE("the document has exactly the interface's fields, in its order") {
  const Json document = json(sample_forecast());
  CHECK(keys(document) == std::vector<std::string>{"scenario",
                                                   "iteration_s",
                                                   "samples_per_s",
                                                   "tokens_per_s",
                                                   "ttft_s",
                                                   "tpot_s",
                                                   "mfu",
                                                   "hfu",
                                                   "epoch_s",
                                                   "first_epoch_s",
                                                   "interval",
                                                   "memory",
                                                   "bottlenecks",
                                                   "resources",
                                                   "phases",
                                                   "price_usd",
                                                   "usd_per_hour",
                                                   "power_w",
                                                   "usd_per_million_samples",
                                                   "joules_per_sample",
                                                   "warnings"});
  CHECK(keys(document["memory"]) ==
        std::vector<std::string>{"fits", "gpus", "host", "largest_batch_that_fits"});
  CHECK(keys(document["memory"]["gpus"][0]["parts"]) ==
        std::vector<std::string>{"parameters", "master_weights", "gradients", "optimizer", "activations",
                                 "kv_cache", "workspace", "communication", "reserved", "context"});
  CHECK(keys(document["bottlenecks"][0]) == std::vector<std::string>{"kind", "resource", "share", "seconds",
                                                                     "if_doubled_iteration_s",
                                                                     "if_infinite_iteration_s"});
  CHECK(keys(document["phases"]) ==
        std::vector<std::string>{"input_s", "forward_s", "backward_s", "communication_exposed_s",
                                 "communication_total_s", "optimizer_s", "idle_s"});
}

TEST_CASE("what is not known is null, what is absent from a sum is 0") {
  study::Forecast forecast = sample_forecast();
  forecast.mfu = std::nullopt;
  forecast.resources[1].capacity = std::numeric_limits<double>::infinity();
  const Json document = json(forecast);
  CHECK(document["tokens_per_s"].is_null());
  CHECK(document["mfu"].is_null());
  CHECK(document["price_usd"].is_null());
  CHECK(document["bottlenecks"][2]["resource"].is_null());
  CHECK(document["resources"][1]["bytes"] == 0);
  CHECK(document["resources"][1]["capacity"].is_null());
  CHECK(document["memory"]["gpus"][0]["parts"]["kv_cache"] == 0);
  CHECK(document["phases"]["optimizer_s"] == 0);
}

TEST_CASE("parts add up to what is used, shares to 1, and doubles read back exactly") {
  const study::Forecast forecast = sample_forecast();
  const Json document = json(forecast);
  double parts = 0, shares = 0;
  for (const Json& part : document["memory"]["gpus"][0]["parts"]) parts += part.get<double>();
  for (const Json& bottleneck : document["bottlenecks"]) shares += bottleneck["share"].get<double>();
  CHECK(parts == document["memory"]["gpus"][0]["used_bytes"].get<double>());
  CHECK(shares == doctest::Approx(1));
  CHECK(document["bottlenecks"][1]["if_doubled_iteration_s"].get<double>() ==
        forecast.bottlenecks[1].if_doubled->value);
}

TEST_CASE("CSV is a header and one row of as many cells, empty where nothing is known") {
  const std::vector<std::string> lines =
      lines_of(printed([](std::ostream& out) { forecast_csv(out, sample_scenario(), sample_forecast()); }));
  REQUIRE(lines.size() == 2);
  CHECK(std::count(lines[0].begin(), lines[0].end(), ',') ==
        std::count(lines[1].begin(), lines[1].end(), ','));
  CHECK(lines[0].starts_with(
      "machine,workload,mode,precision,gpus,nodes,global_batch,batch_per_gpu,iteration_s,"));
  CHECK(lines[1].starts_with("dgx-a100,resnet50,training,amp-fp16,8,1,2048,256,0.1,20480,,0.31,"));
}

TEST_CASE("a name with a comma or a quote is one cell") {
  plan::Scenario scenario = sample_scenario();
  scenario.machine.name = "my \"big\", old box";
  const std::vector<std::string> lines =
      lines_of(printed([&](std::ostream& out) { forecast_csv(out, scenario, sample_forecast()); }));
  CHECK(lines[1].starts_with("\"my \"\"big\"\", old box\",resnet50,"));
}

}  // namespace
}  // namespace rigcast::report
