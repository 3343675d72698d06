/// Levenberg-Marquardt in the logarithms of the constants, with priors and bounds.
///
/// minimise  sum_i w_i c^2 ln(1 + (r_i / c)^2)  +  sum_j (e (x_j - p_j) / s_j)^2
///
/// r_i = ln(forecast / measured); e the scatter of a good row; c the scale beyond which a row counts as an
/// outlier (Cauchy's loss: a row that is wrong for reasons the model does not hold must not bend it); w_i =
/// n^-1/4 for a row whose (source, model, GPU) group has n rows, so that long tables of one experiment do not
/// outvote everything else. Between two sets of derivatives the linearised problem is solved by iteratively
/// reweighted least squares inside a trust region; a step that does not lower the true objective
/// shrinks the region to a third. Uncertainties are the square roots of the diagonal of the inverse Hessian
/// times the residual variance.

#include "study/fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/math.h"
#include "study/sensitivity.h"

namespace rigcast::study {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kOutlier = 0.15;  ///< c
constexpr double kScatter = 0.05;  ///< e
constexpr double kLeast = 1e-2;    ///< of its upper bound: a constant that may be 0 is fitted down to this
constexpr double kFirstRegion = 0.35;  ///< largest change of a logarithm in a step
constexpr int kReweightings = 12;
constexpr double kShippedSpread =
    0.1;                          ///< at least: a machine of one's own differs by more than a fit's error
constexpr double kEnough = 1e-3;  ///< relative gain below which a fit has settled

struct Bounds {
  VectorXd low, high, centre, spread;
};

Bounds bounds(const Problem& problem, const hardware::Profile& shipped, Prior prior) {
  const auto n = static_cast<Eigen::Index>(problem.keys.size());
  Bounds b{VectorXd(n), VectorXd(n), VectorXd(n), VectorXd(n)};
  for (Eigen::Index j = 0; j < n; ++j) {
    const hardware::Constant& c = shipped.all().find(problem.keys[static_cast<std::size_t>(j)])->second;
    b.low[j] = exact_log(std::max(c.low, kLeast * c.high));
    b.high[j] = exact_log(c.high);
    b.centre[j] = (b.low[j] + b.high[j]) / 2;
    b.spread[j] = (b.high[j] - b.low[j]) / 2;
    if (prior == Prior::kShipped) {
      b.centre[j] = exact_log(c.value);
      b.spread[j] = std::clamp(c.uncertainty / c.value, kShippedSpread, 3 * kShippedSpread);
    }
  }
  return b;
}

std::string group_of(const Observation& observation) {
  const Row& row = observation.row;
  return row.text("source") + "|" + row.text("model", row.kind()) + "|" + row.text("gpu");
}

VectorXd row_weights(const Problem& problem) {
  std::map<std::string, double> counts;
  for (const std::size_t i : problem.rows) counts[group_of((*problem.observations)[i])] += 1;
  VectorXd weights(static_cast<Eigen::Index>(problem.rows.size()));
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    weights[static_cast<Eigen::Index>(i)] =
        exact_pow(counts[group_of((*problem.observations)[problem.rows[i]])], -0.25);
  return weights;
}

double loss(double residual) {
  return kOutlier * kOutlier * exact_log(1 + residual * residual / (kOutlier * kOutlier));
}

double objective(const std::vector<double>& residuals, const VectorXd& weights, const std::vector<char>& out,
                 const VectorXd& x, const Bounds& b) {
  double sum = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i)
    if (out[i] == 0)
      sum += weights[static_cast<Eigen::Index>(i)] *
             (std::isfinite(residuals[i]) ? loss(residuals[i]) : loss(10.0));
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double z = (x[j] - b.centre[j]) / b.spread[j];
    sum += kScatter * kScatter * z * z;
  }
  return sum;
}

hardware::Profile profile_at(const Problem& problem, hardware::Profile profile, const VectorXd& x) {
  for (std::size_t k = 0; k < problem.keys.size(); ++k) {
    hardware::Constant constant = profile.all().find(problem.keys[k])->second;
    constant.value = std::clamp(exact_exp(x[static_cast<Eigen::Index>(k)]), constant.low, constant.high);
    profile.set(problem.keys[k], std::move(constant));
  }
  return profile;
}

VectorXd logarithms(const Problem& problem, const hardware::Profile& profile) {
  VectorXd x(static_cast<Eigen::Index>(problem.keys.size()));
  for (std::size_t k = 0; k < problem.keys.size(); ++k) {
    const hardware::Constant& c = profile.all().find(problem.keys[k])->second;
    x[static_cast<Eigen::Index>(k)] = exact_log(std::max(c.value, kLeast * c.high));
  }
  return x;
}

/// Normal equations of the rows that take part, with Cauchy's weights at the linearised residuals.
struct Normal {
  MatrixXd hessian;
  VectorXd gradient;
};

Normal normal_equations(const std::vector<RowSensitivity>& rows, const VectorXd& weights,
                        const std::vector<char>& out, const VectorXd& dx) {
  Normal normal{MatrixXd::Zero(dx.size(), dx.size()), VectorXd::Zero(dx.size())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (out[i] != 0 || !std::isfinite(rows[i].log_ratio)) continue;
    double residual = rows[i].log_ratio;
    for (const auto& [j, d] : rows[i].derivatives) residual += d * dx[j];
    const double robust =
        weights[static_cast<Eigen::Index>(i)] / (1 + residual * residual / (kOutlier * kOutlier));
    for (const auto& [j, d] : rows[i].derivatives) {
      normal.gradient[j] += robust * d * rows[i].log_ratio;
      for (const auto& [k, e] : rows[i].derivatives) normal.hessian(j, k) += robust * d * e;
    }
  }
  return normal;
}

void add_prior(Normal& normal, const VectorXd& x, const Bounds& b) {
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double precision = kScatter * kScatter / (b.spread[j] * b.spread[j]);
    normal.hessian(j, j) += precision;
    normal.gradient[j] += precision * (x[j] - b.centre[j]);
  }
}

/// The step that minimises the linearised objective inside the region and the bounds. A component that a
/// bound or the region stops is fixed there and the others are solved again.
VectorXd solve_step(const std::vector<RowSensitivity>& rows, const VectorXd& weights,
                    const std::vector<char>& out, const VectorXd& x, const Bounds& b, double region) {
  VectorXd dx = VectorXd::Zero(x.size());
  for (int pass = 0; pass < kReweightings; ++pass) {
    Normal normal = normal_equations(rows, weights, out, dx);
    add_prior(normal, x, b);
    std::vector<char> fixed(static_cast<std::size_t>(x.size()));
    VectorXd next = VectorXd::Zero(x.size());
    for (Eigen::Index round = 0; round <= x.size(); ++round) {
      MatrixXd hessian = normal.hessian;
      VectorXd right = -normal.gradient;
      for (Eigen::Index j = 0; j < x.size(); ++j) {
        if (fixed[static_cast<std::size_t>(j)] == 0) continue;
        right -= hessian.col(j) * next[j];
        hessian.row(j).setZero();
        hessian.col(j).setZero();
        hessian(j, j) = 1;
        right[j] = next[j];
      }
      for (Eigen::Index j = 0; j < x.size(); ++j)
        if (fixed[static_cast<std::size_t>(j)] != 0) right[j] = next[j];
      const VectorXd solved = hessian.ldlt().solve(right);
      bool stopped = false;
      for (Eigen::Index j = 0; j < x.size(); ++j) {
        if (fixed[static_cast<std::size_t>(j)] != 0) continue;
        const double least = std::max(b.low[j] - x[j], -region), most = std::min(b.high[j] - x[j], region);
        next[j] = std::clamp(solved[j], std::min(least, most), std::max(least, most));
        if (next[j] != solved[j]) {
          fixed[static_cast<std::size_t>(j)] = 1;
          stopped = true;
        }
      }
      if (!stopped) break;
    }
    const double change = (next - dx).cwiseAbs().maxCoeff();
    dx = next;
    if (change < 1e-4) break;
  }
  return dx;
}

struct Solution {
  VectorXd x;
  std::vector<RowSensitivity> rows;  ///< at the last point derivatives were taken
  double objective = 0, before = 0;
  int steps = 0;
};

Solution minimise(const Problem& problem, const hardware::Profile& start, const Bounds& b,
                  const VectorXd& weights, const std::vector<char>& out, const FitOptions& options,
                  std::vector<RowSensitivity> first = {}) {
  Solution solution;
  solution.x = logarithms(problem, start).cwiseMax(b.low).cwiseMin(b.high);
  double region = kFirstRegion;
  solution.objective =
      objective(log_ratios(problem, profile_at(problem, start, solution.x)), weights, out, solution.x, b);
  solution.before = solution.objective;
  for (int step = 0; step < options.steps; ++step) {
    solution.rows = !first.empty() ? std::move(first)
                                   : sensitivities(problem, profile_at(problem, start, solution.x),
                                                   solution.rows, options.progress);
    first.clear();
    bool better = false;
    const double previous = solution.objective;
    for (int attempt = 0; attempt < 5 && !better; ++attempt) {
      const VectorXd tried = solution.x + solve_step(solution.rows, weights, out, solution.x, b, region);
      const double there =
          objective(log_ratios(problem, profile_at(problem, start, tried)), weights, out, tried, b);
      better = there < solution.objective;
      if (better) {
        solution.x = tried;
        solution.objective = there;
        region = std::min(region * 1.5, 0.7);
      } else {
        region /= 3;
      }
    }
    if (!better) break;
    ++solution.steps;
    if (options.checkpoint) options.checkpoint(profile_at(problem, start, solution.x));
    if (previous - solution.objective < kEnough * previous) break;
  }
  return solution;
}

/// What a constant rests on: sources by their share of its information.
void describe(const Problem& problem, const Solution& solution, const VectorXd& weights, const Bounds& b,
              const std::vector<char>& out, const hardware::Profile& start, Fit& fit) {
  const VectorXd none = VectorXd::Zero(solution.x.size());
  Normal normal = normal_equations(solution.rows, weights, out, none);
  add_prior(normal, solution.x, b);
  const MatrixXd covariance = normal.hessian.inverse();
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < solution.rows.size(); ++i)
    if (std::isfinite(solution.rows[i].log_ratio)) {
      const double r = solution.rows[i].log_ratio, w = weights[static_cast<Eigen::Index>(i)];
      squares += w * std::min(r * r, kOutlier * kOutlier);
      total += w;
    }
  const double variance = total > 0 ? squares / total : kOutlier * kOutlier;
  std::vector<std::map<std::string, double>> information(problem.keys.size());
  std::vector<int> counts(problem.keys.size());
  for (std::size_t i = 0; i < solution.rows.size(); ++i)
    for (const auto& [j, d] : solution.rows[i].derivatives) {
      if (std::fabs(d) < 0.01) continue;
      ++counts[static_cast<std::size_t>(j)];
      information[static_cast<std::size_t>(j)][(*problem.observations)[problem.rows[i]].row.text("source")] +=
          d * d * weights[static_cast<Eigen::Index>(i)];
    }
  for (std::size_t k = 0; k < problem.keys.size(); ++k) {
    const auto j = static_cast<Eigen::Index>(k);
    FittedConstant constant;
    constant.key = problem.keys[k];
    constant.constant = fit.profile.all().find(constant.key)->second;
    constant.constant.uncertainty =
        constant.constant.value * std::sqrt(std::max(0.0, variance * covariance(j, j)));
    constant.before = start.all().find(constant.key)->second.value;
    constant.rows = counts[k];
    constant.at_bound = solution.x[j] <= b.low[j] + 1e-9 || solution.x[j] >= b.high[j] - 1e-9;
    std::vector<std::pair<double, std::string>> sources;
    for (const auto& [source, amount] : information[k]) sources.emplace_back(-amount, source);
    std::sort(sources.begin(), sources.end());
    for (std::size_t s = 0; s < std::min<std::size_t>(3, sources.size()); ++s)
      constant.rests_on.push_back(sources[s].second);
    if (constant.rows > 0) fit.profile.set(constant.key, constant.constant);
    if (constant.rows > 0) fit.constants.push_back(std::move(constant));
  }
}

}  // namespace

Fit fit(const std::vector<Observation>& observations, const config::Library& library,
        const hardware::Profile& start, const FitOptions& options) {
  const Problem problem = make_problem(observations, library, start, options.jobs);
  Fit result;
  result.profile = start;
  if (problem.rows.empty() || problem.keys.empty()) return result;
  const Bounds b = bounds(problem, start, options.prior);
  const VectorXd weights = row_weights(problem);
  const std::vector<char> out(problem.rows.size());
  const Solution solution = minimise(problem, start, b, weights, out, options);
  result.profile = profile_at(problem, start, solution.x);
  result.steps = solution.steps;
  const double rows = static_cast<double>(problem.rows.size());
  result.objective_before = solution.before / rows;
  result.objective = solution.objective / rows;
  describe(problem, solution, weights, b, out, start, result);
  return result;
}

CrossValidation hold_out(const std::vector<Observation>& observations, const config::Library& library,
                         const Fit& fitted, const std::vector<std::vector<std::size_t>>& held_out,
                         const FitOptions& options) {
  const Problem problem = make_problem(observations, library, fitted.profile, options.jobs);
  CrossValidation result;
  result.folds = static_cast<int>(held_out.size());
  result.forecasts.assign(observations.size(), std::numeric_limits<double>::quiet_NaN());
  const Bounds b = bounds(problem, fitted.profile, options.prior);
  const VectorXd weights = row_weights(problem);
  const std::vector<RowSensitivity> at_start = sensitivities(problem, fitted.profile, {}, options.progress);
  std::map<std::size_t, std::size_t> position;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) position[problem.rows[i]] = i;
  for (const std::vector<std::size_t>& part : held_out) {
    std::vector<char> out(problem.rows.size());
    for (const std::size_t i : part)
      if (const auto found = position.find(i); found != position.end()) out[found->second] = 1;
    const Solution solution = minimise(problem, fitted.profile, b, weights, out, options, at_start);
    const hardware::Profile profile = profile_at(problem, fitted.profile, solution.x);
    for (const std::size_t i : part) {
      if (position.find(i) == position.end()) continue;
      const Prediction prediction = predict(observations[i], library, profile, false);
      if (!prediction.reason.empty()) continue;
      const Row& row = observations[i].row;
      result.forecasts[i] = prediction.value;
      const double ratio = row.measured() / prediction.value;
      result.residuals.push_back(
          {comparable_by(observations[i], library), row.is_time() ? ratio : 1 / ratio});
    }
  }
  return result;
}

CrossValidation cross_validate(const std::vector<Observation>& observations, const config::Library& library,
                               const Fit& fitted, int folds, const FitOptions& options) {
  // Groups by size, largest first, each to the fold with the fewest rows so far.
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].resolved()) groups[group_of(observations[i])].push_back(i);
  std::vector<const std::vector<std::size_t>*> order;
  for (const auto& [key, members] : groups) order.push_back(&members);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->size() > b->size(); });
  std::vector<std::vector<std::size_t>> parts(static_cast<std::size_t>(folds));
  for (const auto* group : order) {
    auto& least = *std::min_element(parts.begin(), parts.end(),
                                    [](const auto& a, const auto& b) { return a.size() < b.size(); });
    least.insert(least.end(), group->begin(), group->end());
  }
  return hold_out(observations, library, fitted, parts, options);
}

}  // namespace rigcast::study
