#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/compose.h"

// People write CPUs as the operating system prints them: "Intel Xeon Gold 6230 CPU at 2.10GHz", "2x AMD EPYC
// 7502 32-Core", "i7-7700". The text is cut into words; the words give line (Xeon Gold, EPYC, Core, ...),
// generation (a word for it, or the digit of the model number that vendors use for it), cores and clock. A
// part whose model number is in the text is taken as it is. Otherwise the part at the least distance stands
// for it: another line weighs most, then generations apart, then the ratios of cores and clock; what the text
// does state replaces the part's own figure.

namespace rigcast::hardware {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || c == '.' || c == '+') {
      word += static_cast<char>(std::tolower(letter));
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// The number a word starts with; 0 when it starts with none.
double decimal(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

enum class Family {
  kUnknown,
  kXeon,
  kXeonE5,
  kXeonSilver,
  kXeonGold,
  kXeonPlatinum,
  kEpyc,
  kCore,
  kRyzen,
  kThreadripper,
  kArm
};

// How unlike two families are; 0 for the same.
double apart(Family a, Family b) {
  if (a == b) return 0;
  const auto scalable = [](Family f) {
    return f == Family::kXeonSilver || f == Family::kXeonGold || f == Family::kXeonPlatinum;
  };
  const auto xeon = [&](Family f) { return scalable(f) || f == Family::kXeon || f == Family::kXeonE5; };
  if (xeon(a) && xeon(b)) return a == Family::kXeonE5 || b == Family::kXeonE5 ? 2 : 0.3;
  return a == Family::kUnknown || b == Family::kUnknown ? 1 : 20;
}

struct Reading {
  Family family = Family::kUnknown;
  int generation = 0;  ///< year-like: larger is newer, comparable within a family; 0 when not known
  std::optional<int> cores;
  std::optional<double> clock;  ///< Hz
  int sockets = 0;              ///< 0 when not stated
  bool total_cores = false;     ///< `cores` counts all sockets
  Words models;                 ///< words that look like a model number
};

Family family_of(const Words& words) {
  if (has(words, "threadripper") || has(words, "tr")) return Family::kThreadripper;
  if (has(words, "epyc")) return Family::kEpyc;
  if (has(words, "ryzen")) return Family::kRyzen;
  if (has(words, "grace") || has(words, "neoverse") || has(words, "graviton")) return Family::kArm;
  if (has(words, "platinum")) return Family::kXeonPlatinum;
  if (has(words, "gold")) return Family::kXeonGold;
  if (has(words, "silver") || has(words, "bronze")) return Family::kXeonSilver;
  if (has(words, "e5")) return Family::kXeonE5;
  for (const std::string& word : words)
    if (word == "i3" || word == "i5" || word == "i7" || word == "i9" || word == "core") return Family::kCore;
  for (const std::string& word : words) {
    if (!word.starts_with("84") && !word.starts_with("83") && !word.starts_with("85")) continue;
    if (word.size() >= 4 && has_digit(word)) return Family::kXeonPlatinum;  // "Xeon 8480C"
  }
  return has(words, "xeon") || has(words, "intel") ? Family::kXeon : Family::kUnknown;
}

int generation_word(const Words& words) {
  struct Name {
    std::string_view word;
    int generation;
  };
  // Xeon: 1 Skylake .. 5 Emerald Rapids, 0 and below before; EPYC and Ryzen: Zen generation.
  static constexpr std::array names{
      Name{"haswell", -1},    Name{"broadwell", 0}, Name{"skylake", 1}, Name{"cascade", 2},
      Name{"cascadelake", 2}, Name{"ice", 3},       Name{"icelake", 3}, Name{"sapphire", 4},
      Name{"emerald", 5},     Name{"naples", 1},    Name{"rome", 2},    Name{"milan", 3},
      Name{"genoa", 4},       Name{"turin", 5},     Name{"zen1", 1},    Name{"zen2", 2},
      Name{"zen3", 3},        Name{"zen4", 4},      Name{"zen5", 5}};
  for (const Name& name : names)
    if (has(words, name.word)) return name.generation + 10;
  return 0;
}

// The digit of a model number that vendors use for the generation.
int generation_digit(Family family, const Words& words) {
  for (const std::string& word : words) {
    if (family == Family::kXeonE5 && word.size() == 2 && word[0] == 'v')
      return word[1] - '0' + 6;  // v3 9, v4 10
    if (word.size() < 4 || word[0] < '0' || word[0] > '9') continue;
    switch (family) {
      case Family::kXeonE5:  // "2695v4"
        if (const auto v = word.find('v'); v != std::string::npos && v + 1 < word.size())
          return word[v + 1] - '0' + 6;
        break;
      case Family::kXeonSilver:
      case Family::kXeonGold:
      case Family::kXeonPlatinum:
        return word[1] - '0' + 10;
      case Family::kEpyc:
        if (word[3] >= '1' && word[3] <= '5') return word[3] - '0' + 10;
        break;
      case Family::kCore:
        return word.size() >= 5 && word[0] == '1' ? 10 + (word[1] - '0') : word[0] - '0';
      case Family::kRyzen:
      case Family::kThreadripper:
        return word[0] - '0';
      default:
        break;
    }
  }
  return 0;
}

Reading read(std::string_view text) {
  const Words words = words_of(text);
  Reading reading;
  reading.family = family_of(words);
  reading.generation = generation_digit(reading.family, words);
  if (const int named = generation_word(words); named > 0) reading.generation = named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    if (word == "dual" && !has(words, "single")) reading.sockets = 2;
    if (word.size() == 2 && word[1] == 'x' && whole(word.substr(0, 1))) reading.sockets = word[0] - '0';
    if (next == "x" && i == 0 && whole(word)) reading.sockets = *whole(word);
    if (next.starts_with("core") && whole(word)) {
      reading.cores = whole(word);
      reading.total_cores = next == "cores";
    }
    if (const auto unit = word.find("ghz"); unit != std::string::npos && unit > 0)
      reading.clock = decimal(word) * 1e9;
    else if (next == "ghz" && has_digit(word))
      reading.clock = decimal(word) * 1e9;
    else if (word.size() >= 3 && has_digit(word) && word.find('.') == std::string::npos)
      reading.models.push_back(word);
  }
  if (reading.total_cores && reading.cores)
    reading.cores = std::max(1, *reading.cores / std::max(1, reading.sockets));
  return reading;
}

// The model number of a part is the last word of its id ("gold-6248" -> "6248", "e5-2698v4" -> "2698v4").
bool names_model(const Reading& text, const std::string& id) {
  const Words words = words_of(id);
  if (words.empty()) return false;
  if (has(text.models, words.back())) return true;
  // "E5-2698 v4" splits where the id does not.
  const auto v = words.back().find('v');
  return v != std::string::npos && v >= 4 && has(text.models, words.back().substr(0, v)) &&
         text.generation == words.back()[v + 1] - '0' + 6;
}

double ratio(double a, double b) { return a > b ? a / b - 1 : b / a - 1; }

// The leading number of a model ("6226" of "6226r") and what follows it; 0 where there is none of at least
// three digits.
struct Model {
  int number = 0;
  std::string suffix;
};

Model model_of(const Words& words) {
  Model model;
  for (const std::string& word : words) {
    const auto digits = word.find_first_not_of("0123456789");
    const std::string head = word.substr(0, digits);
    if (head.size() < 3) continue;
    model.number = whole(head).value_or(0);
    model.suffix = digits == std::string::npos ? "" : word.substr(digits);
  }
  return model;
}

// Core processors of the workstation line (many lanes): "7920X", and "6850K" and its like before that suffix
// existed.
bool many_lanes(const Model& model) {
  return model.suffix.starts_with('x') ||
         (model.number >= 5800 && model.number < 7000 && model.number / 100 % 10 >= 8);
}

double distance(const Reading& text, const CpuPart& part) {
  const Words id = words_of(part.id);
  Words described = words_of(part.id + " " + part.name);
  const Family family = family_of(described);
  double sum = 5 * apart(text.family, family);
  int generation = generation_digit(family, id);
  if (const int named = generation_word(words_of(part.generation)); named > 0 && generation == 0)
    generation = named;
  if (text.generation != 0 && generation != 0) sum += 2 * std::abs(text.generation - generation);
  const Model wanted = model_of(text.models), model = model_of(id);
  if (wanted.number > 0 && model.number > 0) {
    sum += 0.001 * std::abs(wanted.number - model.number) + (wanted.suffix == model.suffix ? 0 : 0.3);
    if (family == Family::kCore && many_lanes(wanted) != many_lanes(model)) sum += 6;
  }
  if (text.cores) sum += ratio(*text.cores, part.cores);
  const double clock = part.base_clock.value > 0 ? part.base_clock.value : part.turbo_clock.value * 0.7;
  if (text.clock) sum += ratio(*text.clock, clock);
  return sum;
}

std::string gigahertz(double hertz) {
  const std::string digits = std::to_string(static_cast<int>(hertz / 1e7 + 0.5));
  return digits.substr(0, digits.size() - 2) + "." + digits.substr(digits.size() - 2) + " GHz";
}

}  // namespace

std::optional<CpuChoice> find_cpu(const Catalogue& catalogue, std::string_view text) {
  if (const auto exact = catalogue.cpus.find(text); exact != catalogue.cpus.end())
    return CpuChoice{exact->second, 1, false, ""};
  const Reading reading = read(text);
  const CpuPart* best = nullptr;
  for (const auto& [id, part] : catalogue.cpus)
    if (names_model(reading, id) && apart(reading.family, family_of(words_of(id + " " + part.name))) < 20) {
      best = &part;
      break;
    }
  const bool named = best != nullptr;
  if (!named) {
    if (reading.family == Family::kUnknown) return std::nullopt;
    double least = 0;
    for (const auto& [id, part] : catalogue.cpus) {
      const double far = distance(reading, part);
      if (best != nullptr && far >= least) continue;
      best = &part;
      least = far;
    }
  }
  if (best == nullptr) return std::nullopt;

  CpuChoice choice{*best, std::max(1, reading.sockets), reading.sockets > 0, ""};
  if (named) return choice;
  choice.note = "cpu \"" + std::string(text) + "\": " + best->name + " stands for it";
  if (reading.cores && *reading.cores != best->cores) {
    choice.part.threads = *reading.cores * std::max(1, best->threads / std::max(1, best->cores));
    choice.part.cores = *reading.cores;
    choice.note += ", with " + std::to_string(*reading.cores) + " cores as stated";
  }
  if (reading.clock) {
    choice.part.base_clock = {*reading.clock};
    choice.part.turbo_clock = std::max(choice.part.turbo_clock, choice.part.base_clock);
    choice.note += ", at " + gigahertz(*reading.clock) + " as stated";
  }
  choice.part.provenance.doubtful = true;
  choice.part.provenance.doubt_reason = choice.note;
  return choice;
}

}  // namespace rigcast::hardware
