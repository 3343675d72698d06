#include "study/fit.h"

#include <doctest/doctest.h>

#include <cmath>

#include "rows.h"

using namespace rigcast;

namespace {

/// Rows whose measured values are the forecasts of `truth`, times `noise` on every other one.
std::vector<study::Observation> made_with(const hardware::Profile& truth, double noise = 1) {
  std::string text;
  int id = 0;
  for (const char* model : {"resnet50", "vgg16", "bert-base", "mobilenet-v2"})
    for (const int batch : {8, 32, 64}) text += test::row_text(std::to_string(id++), model, 1, batch, 1.0);
  std::vector<study::Observation> observations = study::observe_all(test::rows(text), test::library(), {});
  std::vector<study::Observation> made;
  for (study::Observation& o : observations) {
    const double value = study::predict(o, test::library(), truth, false).value;
    config::Value row = o.row.value();
    row.find("value")->number = value * (made.size() % 2 == 1 ? noise : 1);
    made.push_back(study::observe(study::Row(std::move(row)), test::library()));
  }
  return made;
}

hardware::Profile changed(double memory, double lanes) {
  hardware::Profile profile = test::library().catalogue.profile;
  for (const auto& [key, factor] : {std::pair{"memory.hbm2.achieved", memory},
                                    std::pair{"architecture.default.vector_products", lanes}}) {
    hardware::Constant constant = profile.all().find(key)->second;
    constant.value *= factor;
    profile.set(key, constant);
  }
  return profile;
}

const study::FittedConstant& constant(const study::Fit& fit, const std::string& key) {
  for (const study::FittedConstant& c : fit.constants)
    if (c.key == key) return c;
  FAIL("not fitted: " << key);
  return fit.constants.front();
}

double spread(const std::vector<study::Observation>& observations, const hardware::Profile& profile) {
  double sum = 0;
  for (const study::Observation& o : observations)
    sum += std::fabs(study::predict(o, test::library(), profile, false).value / o.row.measured() - 1);
  return sum / static_cast<double>(observations.size());
}

}  // namespace

TEST_CASE("rows made with other constants are reproduced: errors of several percent fall below one") {
  const auto observations = made_with(changed(0.85, 0.9));
  const hardware::Profile& start = test::library().catalogue.profile;
  study::FitOptions options;
  options.prior = study::Prior::kShipped;
  options.steps = 6;
  CHECK(spread(observations, start) > 0.04);
  const study::Fit fit = study::fit(observations, test::library(), start, options);
  CHECK(spread(observations, fit.profile) < 0.015);
  CHECK(fit.objective < 0.2 * fit.objective_before);
}

TEST_CASE("a constant moves towards the truth, says how sure it is and on which rows it rests") {
  const auto observations = made_with(changed(0.85, 1));
  study::FitOptions options;
  options.prior = study::Prior::kShipped;
  options.steps = 4;
  const study::Fit fit =
      study::fit(observations, test::library(), test::library().catalogue.profile, options);
  const study::FittedConstant& memory = constant(fit, "memory.hbm2.achieved");
  CHECK(memory.constant.value < 0.95 * memory.before);
  CHECK(memory.constant.uncertainty > 0);
  CHECK(memory.rows >= 6);  // of twelve
  REQUIRE(memory.rests_on.size() == 1);
  CHECK(memory.rests_on[0] == "test");
}

TEST_CASE("facts stay as they are, and so do constants of parts no row uses") {
  const auto observations = made_with(changed(0.9, 1));
  study::FitOptions options;
  options.steps = 1;
  const hardware::Profile& start = test::library().catalogue.profile;
  const study::Fit fit = study::fit(observations, test::library(), start, options);
  for (const auto& [key, constant] : start.all()) {
    const hardware::Constant& now = fit.profile.all().find(key)->second;
    if (!constant.fitted()) CHECK(now.value == constant.value);
    if (constant.fitted()) CHECK(now.value >= constant.low);
    if (constant.fitted()) CHECK(now.value <= constant.high);
    if (key.rfind("memory.gddr", 0) == 0) CHECK(now.value == constant.value);
  }
}

TEST_CASE("cross-validation forecasts every row from a fit without its group, and leaves residuals") {
  const auto observations = made_with(changed(0.9, 1), 1.05);
  study::FitOptions options;
  options.steps = 1;
  study::Fit shipped;
  shipped.profile = test::library().catalogue.profile;
  const auto validation = study::cross_validate(observations, test::library(), shipped, 3, options);
  CHECK(validation.residuals.size() == observations.size());
  for (const double forecast : validation.forecasts) CHECK(forecast > 0);
}

TEST_CASE("what is held out has no say: the same fit results whatever the held-out rows measured") {
  const auto good = made_with(changed(0.9, 1)), spoilt = made_with(changed(0.9, 1), 3.0);
  study::FitOptions options;
  options.steps = 1;
  study::Fit shipped;
  shipped.profile = test::library().catalogue.profile;
  std::vector<std::vector<std::size_t>> odd(1);
  for (std::size_t i = 1; i < good.size(); i += 2) odd[0].push_back(i);
  const auto a = study::hold_out(good, test::library(), shipped, odd, options);
  const auto b = study::hold_out(spoilt, test::library(), shipped, odd, options);
  for (const std::size_t i : odd[0]) CHECK(a.forecasts[i] == doctest::Approx(b.forecasts[i]).epsilon(1e-9));
}
