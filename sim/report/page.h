#pragma once

/// A page of text that never grows beyond 80 columns and 40 lines.

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "report/words.h"

namespace rigcast::report {

inline constexpr std::size_t kPageColumns = 80, kPageLines = 40;

class Page {
 public:
  explicit Page(Ink ink) : ink_(ink) {}

  const Ink& ink() const { return ink_; }
  std::size_t lines_left() const { return kPageLines - lines_.size(); }

  void blank() { lines_.emplace_back(); }
  /// Cut to the page's width.
  void line(std::string_view text) { lines_.push_back(cut(text, kPageColumns)); }
  void heading(std::string_view text) { lines_.push_back(ink_.bold(cut(text, kPageColumns))); }
  /// "  Label       text", the text wrapped under itself.
  void field(std::string_view label, std::string_view text);
  /// A line that already fits and carries escapes.
  void painted(std::string text) { lines_.push_back(std::move(text)); }
  /// A bulleted list that takes at most `limit` lines and says how many entries it left out.
  void bullets(const std::vector<std::string>& entries, std::size_t limit);

  void print(std::ostream& out) const;

 private:
  Ink ink_;
  std::vector<std::string> lines_;
};

}  // namespace rigcast::report
