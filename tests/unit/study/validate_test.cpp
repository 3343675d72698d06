#include "study/validate.h"

#include <doctest/doctest.h>

#include <cmath>

#include "rows.h"
#include "study/forecast.h"

using namespace rigcast;
using study::Scored;

namespace {

study::Validation validate(const std::string& text, int jobs, const std::vector<study::Pair>& pairs = {}) {
  study::ValidateOptions options;
  options.jobs = jobs;
  options.by = {"model", "family"};
  const auto observations = study::observe_all(test::rows(text), test::library(), options);
  return study::tabulate(study::score(observations, test::library(), options), observations, pairs, options);
}

const std::string kThree = test::row_text("a", "resnet50", 1, 64, 0.2) +
                           test::row_text("b", "resnet50", 8, 64, 0.2) +
                           test::row_text("c", "vgg16", 1, 32, 0.2);

}  // namespace

TEST_CASE("errors of forecasts 1.1, 0.8 and 1.0 of 1: mean 0.1, median 0.1, bias 0") {
  std::vector<Scored> rows(3);
  const double forecasts[] = {1.1, 0.8, 1.0};
  std::vector<const Scored*> pointers;
  for (int i = 0; i < 3; ++i) {
    rows[static_cast<std::size_t>(i)].measured = 1;
    rows[static_cast<std::size_t>(i)].forecast = forecasts[i];
    pointers.push_back(&rows[static_cast<std::size_t>(i)]);
  }
  const study::ErrorSummary summary = study::summarise(pointers);
  CHECK(summary.n == 3);
  CHECK(summary.mean == doctest::Approx(0.1));
  CHECK(summary.median == doctest::Approx(0.1));
  CHECK(summary.bias == doctest::Approx(0));
  CHECK(!summary.interval_coverage);
}

TEST_CASE("a row's forecast is the iteration time of the same scenario written by hand") {
  const study::Validation v = validate(kThree, 1);
  REQUIRE(v.rows[1].forecast);
  const auto scenario = test::scenario("dgx1-v100", "resnet50",
                                       {{"plan.precision", "fp32"},
                                        {"plan.batch_per_gpu", "64"},
                                        {"plan.framework.year", "2021"},
                                        {"plan.optimizer", "sgd-momentum"}});
  CHECK(*v.rows[1].forecast ==
        doctest::Approx(study::forecast(scenario, {false, false}).iteration.value).epsilon(1e-9));
}

TEST_CASE("results do not depend on the number of threads") {
  const study::Validation one = validate(kThree, 1), three = validate(kThree, 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(*one.rows[i].forecast == *three.rows[i].forecast);
  CHECK(one.all.mean == three.all.mean);
}

TEST_CASE("what is not built is counted apart from what is wrong, and neither is skipped") {
  std::string tensor = test::row_text("t", "resnet50", 8, 64, 0.2);
  tensor.replace(tensor.find(R"("tensor":1)"), 10, R"("tensor":8)");
  const std::string unknown = test::row_text("u", "no-such-network", 1, 64, 0.2);
  const study::Validation v = validate(kThree + tensor + unknown, 1);
  CHECK(v.rows.size() == 5);
  CHECK(v.all.n == 3);
  CHECK(v.unsupported == 1);
  CHECK(v.rows[3].reason == "tensor parallelism is not supported yet");
  CHECK(v.rows[4].reason.find("no-such-network") != std::string::npos);
}

TEST_CASE("tables by field: two rows of resnet50, one of vgg16") {
  const study::Validation v = validate(kThree, 1);
  REQUIRE(v.by.size() == 2);
  CHECK(v.by[0].second[0].first == "resnet50");
  CHECK(v.by[0].second[0].second.n == 2);
  CHECK(v.by[0].second[1].first == "vgg16");
}

TEST_CASE("a pair compares throughputs: 8 GPUs over 1 is 8 times the ratio of iteration times") {
  const study::Pair pair{"p", "dp-scaling", "a", "b", 7.5};
  const study::Validation v = validate(kThree, 1, {pair, {"q", "dp-scaling", "a", "missing", 2}});
  REQUIRE(v.pairs);
  CHECK(v.pairs->n == 1);
  CHECK(v.pairs->total == 2);
  CHECK(*v.pairs->same_winner == 1);
  const double ratio = v.pairs->by_effect.at("dp-scaling")[0].forecast;
  CHECK(ratio == doctest::Approx(8 * *v.rows[0].forecast / *v.rows[1].forecast));
}

TEST_CASE("other forecasts take the place of the scored ones and their intervals move along") {
  std::vector<Scored> rows(2);
  for (Scored& row : rows) {
    row.measured = 1;
    row.forecast = 2;
    row.interval = {1.0, 4.0};
  }
  study::replace_forecasts(rows, {3, std::nan("")}, "not held out");
  CHECK(*rows[0].forecast == 3);
  CHECK(rows[0].interval->first == doctest::Approx(1.5));
  CHECK(!rows[1].forecast);
  CHECK(rows[1].reason == "not held out");
}
