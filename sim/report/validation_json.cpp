#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/json.h"
#include "report/validation.h"

namespace rigcast::report {
namespace {

using study::ErrorSummary;
using study::Scored;
using study::Validation;

constexpr std::size_t kMostWorst = 20;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json summary_json(const ErrorSummary& s) {
  Json json = Json::object();
  json["rows"] = s.n;
  json["mape"] = s.mean;
  json["median_ape"] = s.median;
  json["p90_ape"] = s.p90;
  json["bias"] = s.bias;
  json["interval_coverage"] = or_null(s.interval_coverage);
  return json;
}

Json row_json(const Scored& row) {
  Json json = Json::object();
  json["id"] = row.id;
  json["measured"] = row.measured;
  json["forecast"] = or_null(row.forecast);
  json["ratio"] = row.forecast ? Json(row.ratio()) : Json();
  json["unit"] = row.metric;
  json["low"] = row.interval ? Json(row.interval->first) : Json();
  json["high"] = row.interval ? Json(row.interval->second) : Json();
  json["bottleneck"] = row.bottleneck.empty() ? Json() : Json(row.bottleneck);
  if (!row.forecast) json["reason"] = row.reason;
  return json;
}

Json worst_json(const Validation& v) {
  Json list = Json::array();
  for (const Scored* row : study::worst(v.rows, kMostWorst)) list.push_back(row_json(*row));
  return list;
}

Json pairs_json(const study::PairSummary& p) {
  Json json = Json::object();
  json["n"] = p.n;
  json["total"] = p.total;
  json["same_winner"] = or_null(p.same_winner);
  json["median"] = p.median;
  json["mean"] = p.mean;
  json["p90"] = p.p90;
  return json;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

void validation_json(std::ostream& out, const Validation& v) {
  Json json = Json::object();
  json["rows"] = v.rows.size();
  json["resolved"] = v.all.n;
  json["unresolved"] = Json::array();
  for (const Scored& row : v.rows)
    if (!row.forecast) json["unresolved"].push_back(Json{{"id", row.id}, {"reason", row.reason}});
  json["mape"] = v.all.mean;
  json["median_ape"] = v.all.median;
  json["p90_ape"] = v.all.p90;
  json["bias"] = v.all.bias;
  json["interval_coverage"] = or_null(v.all.interval_coverage);
  json["unsupported"] = v.unsupported;
  json["by"] = Json::object();
  for (const auto& [field, table] : v.by)
    for (const auto& [value, summary] : table) json["by"][field][value] = summary_json(summary);
  json["worst"] = worst_json(v);
  json["pairs"] = v.pairs ? pairs_json(*v.pairs) : Json();
  json["memory"] = Json::object();
  json["memory"]["n"] = v.memory_rows;
  json["memory"]["median_ape"] = v.memory_rows > 0 ? Json(v.memory_median) : Json();
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void validation_each(std::ostream& out, const Validation& v) {
  for (const Scored& row : v.rows)
    out << row_json(row).dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void validation_csv(std::ostream& out, const Validation& v) {
  out << "id,metric,measured,forecast,ratio,low,high,bottleneck,reason\n";
  for (const Scored& row : v.rows) {
    out << quoted(row.id) << ',' << row.metric << ',' << fmt::format("{}", row.measured) << ',';
    if (row.forecast)
      out << fmt::format("{},{}", *row.forecast, row.ratio());
    else
      out << ',';
    out << ',';
    if (row.interval)
      out << fmt::format("{},{}", row.interval->first, row.interval->second);
    else
      out << ',';
    out << ',' << row.bottleneck << ',' << quoted(row.reason) << '\n';
  }
}

}  // namespace rigcast::report
