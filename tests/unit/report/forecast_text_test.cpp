#include "report/forecast_text.h"

#include <doctest/doctest.h>

#include <regex>

#include "report/samples.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

std::string text(const study::Forecast& forecast, bool colored = false) {
  return printed([&](std::ostream& out) { forecast_text(out, sample_scenario(), forecast, colored); });
}

TEST_CASE("the answer stands first, in words: time, throughput, whether it fits") {
  const std::vector<std::string> lines = lines_of(text(sample_forecast()));
  CHECK(lines[0] == "ResNet-50 on DGX A100");
  CHECK(lines[1] == "  One training iteration takes 100 ms: 20,500 images/s");
  const std::string all = text(sample_forecast());
  CHECK(contains(all, "Memory      fits: 22.0 GiB of 40.0 GiB a GPU; the largest batch that fits is"));
  CHECK(contains(all, "Epoch       62.5 s"));
  CHECK(contains(all, "31.0 % of the GPUs' peak"));
}

TEST_CASE("the bars add up to 100 % and carry plain words beside the kind") {
  const std::string all = text(sample_forecast());
  CHECK(contains(all, "What limits it: GPU memory bandwidth first, 61.0 % of the time"));
  CHECK(contains(all, "   61.0 %  ###########        GPU memory bandwidth          gpu.memory"));
  double sum = 0;
  const std::regex bar("^ +([0-9.]+) %  #+");
  for (const std::string& line : lines_of(all)) {
    std::smatch match;
    if (std::regex_search(line, match, bar)) sum += std::stod(match[1]);
  }
  CHECK(sum == doctest::Approx(100));
}

TEST_CASE("what would help is ranked by what twice as fast gains, and what gains nothing is left out") {
  const std::string all = text(sample_forecast());
  const std::size_t memory =
      all.find("twice the GPU memory bandwidth            1.25x faster   at most 2.00x");
  const std::size_t matrix =
      all.find("twice the tensor-core speed               1.10x faster   at most 1.25x");
  REQUIRE(memory != std::string::npos);
  REQUIRE(matrix != std::string::npos);
  CHECK(memory < matrix);
  CHECK_FALSE(contains(all, "small kernels"));
}

TEST_CASE("a kind that has most of the time but gains nothing does not pass for the limit") {
  // The first kind gains nothing when doubled, the second 1.1x.
  study::Forecast forecast = sample_forecast();
  forecast.bottlenecks[0].if_doubled = forecast.bottlenecks[0].if_infinite = forecast.iteration;
  const std::string all = text(forecast);
  CHECK(contains(all, "What limits it: tensor cores / matrix units\n"));
  CHECK(contains(all, "  (most time goes to GPU memory bandwidth, but twice as much gains little)\n"));
}

TEST_CASE("when nothing helps alone the text says so") {
  study::Forecast forecast = sample_forecast();
  for (study::Bottleneck& bottleneck : forecast.bottlenecks)
    bottleneck.if_doubled = bottleneck.if_infinite = forecast.iteration;
  CHECK(contains(text(forecast), "Nothing alone: no single part, twice as fast, gains as much as 0.5 %."));
}

TEST_CASE("what does not fit is said in capitals, with how much is missing") {
  study::Forecast forecast = sample_forecast();
  forecast.memory = sample_ledger(50);
  forecast.largest_batch_that_fits = 200;
  const std::string all = text(forecast);
  CHECK(contains(all, "DOES NOT FIT: needs 50.0 GiB of 40.0 GiB a GPU, 10.0 GiB more than"));
  CHECK(contains(all, "the largest batch that fits is 200 a GPU"));
}

TEST_CASE("never more than 80 columns and 40 lines, and what is left out is counted") {
  study::Forecast forecast = sample_forecast();
  forecast.bottlenecks.clear();
  for (int k = 0; k < task::kKindCount; ++k)
    forecast.bottlenecks.push_back({static_cast<task::Kind>(k),
                                    "a.resource.with.a.rather.long.name",
                                    1.0 / task::kKindCount,
                                    {0.1 / task::kKindCount},
                                    Seconds{0.09},
                                    Seconds{0.08}});
  forecast.warnings.assign(
      50,
      "an assumption so long that it takes more than one line of eighty columns to write it down in full");
  forecast.tokens_per_s = 1e9;
  forecast.money = {199000, 12.5, 6500, 0.41, 0.3};
  forecast.first_epoch = Seconds{1e6};
  const std::vector<std::string> lines = lines_of(text(forecast));
  CHECK(lines.size() <= 40);
  for (const std::string& line : lines) CHECK_MESSAGE(columns(line) <= 80, line);
  CHECK(contains(lines.back(), "more: --format json has them all"));
  CHECK(contains(text(forecast), "10 smaller ones together"));
}

TEST_CASE("colours change nothing but the escapes") {
  const std::string plain = text(sample_forecast());
  const std::string colored = text(sample_forecast(), true);
  CHECK(plain.find('\033') == std::string::npos);
  CHECK(colored.find('\033') != std::string::npos);
  CHECK(std::regex_replace(colored, std::regex("\033\\[[0-9;]*m"), "") == plain);
}

}  // namespace
}  // namespace rigcast::report
