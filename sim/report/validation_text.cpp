#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "report/validation.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

using study::ErrorSummary;
using study::Scored;
using study::Validation;

constexpr std::size_t kLabel = 34;
constexpr std::size_t kMostWorst = 10;

std::string percents(const ErrorSummary& s) {
  return fmt::format("{:>6} {:>7.1f} {:>7.1f} {:>7.1f} {:>+7.1f} {:>8}", s.n, 100 * s.median, 100 * s.mean,
                     100 * s.p90, 100 * s.bias,
                     s.interval_coverage ? fmt::format("{:.0f}", 100 * *s.interval_coverage) : "-");
}

void heading(std::ostream& out, std::string_view label) {
  out << fmt::format("{} {:>6} {:>7} {:>7} {:>7} {:>7} {:>8}\n", fit(label, kLabel), "rows", "median", "mean",
                     "90 %", "bias", "covered");
}

void reasons(std::ostream& out, const Validation& v) {
  std::map<std::string, int> counts;
  for (const Scored& row : v.rows)
    if (!row.forecast) ++counts[row.reason];
  std::vector<std::pair<std::string, int>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (!list.empty()) out << "\nnot forecast\n";
  for (const auto& [reason, count] : list) out << fmt::format("{:>6}  {}\n", count, cut(reason, 72));
}

void worst(std::ostream& out, const Validation& v) {
  const std::vector<const Scored*> rows = study::worst(v.rows, kMostWorst);
  if (rows.empty()) return;
  out << fmt::format("\n{} {:>9} {:>9} {:>6}\n", fit("worst", 52), "measured", "forecast", "ratio");
  for (const Scored* row : rows)
    out << fmt::format("{} {:>9.4g} {:>9.4g} {:>6.2f}\n", fit(row->id, 52), row->measured, *row->forecast,
                       row->ratio());
}

}  // namespace

void validation_text(std::ostream& out, const Validation& v) {
  out << fmt::format("{} measurements, {} forecast, {} of plans that are not built yet\n", v.rows.size(),
                     v.all.n, v.unsupported);
  out << "errors |forecast / measured - 1| in percent; covered: by the 80 % interval\n\n";
  heading(out, "");
  out << fit("all", kLabel) << ' ' << percents(v.all) << '\n';
  for (const auto& [field, table] : v.by) {
    out << '\n';
    heading(out, field);
    for (const auto& [value, summary] : table) out << fit(value, kLabel) << ' ' << percents(summary) << '\n';
  }
  if (v.pairs) {
    const study::PairSummary& p = *v.pairs;
    out << fmt::format(
        "\npairs: {} of {} forecast; same winner {}; ratio off by {:.1f} / {:.1f} / {:.1f} % "
        "(median / mean / 90 %)\n",
        p.n, p.total, p.same_winner ? fmt::format("{:.1f} %", 100 * *p.same_winner) : "-", 100 * p.median,
        100 * p.mean, 100 * p.p90);
    for (const auto& [effect, pairs] : p.by_effect) {
      std::vector<double> errors;
      for (const auto& pair : pairs) errors.push_back(pair.error());
      std::sort(errors.begin(), errors.end());
      out << fmt::format("{} {:>6} {:>7.1f}\n", fit("  " + effect, kLabel), errors.size(),
                         100 * errors[errors.size() / 2]);
    }
  }
  if (v.memory_rows > 0)
    out << fmt::format("\npeak memory: {} rows, median error {:.1f} %\n", v.memory_rows,
                       100 * v.memory_median);
  reasons(out, v);
  worst(out, v);
}

}  // namespace rigcast::report
