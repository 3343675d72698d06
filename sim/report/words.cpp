#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/text.h"

namespace rigcast::report {
namespace {

struct KindWords {
  std::string_view is, doubled;
};

/// In the order of task::Kind.
constexpr std::array<KindWords, task::kKindCount> kWords = {{
    {"tensor cores / matrix units", "twice the tensor-core speed"},
    {"GPU vector arithmetic units", "twice the GPU vector arithmetic speed"},
    {"GPU memory bandwidth", "twice the GPU memory bandwidth"},
    {"kernels too small for the GPU", "half the fixed time of small kernels"},
    {"GPU copy engines", "twice the copy-engine speed"},
    {"CPU thread launching kernels", "kernels launched twice as fast"},
    {"CPU cores preparing samples", "twice the CPU speed at preparing samples"},
    {"CPU cores doing arithmetic", "twice the CPU arithmetic speed"},
    {"main memory (DRAM) bandwidth", "twice the main memory bandwidth"},
    {"PCI Express bandwidth", "twice the PCI Express bandwidth"},
    {"direct links between GPUs", "twice the bandwidth between GPUs"},
    {"link between CPU sockets", "twice the bandwidth between sockets"},
    {"network between nodes", "twice the network bandwidth"},
    {"reading from storage", "twice the storage speed"},
    {"latency of collective steps", "half the latency of collectives"},
    {"idle pipeline stages", "half the idle time of the pipeline"},
    {"waiting for the slowest GPU", "GPUs half as uneven"},
}};

constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Bytes of the first `count` code points.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t i = 0;
  for (; i < text.size(); ++i)
    if (!is_continuation(text[i]) && count-- == 0) break;
  return i;
}

/// "14400" -> "14,400".
std::string separated(std::string digits) {
  for (std::size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

}  // namespace

std::string_view words(task::Kind kind, plan::Decode decode) {
  const bool jpeg = decode == plan::Decode::kJpeg224 || decode == plan::Decode::kJpeg224Distort ||
                    decode == plan::Decode::kJpeg300 || decode == plan::Decode::kJpeg800;
  if (kind == task::Kind::kHostDecode && jpeg) return "JPEG decoding on CPU cores";
  return kWords[static_cast<std::size_t>(kind)].is;
}

std::string_view doubled_words(task::Kind kind) { return kWords[static_cast<std::size_t>(kind)].doubled; }

std::string number(double value) {
  if (!std::isfinite(value)) return "unknown";
  const double magnitude = std::fabs(value);
  if (magnitude < 999.5) {
    const int decimals = magnitude >= 99.95 || magnitude == 0 ? 0 : magnitude >= 9.995 ? 1 : 2;
    if (magnitude >= 0.1 || magnitude == 0) return fmt::format("{:.{}f}", value, decimals);
    return fmt::format("{:.3g}", value);
  }
  double unit = 1;
  while (magnitude / unit >= 999.5) unit *= 10;
  return (value < 0 ? "-" : "") + separated(fmt::format("{:.0f}", std::round(magnitude / unit) * unit));
}

std::string count(double value) {
  if (!(std::fabs(value) < 1e15) || value != std::floor(value)) return number(value);
  return (value < 0 ? "-" : "") + separated(fmt::format("{:.0f}", std::fabs(value)));
}

std::string large_count(double value) {
  if (std::fabs(value) < 1e6) return count(value);
  return si(value, "");
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", fraction * 100); }

std::vector<int> tenths_of_percent(const std::vector<double>& fractions) {
  std::vector<int> result;
  std::vector<std::size_t> order(fractions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double fraction : fractions) result.push_back(static_cast<int>(fraction * 1000));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return fractions[a] * 1000 - result[a] > fractions[b] * 1000 - result[b];
  });
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  int missing = static_cast<int>(std::lround(sum * 1000)) - std::accumulate(result.begin(), result.end(), 0);
  for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing) ++result[order[i]];
  return result;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string cut(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  if (width < 4) return std::string(text.substr(0, bytes_of(text, width)));
  return std::string(text.substr(0, bytes_of(text, width - 3))) + "...";
}

std::string fit(std::string_view text, std::size_t width) {
  std::string result = cut(text, width);
  result.append(width - columns(result), ' ');
  return result;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (columns(text) > width) {
    const std::size_t limit = bytes_of(text, width);
    std::size_t space = text.rfind(' ', limit);
    if (space == std::string_view::npos || space == 0) space = limit;
    lines.emplace_back(text.substr(0, space));
    text.remove_prefix(text[space] == ' ' ? space + 1 : space);
  }
  lines.emplace_back(text);
  return lines;
}

std::string Ink::paint(const char* code, std::string_view text) const {
  return on ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

}  // namespace rigcast::report
