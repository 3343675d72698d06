#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rigcast {

int edit_distance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the usual table; the oldest is needed for transpositions only.
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const int limit = std::max(1, static_cast<int>(word.size()) / 3);
  int best_distance = limit + 1;
  std::string_view best;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? std::string() : "did you mean \"" + best + "\"?";
}

namespace {

/// `digits` significant digits of a value in [1, 1000), without exponent.
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

}  // namespace

std::string si(double value, std::string_view unit) {
  if (std::isnan(value)) return "unknown";
  if (std::isinf(value)) return "unlimited";
  if (value == 0) return fmt::format("0 {}", unit);
  static constexpr const char* kPrefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  int prefix = 4;
  double magnitude = std::fabs(value);
  while (magnitude >= 999.5 && prefix < 10) magnitude /= 1000, ++prefix;
  while (magnitude < 0.9995 && prefix > 0) magnitude *= 1000, --prefix;
  return fmt::format("{}{} {}{}", value < 0 ? "-" : "", three_digits(magnitude), kPrefixes[prefix], unit);
}

std::string binary_bytes(double bytes) {
  static constexpr const char* kPrefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  int prefix = 0;
  while (bytes >= 1023.5 && prefix < 5) bytes /= 1024, ++prefix;
  return fmt::format("{} {}B", bytes == 0 ? "0" : three_digits(bytes), kPrefixes[prefix]);
}

}  // namespace rigcast
