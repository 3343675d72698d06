/// Quantiles of measured / forecast among comparable rows. Groups are nested: (family, architecture, scale),
/// (family, scale), (scale), all. The most specific one with enough members is taken; since the quantiles of
/// few members are themselves uncertain, each is moved outwards, in logarithms, by kWidening / n of its
/// distance from 1, and never lies inside kNarrowest.

#include "study/interval.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/math.h"
#include "base/text.h"
#include "study/quantile.h"

namespace rigcast::study {
namespace {

constexpr int kEnough = 16;      ///< members of a group that may speak for itself
constexpr double kWidening = 3;  ///< of a group of n: by 1 + kWidening / n
constexpr double kNarrowest = 0.02;

std::string words(const hardware::ResidualGroup& group) {
  std::string text = std::to_string(group.n) + " measurements: ";
  text += group.family.empty() ? "all networks" : group.family;
  if (!group.architecture.empty()) text += " on " + group.architecture;
  if (group.scale == "one") text += ", one GPU";
  if (group.scale == "node") text += ", several GPUs of one machine";
  if (group.scale == "nodes") text += ", several machines";
  return text;
}

}  // namespace

std::string Comparable::scale() const {
  if (nodes > 1) return "nodes";
  return gpus > 1 ? "node" : "one";
}

Comparable comparable_by(const plan::Scenario& scenario) {
  const auto gpus = scenario.machine.all(hardware::DeviceType::kGpu);
  return {scenario.network.family, lower_case(scenario.machine.device(gpus.front()).gpu().architecture),
          scenario.plan.gpus, scenario.plan.nodes};
}

Spread interval(const std::vector<hardware::ResidualGroup>& groups, const Comparable& what) {
  const std::string scale = what.scale();
  const hardware::ResidualGroup* best = nullptr;
  int best_level = -1;
  for (const hardware::ResidualGroup& group : groups) {
    if (!group.family.empty() && group.family != what.family) continue;
    if (!group.architecture.empty() && group.architecture != what.architecture) continue;
    if (!group.scale.empty() && group.scale != scale) continue;
    const int level =
        (group.family.empty() ? 0 : 4) + (group.scale.empty() ? 0 : 2) + (group.architecture.empty() ? 0 : 1);
    if (level > best_level) {
      best_level = level;
      best = &group;
    }
  }
  if (best == nullptr) return {0.7, 1.4, "no measurements: a guess"};
  const double wider = 1 + kWidening / best->n;
  const double low = std::min(exact_log(best->low) * wider, -kNarrowest);
  const double high = std::max(exact_log(best->high) * wider, kNarrowest);
  return {exact_exp(low), exact_exp(high), words(*best)};
}

std::vector<hardware::ResidualGroup> group_residuals(const std::vector<Residual>& residuals) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, std::vector<double>> ratios;
  for (const Residual& residual : residuals) {
    const Comparable& t = residual.what;
    const std::string scale = t.scale();
    for (const Key& key : {Key{t.family, t.architecture, scale}, Key{t.family, "", scale},
                           Key{t.family, "", ""}, Key{"", "", scale}, Key{"", "", ""}})
      ratios[key].push_back(residual.ratio);
  }
  std::vector<hardware::ResidualGroup> groups;
  for (auto& [key, values] : ratios) {
    if (static_cast<int>(values.size()) < kEnough) continue;
    std::sort(values.begin(), values.end());
    const auto& [family, architecture, scale] = key;
    groups.push_back({family, architecture, scale, static_cast<int>(values.size()), quantile(values, 0.1),
                      quantile(values, 0.9)});
  }
  return groups;
}

}  // namespace rigcast::study
