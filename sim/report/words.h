#pragma once

/// Plain words for people who never read the interface's closed lists, and how their numbers are written.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "task/kind.h"

namespace rigcast::report {

/// What a bottleneck kind is, at most 30 columns: "GPU memory bandwidth". `decode` decides what preparing
/// samples means.
std::string_view words(task::Kind kind, plan::Decode decode = plan::Decode::kNone);

/// What doubling a kind means: "twice the GPU memory bandwidth".
std::string_view doubled_words(task::Kind kind);

/// Three significant digits and thousands separators: "14,400", "0.48".
std::string number(double value);

/// A whole number in full, "1,281,167"; others as `number`.
std::string count(double value);

/// As `count` below a million, else with a prefix: "25.6 M".
std::string large_count(double value);

/// "61.0 %" of a fraction.
std::string percent(double fraction);

/// Fractions of a whole as tenths of a percent that add up to exactly 1000 when the fractions add up to 1
/// (largest remainders; ties to the earlier one).
std::vector<int> tenths_of_percent(const std::vector<double>& fractions);

/// Columns a text takes: code points, not bytes.
std::size_t columns(std::string_view text);
/// Padded with spaces, or cut with "..." to exactly `width` columns.
std::string fit(std::string_view text, std::size_t width);
/// As `fit`, but a shorter text stays as it is.
std::string cut(std::string_view text, std::size_t width);
/// Lines of at most `width` columns, broken at spaces where there are any.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// ANSI escapes, or nothing. Apply after padding: escapes take no columns.
struct Ink {
  bool on = false;
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string good(std::string_view text) const { return paint("32", text); }
  std::string bad(std::string_view text) const { return paint("1;31", text); }
  std::string bar(std::string_view text) const { return paint("36", text); }

 private:
  std::string paint(const char* code, std::string_view text) const;
};

}  // namespace rigcast::report
