#include "report/page.h"

#include <fmt/format.h>

#include <ostream>

namespace rigcast::report {
namespace {

constexpr std::size_t kLabelColumns = 14;

}  // namespace

void Page::field(std::string_view label, std::string_view text) {
  std::string lead = "  " + fit(label, kLabelColumns - 2);
  for (const std::string& part : wrap(text, kPageColumns - kLabelColumns)) {
    lines_.push_back(lead + part);
    lead.assign(kLabelColumns, ' ');
  }
}

void Page::bullets(const std::vector<std::string>& entries, std::size_t limit) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::vector<std::string> parts = wrap(entries[i], kPageColumns - 4);
    const bool last = i + 1 == entries.size();
    if (used + parts.size() + (last ? 0 : 1) > limit) {
      if (used < limit) line(fmt::format("  - and {} more: --format json has them all", entries.size() - i));
      return;
    }
    for (std::size_t k = 0; k < parts.size(); ++k) line((k == 0 ? "  - " : "    ") + parts[k]);
    used += parts.size();
  }
}

void Page::print(std::ostream& out) const {
  for (const std::string& text : lines_) out << text << '\n';
}

}  // namespace rigcast::report
