#include "study/row.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace rigcast::study {
namespace {

void read_json_line(std::string_view line, const std::string& file, int number, std::vector<Row>& rows,
                    Diagnostics& diagnostics) {
  Diagnostics found;
  std::optional<config::Value> value = config::parse_json(line, file, found);
  for (const Diagnostic& entry : found.entries()) {
    Origin origin = entry.origin;
    origin.line = number;
    diagnostics.error(std::move(origin), entry.message, entry.hint);
  }
  if (!value) return;
  const Origin origin{file, number, 1, {}};
  if (!value->is(config::JsonKind::kObject)) {
    diagnostics.error(origin, fmt::format("expected a row as an object, found {}", name(value->kind)));
    return;
  }
  Row row(*std::move(value));
  for (const char* key : {"id", "kind", "metric"})
    if (row.text(key).empty()) diagnostics.error(origin, fmt::format("a row needs a text \"{}\"", key));
  if (!(row.measured() > 0)) diagnostics.error(origin, "a row needs a \"value\" above 0");
  rows.push_back(std::move(row));
}

std::string stem(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

/// Lines "m,n,k,seconds": products of 16-bit matrices.
void read_csv(const config::Source& source, const std::string& gpu, std::vector<Row>& rows,
              Diagnostics& diagnostics) {
  const std::string part = gpu.empty() ? stem(source.path) : gpu;
  std::string_view rest = source.text;
  take_line(rest);
  for (int number = 2; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.empty()) continue;
    double figures[4] = {0, 0, 0, 0};
    const char* at = line.data();
    const char* const end = line.data() + line.size();
    bool good = true;
    for (int i = 0; i < 4; ++i) {
      const auto [next, error] = std::from_chars(at, end, figures[i]);
      good = good && error == std::errc() && figures[i] > 0 &&
             (i == 3 ? next == end : next < end && *next == ',');
      at = next < end ? next + 1 : end;
    }
    if (!good) {
      diagnostics.error({source.path, number, 1, {}}, "expected m,n,k,seconds, four numbers above 0");
      continue;
    }
    config::Value row = config::make_object();
    config::add(row, "id", config::make_text(fmt::format("{}:{}", stem(source.path), number)));
    config::add(row, "source", config::make_text(source.path));
    config::add(row, "kind", config::make_text("gemm"));
    config::add(row, "gpu", config::make_text(part));
    config::add(row, "precision", config::make_text("bf16"));
    config::add(row, "m", config::make_number(figures[0]));
    config::add(row, "n", config::make_number(figures[1]));
    config::add(row, "k", config::make_number(figures[2]));
    config::add(row, "metric", config::make_text("seconds"));
    config::add(row, "value", config::make_number(figures[3]));
    rows.emplace_back(std::move(row));
  }
}

bool is_csv(std::string_view text) { return take_line(text) == "m,n,k,seconds"; }

}  // namespace

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

Row::Row(config::Value value) : value_(std::move(value)) {
  id_ = text("id");
  kind_ = text("kind");
  metric_ = text("metric");
  measured_ = number("value").value_or(0);
}

bool Row::is_time() const { return metric_ == "seconds" || metric_ == "iteration_s"; }

const config::Value* Row::find(std::string_view key) const {
  const config::Value* member = value_.find(key);
  return member == nullptr || member->is(config::JsonKind::kNull) ? nullptr : member;
}

std::string Row::text(std::string_view key, std::string_view fallback) const {
  const config::Value* member = find(key);
  return member != nullptr && member->is(config::JsonKind::kText) ? member->text : std::string(fallback);
}

std::optional<double> Row::number(std::string_view key) const {
  const config::Value* member = find(key);
  if (member == nullptr || !member->is(config::JsonKind::kNumber)) return std::nullopt;
  return member->number;
}

std::optional<bool> Row::flag(std::string_view key) const {
  const config::Value* member = find(key);
  if (member == nullptr || !member->is(config::JsonKind::kBool)) return std::nullopt;
  return member->boolean;
}

std::vector<Row> read_rows(const std::vector<config::Source>& files, const std::string& gpu,
                           Diagnostics& diagnostics) {
  std::vector<Row> rows;
  for (const config::Source& file : files) {
    if (is_csv(file.text)) {
      read_csv(file, gpu, rows, diagnostics);
      continue;
    }
    std::string_view rest = file.text;
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view line = take_line(rest);
      if (line.find_first_not_of(" \t") != std::string_view::npos)
        read_json_line(line, file.path, number, rows, diagnostics);
    }
  }
  return rows;
}

}  // namespace rigcast::study
