#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/list.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

const Fact* find(const Facts& facts, const std::string& key) {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.key == key; });
  return found == facts.end() ? nullptr : &*found;
}

constexpr std::size_t kTextColumns = 42;  ///< longer texts are cut; `show` and JSON have them whole

/// Numbers line up at the right, texts at the left.
void print_table(std::ostream& out, const Listing& listing) {
  std::vector<std::string> keys = {"name"};
  keys.insert(keys.end(), listing.columns.begin(), listing.columns.end());
  std::vector<std::vector<std::string>> cells(listing.rows.size() + 1);
  std::vector<std::size_t> widths;
  std::vector<bool> numeric;
  for (const std::string& key : keys) {
    const Fact* label = listing.rows.empty() ? nullptr : find(listing.rows[0], key);
    cells[0].push_back(label != nullptr ? label->label : key);
    widths.push_back(columns(cells[0].back()));
    numeric.push_back(false);
    for (std::size_t row = 0; row < listing.rows.size(); ++row) {
      const Fact* fact = find(listing.rows[row], key);
      cells[row + 1].push_back(fact == nullptr ? "-"
                               : key == "name" ? text_of(*fact)
                                               : cut(text_of(*fact), kTextColumns));
      widths.back() = std::max(widths.back(), columns(cells[row + 1].back()));
      if (fact != nullptr && std::holds_alternative<double>(fact->value)) numeric.back() = true;
    }
  }
  for (const std::vector<std::string>& row : cells) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - columns(row[i]), ' ');
      line += (i > 0 ? "  " : "") + (numeric[i] ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace

void list_text(std::ostream& out, const std::vector<Listing>& listings) {
  bool first = true;
  for (const Listing& listing : listings) {
    if (listings.size() > 1)
      out << (first ? "" : "\n") << fmt::format("{} ({})\n", listing.kind, listing.rows.size());
    if (!listing.rows.empty()) print_table(out, listing);
    first = false;
  }
}

void facts_text(std::ostream& out, const Facts& facts) {
  std::size_t width = 0;
  for (const Fact& fact : facts) width = std::max(width, columns(fact.label));
  for (const Fact& fact : facts) {
    if (std::holds_alternative<std::monostate>(fact.value)) continue;
    std::string lead = fit(fact.label, width) + "  ";
    for (const std::string& line : wrap(text_of(fact), 100 - width)) {
      out << lead << line << '\n';
      lead.assign(width + 2, ' ');
    }
  }
}

}  // namespace rigcast::report
