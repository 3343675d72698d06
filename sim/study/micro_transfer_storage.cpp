/// Storage: the catalogue's device that shares most with the row's text, read or written the way the row
/// says. What the drives can do together is cost::access_rate, which training forecasts read their data sets
/// by.

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "cost/input.h"
#include "study/micro_transfer.h"

namespace rigcast::study {
namespace {

/// Runs of letters and digits; "RAID-10" is one.
std::set<std::string> words(const std::string& text) {
  std::set<std::string> found;
  std::string word;
  const std::string lower = lower_case(text) + " ";
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = lower[i];
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else if (!word.empty()) {
      found.insert(word);
      // "nfs4" is an nfs.
      if (word.size() > 2 && word.back() >= '0' && word.back() <= '9')
        found.insert(word.substr(0, word.size() - 1));
      if (word == "raid" && c == '-') continue;
      word.clear();
    }
  }
  return found;
}

bool has_digit(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A model number says more than a class of devices.
double likeness(const std::set<std::string>& asked, const hardware::StoragePart& part) {
  std::string all = part.name + " " + part.kind + " ";
  all += part.id;
  double score = 0;
  for (const std::string& word : words(all))
    if (asked.contains(word)) score += has_digit(word) && word.size() > 2 ? 4 : 1;
  if (part.kind == "raid")
    score += std::any_of(asked.begin(), asked.end(),
                         [](const std::string& word) { return word.starts_with("raid"); })
                 ? 1
                 : -2;
  return score;
}

/// The middle one, by what it does at random, of those equally alike.
const hardware::StoragePart* nearest(const hardware::Catalogue& catalogue, const std::string& text) {
  const std::set<std::string> asked = words(text);
  std::vector<const hardware::StoragePart*> best;
  double most = 1;
  for (const auto& [id, part] : catalogue.storage) {
    const double score = likeness(asked, part);
    if (score > most) best.clear();
    if (score >= most) best.push_back(&part);
    most = std::max(most, score);
  }
  if (best.empty()) return nullptr;
  std::stable_sort(best.begin(), best.end(),
                   [](const auto* a, const auto* b) { return a->random_read_iops < b->random_read_iops; });
  return best[best.size() / 2];
}

/// "4k", "1M"; 0 when absent.
double block_of(const std::string& text) {
  if (text.empty()) return 0;
  const double number = std::strtod(text.c_str(), nullptr);
  switch (text.back()) {
    case 'k':
    case 'K':
      return number * 1024;
    case 'm':
    case 'M':
      return number * 1024 * 1024;
    default:
      return number;
  }
}

/// Requests under way; a benchmark that says nothing but its name keeps the device busy, a plain copy waits.
double outstanding(const TransferRow& row) {
  const std::string both = row.row.text("jobs_x_depth");
  if (const std::size_t x = both.find('x'); x != std::string::npos)
    return std::strtod(both.c_str(), nullptr) * std::strtod(both.c_str() + x + 1, nullptr);
  const auto depth = row.row.number("queue_depth"), jobs = row.row.number("jobs");
  if (depth || jobs) return depth.value_or(1) * jobs.value_or(1);
  if (const auto workers = row.row.number("workers")) return *workers;
  return row.row.find("tool") != nullptr && !row.says("tool", "hdparm") ? 256 : 1;
}

/// "over 1 GbE": what that wire lets through.
double wire_rate(const std::string& device) {
  const std::size_t unit = device.find("gbe");
  if (unit == std::string::npos) return std::numeric_limits<double>::infinity();
  std::size_t begin = unit;
  while (begin > 0 &&
         (device[begin - 1] == ' ' || std::isdigit(static_cast<unsigned char>(device[begin - 1])) != 0))
    --begin;
  const double gigabits = std::strtod(device.c_str() + begin, nullptr);
  constexpr double kPayload = 0.94;  // of an Ethernet frame
  return gigabits > 0 ? gigabits * 1e9 / 8 * kPayload : std::numeric_limits<double>::infinity();
}

/// "PCIe3 x1": what those lanes let through.
double slot_rate(const std::string& device, const TransferRow& row) {
  const std::size_t pcie = device.find("pcie"), x = device.find(" x", pcie);
  if (pcie == std::string::npos || x == std::string::npos || pcie + 4 >= device.size())
    return std::numeric_limits<double>::infinity();
  const auto kind = row.library.catalogue.links.find("pcie" + device.substr(pcie + 4, 1));
  const double lanes = std::strtod(device.c_str() + x + 2, nullptr);
  if (kind == row.library.catalogue.links.end() || !(lanes > 0))
    return std::numeric_limits<double>::infinity();
  return kind->second.achievable.value * lanes;
}

}  // namespace

MicroForecast storage_row(const TransferRow& row) {
  const hardware::StoragePart* part = nearest(row.library.catalogue, row.row.text("device"));
  if (part == nullptr)
    return no_forecast("no storage of the catalogue is like \"" + row.row.text("device") + "\"");
  cost::Access access;
  const double block = block_of(row.row.text("block"));
  access.random = row.says("op", "random");
  access.write = row.says("op", "write");
  access.block = {block > 0 ? block : access.random ? 4096.0 : 1048576.0};
  access.outstanding = outstanding(row);
  access.sustained = row.says("phase", "after");
  double rate = cost::access_rate(*part, access).value;
  if (row.says("op", "mixed")) {
    access.write = true;
    const double written = cost::access_rate(*part, access).value;
    rate = 2 / (1 / rate + 1 / written) * row.profile.value("storage", "default", "mixed");
  }
  const std::string device = lower_case(row.row.text("device"));
  MicroForecast forecast;
  forecast.bottleneck = "storage";
  forecast.value = std::min({rate, slot_rate(device, row), wire_rate(device)});
  if (row.row.is_time()) forecast.value = access.block.value / forecast.value;
  return forecast;
}

}  // namespace rigcast::study
