#pragma once

/// Text helpers shared by error messages and reports.

#include <span>
#include <string>
#include <string_view>

namespace rigcast {

/// Levenshtein distance with adjacent transposition as one edit. O(|a| |b|).
int edit_distance(std::string_view a, std::string_view b);

/// ASCII letters in lower case, everything else as it is.
std::string lower_case(std::string text);

/// The candidate nearest to `word`, or "" when none is near enough to be meant (distance at most a third of
/// the word's length, at least 1). Ties go to the earlier candidate.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "did you mean \"x\"?", or "" when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// Three significant digits with an SI prefix and a unit: "12.3 GB/s", "1.21 ms", "0 B". Negative values keep
/// their sign; NaN and infinity read "unknown" and "unlimited".
std::string si(double value, std::string_view unit);

/// Bytes with binary prefixes, as memory sizes are read: "16.0 GiB".
std::string binary_bytes(double bytes);

}  // namespace rigcast
