/// Derivatives are differences of whole forecasts. A forecast of one row takes about a millisecond, and a row
/// looks up some twenty of the constants that may move, so that all derivatives of a few thousand rows take a
/// minute; in return they hold contention, overlap and every choice a model makes (tile, algorithm,
/// protocol), which a sum along one critical path would miss. Which constants a row looks up is recorded
/// while it is forecast, so constants of other parts cost nothing.

#include "study/sensitivity.h"

#include <atomic>
#include <cmath>
#include <set>

#include "base/math.h"
#include "study/parallel.h"

namespace rigcast::study {
namespace {

/// Large enough to step over the rounding of tiles to whole waves, small enough to be a derivative.
constexpr double kStep = 0.03;
/// Derivatives below this are none.
constexpr double kNone = 2e-3;

double log_ratio(const Observation& observation, const config::Library& library,
                 const hardware::Profile& profile) {
  const Prediction prediction = predict(observation, library, profile, false);
  if (!prediction.reason.empty() || !(prediction.value > 0)) return std::nan("");
  return exact_log(prediction.value / observation.row.measured());
}

std::set<std::string> constants_used(const Observation& observation, const config::Library& library,
                                     hardware::Profile profile, double& ratio) {
  std::set<std::string> used;
  profile.record(&used);
  ratio = log_ratio(observation, library, profile);
  return used;
}

void scale(hardware::Profile& profile, const std::string& key, double factor) {
  hardware::Constant constant = profile.all().find(key)->second;
  constant.value *= factor;
  profile.set(key, std::move(constant));
}

}  // namespace

Problem make_problem(const std::vector<Observation>& observations, const config::Library& library,
                     const hardware::Profile& profile, int jobs) {
  Problem problem{&observations, &library, {}, {}, {}, jobs};
  std::vector<std::set<std::string>> used(observations.size());
  std::vector<char> good(observations.size());
  for_each_item(observations.size(), jobs, [&](std::size_t i) {
    double ratio = 0;
    used[i] = constants_used(observations[i], library, profile, ratio);
    good[i] = std::isfinite(ratio) ? 1 : 0;
  });
  std::set<std::string> keys;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (good[i] == 0) continue;
    problem.rows.push_back(i);
    for (const std::string& key : used[i])
      if (profile.all().find(key)->second.fitted()) keys.insert(key);
  }
  problem.keys.assign(keys.begin(), keys.end());
  for (std::size_t k = 0; k < problem.keys.size(); ++k)
    problem.index.emplace(problem.keys[k], static_cast<int>(k));
  return problem;
}

std::vector<double> log_ratios(const Problem& problem, const hardware::Profile& profile) {
  std::vector<double> ratios(problem.rows.size());
  for_each_item(problem.rows.size(), problem.jobs, [&](std::size_t i) {
    ratios[i] = log_ratio((*problem.observations)[problem.rows[i]], *problem.library, profile);
  });
  return ratios;
}

std::vector<RowSensitivity> sensitivities(const Problem& problem, const hardware::Profile& profile,
                                          const std::vector<RowSensitivity>& earlier,
                                          const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<RowSensitivity> result(problem.rows.size());
  std::atomic<std::size_t> done{0};
  for_each_item(problem.rows.size(), problem.jobs, [&](std::size_t i) {
    const Observation& observation = (*problem.observations)[problem.rows[i]];
    RowSensitivity& row = result[i];
    const auto differentiate = [&](int index) {
      const std::string& key = problem.keys[static_cast<std::size_t>(index)];
      const hardware::Constant constant = profile.all().find(key)->second;
      // Away from the nearer bound.
      const double direction =
          constant.value * constant.value > constant.low * constant.high ? -kStep : kStep;
      hardware::Profile moved = profile;
      scale(moved, key, exact_exp(direction));
      const double there = log_ratio(observation, *problem.library, moved);
      const double derivative = (there - row.log_ratio) / direction;
      if (std::fabs(derivative) > kNone) row.derivatives.emplace_back(index, derivative);
    };
    if (!earlier.empty()) {
      row.log_ratio = log_ratio(observation, *problem.library, profile);
      for (const auto& [index, derivative] : earlier[i].derivatives) differentiate(index);
    } else {
      for (const std::string& key : constants_used(observation, *problem.library, profile, row.log_ratio))
        if (const auto index = problem.index.find(key); index != problem.index.end())
          differentiate(index->second);
    }
    const std::size_t now = ++done;
    if (progress) progress(now, problem.rows.size());
  });
  return result;
}

}  // namespace rigcast::study
