/// Rows are resolved and forecast one by one, in parallel; every number of the tables is then read off the
/// list of scored rows in input order, so it does not depend on the threads.

#include "study/validate.h"

#include <algorithm>
#include <cmath>

#include "study/interval.h"
#include "study/parallel.h"
#include "study/quantile.h"

namespace rigcast::study {
namespace {

Scored score_one(const Observation& observation, const config::Library& library) {
  Scored scored;
  scored.id = observation.row.id();
  scored.metric = observation.row.metric();
  scored.measured = observation.row.measured();
  scored.unsupported = observation.unsupported;
  scored.what = comparable_by(observation, library);
  Prediction prediction = predict(observation, library, library.catalogue.profile, true);
  scored.reason = std::move(prediction.reason);
  if (!scored.reason.empty()) return scored;
  scored.forecast = prediction.value;
  scored.bottleneck = std::move(prediction.bottleneck);
  const Spread spread = interval(library.catalogue.residuals, scored.what);
  // Residuals are of measured over forecast time.
  const bool time = observation.row.is_time();
  const double low = prediction.value * (time ? spread.low : 1 / spread.high);
  const double high = prediction.value * (time ? spread.high : 1 / spread.low);
  scored.interval = {low, high};
  if (prediction.peak_memory_bytes > 0) {
    scored.measured_memory = observation.row.number("peak_memory_bytes");
    if (scored.measured_memory) scored.forecast_memory = prediction.peak_memory_bytes;
  }
  return scored;
}

PairSummary score_pairs(const std::vector<Scored>& rows, const std::vector<Observation>& observations,
                        const std::vector<Pair>& pairs) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < rows.size(); ++i) index.emplace(rows[i].id, i);
  PairSummary summary;
  summary.total = static_cast<int>(pairs.size());
  const auto throughput = [&](std::size_t i) {
    const Observation& observation = observations[i];
    const double value = *rows[i].forecast;
    if (!observation.row.is_time()) return value;
    const double samples = observation.scenario != nullptr ? observation.scenario->plan.global_batch : 1;
    return samples / value;
  };
  int clear = 0, same = 0;
  std::vector<double> errors;
  for (const Pair& pair : pairs) {
    const auto a = index.find(pair.a), b = index.find(pair.b);
    if (a == index.end() || b == index.end()) continue;
    if (!rows[a->second].forecast || !rows[b->second].forecast) continue;
    ScoredPair scored{pair, throughput(b->second) / throughput(a->second)};
    ++summary.n;
    errors.push_back(scored.error());
    if (pair.ratio > 1.1 || pair.ratio < 1 / 1.1) {
      ++clear;
      if ((pair.ratio > 1) == (scored.forecast > 1)) ++same;
    }
    summary.by_effect[pair.effect].push_back(std::move(scored));
  }
  if (clear > 0) summary.same_winner = static_cast<double>(same) / clear;
  for (const double error : errors) summary.mean += error / static_cast<double>(errors.size());
  std::sort(errors.begin(), errors.end());
  summary.median = quantile(errors, 0.5);
  summary.p90 = quantile(errors, 0.9);
  return summary;
}

}  // namespace

std::string field_of(const Scored& scored, const Row& row, const std::string& field) {
  if (field == "family") return scored.what.family;
  if (field == "architecture") return scored.what.architecture;
  const config::Value* member = row.find(field);
  if (field == "framework" && member != nullptr) member = member->find("name");
  if (field == "model" && row.is_micro()) return row.text("op", row.kind());
  if (member == nullptr) return "-";
  if (member->is(config::JsonKind::kText)) return member->text;
  std::string text = config::dump(*member);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void replace_forecasts(std::vector<Scored>& rows, const std::vector<double>& forecasts,
                       const std::string& reason) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Scored& row = rows[i];
    if (!row.forecast) continue;
    if (!std::isfinite(forecasts[i])) {
      row.forecast.reset();
      row.interval.reset();
      row.reason = reason;
      continue;
    }
    const double moved = forecasts[i] / *row.forecast;
    row.forecast = forecasts[i];
    if (row.interval) row.interval = {row.interval->first * moved, row.interval->second * moved};
  }
}

double Scored::error() const { return std::fabs(ratio() - 1); }
double ScoredPair::error() const { return std::fabs(forecast / pair.ratio - 1); }

ErrorSummary summarise(const std::vector<const Scored*>& rows) {
  ErrorSummary summary;
  std::vector<double> errors, signed_errors;
  int inside = 0, intervals = 0;
  for (const Scored* row : rows) {
    if (!row->forecast) continue;
    errors.push_back(row->error());
    signed_errors.push_back(row->ratio() - 1);
    if (!row->interval) continue;
    ++intervals;
    if (row->measured >= row->interval->first && row->measured <= row->interval->second) ++inside;
  }
  summary.n = static_cast<int>(errors.size());
  for (const double error : errors) summary.mean += error / static_cast<double>(errors.size());
  std::sort(errors.begin(), errors.end());
  std::sort(signed_errors.begin(), signed_errors.end());
  summary.median = quantile(errors, 0.5);
  summary.p90 = quantile(errors, 0.9);
  summary.bias = quantile(signed_errors, 0.5);
  if (intervals > 0) summary.interval_coverage = static_cast<double>(inside) / intervals;
  return summary;
}

std::vector<const Scored*> worst(const std::vector<Scored>& rows, std::size_t most) {
  std::vector<const Scored*> list;
  for (const Scored& row : rows)
    if (row.forecast) list.push_back(&row);
  std::stable_sort(list.begin(), list.end(),
                   [](const Scored* a, const Scored* b) { return a->error() > b->error(); });
  list.resize(std::min(list.size(), most));
  return list;
}

std::vector<Pair> read_pairs(const config::Source& file, Diagnostics& diagnostics) {
  std::vector<Pair> pairs;
  std::string_view rest = file.text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const auto value = config::try_parse_json(line, file.path);
    const config::Value* ratio = value ? value->find("ratio") : nullptr;
    const config::Value* a = value ? value->find("a") : nullptr;
    const config::Value* b = value ? value->find("b") : nullptr;
    if (ratio == nullptr || a == nullptr || b == nullptr || !(ratio->number > 0)) {
      diagnostics.error({file.path, number, 1, {}},
                        "expected a pair: an object with \"a\", \"b\" and \"ratio\"");
      continue;
    }
    const config::Value* id = value->find("id");
    const config::Value* effect = value->find("effect");
    pairs.push_back({id != nullptr ? id->text : "", effect != nullptr ? effect->text : "", a->text, b->text,
                     ratio->number});
  }
  return pairs;
}

std::vector<Observation> observe_all(std::vector<Row> rows, const config::Library& library,
                                     const ValidateOptions& options) {
  std::vector<std::optional<Observation>> slots(rows.size());
  for_each_item(rows.size(), options.jobs,
                [&](std::size_t i) { slots[i].emplace(observe(std::move(rows[i]), library)); });
  std::vector<Observation> observations;
  observations.reserve(slots.size());
  for (auto& slot : slots) observations.push_back(*std::move(slot));
  return observations;
}

std::vector<Scored> score(const std::vector<Observation>& observations, const config::Library& library,
                          const ValidateOptions& options) {
  std::vector<Scored> rows(observations.size());
  std::atomic<std::size_t> done{0};
  for_each_item(observations.size(), options.jobs, [&](std::size_t i) {
    rows[i] = score_one(observations[i], library);
    const std::size_t now = ++done;
    if (options.progress) options.progress(now, observations.size());
  });
  return rows;
}

Validation tabulate(std::vector<Scored> rows, const std::vector<Observation>& observations,
                    const std::vector<Pair>& pairs, const ValidateOptions& options) {
  Validation validation;
  validation.rows = std::move(rows);
  std::vector<const Scored*> all;
  std::vector<double> memory;
  for (const Scored& row : validation.rows) {
    all.push_back(&row);
    if (row.unsupported) ++validation.unsupported;
    if (row.forecast_memory) memory.push_back(std::fabs(*row.forecast_memory / *row.measured_memory - 1));
  }
  validation.all = summarise(all);
  for (const std::string& field : options.by) {
    std::map<std::string, std::vector<const Scored*>> groups;
    for (std::size_t i = 0; i < validation.rows.size(); ++i)
      if (validation.rows[i].forecast)
        groups[field_of(validation.rows[i], observations[i].row, field)].push_back(&validation.rows[i]);
    std::vector<std::pair<std::string, ErrorSummary>> table;
    for (const auto& [value, members] : groups) table.emplace_back(value, summarise(members));
    std::stable_sort(table.begin(), table.end(),
                     [](const auto& a, const auto& b) { return a.second.n > b.second.n; });
    validation.by.emplace_back(field, std::move(table));
  }
  if (!pairs.empty()) validation.pairs = score_pairs(validation.rows, observations, pairs);
  validation.memory_rows = static_cast<int>(memory.size());
  std::sort(memory.begin(), memory.end());
  validation.memory_median = quantile(memory, 0.5);
  return validation;
}

}  // namespace rigcast::study
