#include <fmt/format.h>

#include <algorithm>

#include "config/parts.h"

namespace rigcast::config {

namespace {

/// Reads one array of parts into its table. `describe` is found by the type of the part.
template <class Part>
void read_table(Fields& f, std::string_view name, std::string_view meaning,
                hardware::PartTable<Part>& table) {
  std::vector<Part> parts;
  f.list({name, Need::kOptional, meaning}, parts,
         [](Fields& inner, Part& part) { describe(inner, part, Form::kCatalogue); });
  for (Part& part : parts)
    if (!part.id.empty()) {
      std::string id = part.id;
      table.insert_or_assign(std::move(id), std::move(part));
    }
}

void read_constants(const Cursor& cursor, hardware::Profile& profile, Diagnostics& diagnostics) {
  if (!expect(cursor, JsonKind::kObject, diagnostics)) return;
  for (const JsonMember& member : cursor.value->members) {
    const Cursor at = cursor.member(member);
    if (std::count(member.key.begin(), member.key.end(), '.') < 2) {
      diagnostics.error(
          at.origin(),
          fmt::format("\"{}\" is no name of a constant: expected GROUP.MEMBER.NAME", member.key));
      continue;
    }
    hardware::Constant constant;
    bool complete = false;
    read_object(at, diagnostics, [&](Fields& f) {
      std::optional<double> value;
      f.number({"value", Need::kRequired, "in the unit"}, value, {Dimension::kNumber, -1e300, false, false});
      f.text({"unit", Need::kOptional, "absent for fractions"}, constant.unit);
      f.text({"source", Need::kRequired, "a publication, or the rows it was fitted on"}, constant.source);
      f.number({"uncertainty", Need::kOptional, "one standard deviation"}, constant.uncertainty,
               kNotNegative);
      const NumberRule any{Dimension::kNumber, -1e300, false, false};
      f.number({"low", Need::kOptional, "with high: bounds between which a fit may move it"}, constant.low,
               any);
      f.number({"high", Need::kOptional, "with low: bounds between which a fit may move it"}, constant.high,
               any);
      f.remark({"note", Need::kOptional, "a remark"});
      complete = value.has_value();
      constant.value = value.value_or(0);
    });
    if (complete) profile.set(member.key, std::move(constant));
  }
}

void describe_date(Fields& f, std::string& date, Need need) {
  std::string found;
  f.text({"date", need, "YYYY-MM-DD"}, found);
  const bool iso =
      found.size() == 10 && found[4] == '-' && found[7] == '-' &&
      std::all_of(found.begin(), found.end(), [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
  if (!found.empty() && !iso)
    f.error("date", fmt::format("\"{}\" is not a date: expected YYYY-MM-DD", found), {});
  if (iso) date = std::max(date, found);
}

void describe_residuals(Fields& f, hardware::ResidualGroup& group) {
  f.text({"family", Need::kOptional, "of networks, or a kind of operation; absent: all"}, group.family);
  f.text({"architecture", Need::kOptional, "of GPUs; absent: all"}, group.architecture);
  f.text({"scale", Need::kOptional, "one, node or nodes; absent: all"}, group.scale);
  f.number({"n", Need::kRequired, "measurements"}, group.n, kWhole);
  f.number({"low", Need::kRequired, "measured over forecast time, 10 % quantile"}, group.low, kPositive);
  f.number({"high", Need::kRequired, "measured over forecast time, 90 % quantile"}, group.high, kPositive);
}

Fields::Custom constants_hook(hardware::Profile& profile) {
  return {[&profile](const Cursor& cursor, Diagnostics& diagnostics) {
            read_constants(cursor, profile, diagnostics);
          },
          []() -> std::optional<Value> { return std::nullopt; }, [] { return make_object(); }};
}

}  // namespace

void read_parts(std::string_view text, const std::string& file, hardware::Catalogue& catalogue,
                Diagnostics& diagnostics) {
  const std::optional<Value> document = parse_json(text, file, diagnostics);
  if (!document) return;
  const Cursor root{&*document, nullptr, {}, 0, {}};
  read_object(root, diagnostics, [&](Fields& f) {
    describe_date(f, catalogue.date, Need::kOptional);
    f.remark({"title", Need::kOptional, "one line for people"});
    f.remark({"notes", Need::kOptional, "remarks"});
    read_table(f, "gpus", "GPUs", catalogue.gpus);
    read_table(f, "cpus", "CPUs", catalogue.cpus);
    read_table(f, "links", "kinds of link", catalogue.links);
    read_table(f, "storage", "storage devices", catalogue.storage);
    read_table(f, "switches", "what only forwards", catalogue.switches);
    f.list({"residuals", Need::kOptional, "spread of measurements around forecasts"}, catalogue.residuals,
           describe_residuals);
    f.custom({"constants", Need::kOptional, "fitted constants"}, constants_hook(catalogue.profile));
  });
}

void read_profile(std::string_view text, const std::string& file, hardware::Catalogue& catalogue,
                  Diagnostics& diagnostics) {
  const std::optional<Value> document = parse_json(text, file, diagnostics);
  if (!document) return;
  const Cursor root{&*document, nullptr, {}, 0, {}};
  std::vector<hardware::ResidualGroup> read;
  read_object(root, diagnostics, [&](Fields& f) {
    describe_date(f, catalogue.profile.date, Need::kOptional);
    f.remark({"title", Need::kOptional, "one line for people"});
    f.remark({"notes", Need::kOptional, "remarks"});
    f.list({"residuals", Need::kOptional, "spread of measurements around forecasts; absent: the shipped one"},
           read, describe_residuals);
    f.custom({"constants", Need::kRequired, "GROUP.MEMBER.NAME -> value, unit, source, uncertainty"},
             constants_hook(catalogue.profile));
  });
  if (!read.empty()) catalogue.residuals = std::move(read);
}

}  // namespace rigcast::config
