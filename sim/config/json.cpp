#include "config/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

/// nlohmann/json keeps no line numbers, so a second, much simpler scanner walks over the text in step with
/// its events: before each event it skips white space, commas and colons to the token that caused the event,
/// notes line and column, and steps over the token. The parser has already proved the token well formed, so
/// the scanner needs no grammar. The parser itself is a loop, not a recursion; the depth is limited here so
/// that nothing later can overflow the stack either.

namespace rigcast::config {

std::string too_large(std::uintmax_t bytes) {
  if (bytes <= kMaxFileBytes) return {};
  const double size = static_cast<double>(bytes);
  const std::string text =
      size < 1e9 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.1f} GB", size / 1e9);
  return fmt::format("file is {}; the largest accepted is {} MiB", text, kMaxFileBytes >> 20);
}

std::string pointer_step(std::string_view token) {
  std::string step = "/";
  for (const char c : token) {
    if (c == '~')
      step += "~0";
    else if (c == '/')
      step += "~1";
    else
      step += c;
  }
  return step;
}

namespace {

using nlohmann::json;

/// Walks over the tokens of a text that is known to be well formed so far.
class Scanner {
 public:
  Scanner(std::string_view text, std::shared_ptr<const std::string> file)
      : text_(text), file_(std::move(file)) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = line_start_ = 3;
  }

  /// The place of the next token that is a value, a key or a closing bracket.
  Place next() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos) {
      if (text_[at_] == '\n') ++line_, line_start_ = at_ + 1;
      ++at_;
    }
    return {file_, line_, static_cast<int>(at_ - line_start_) + 1};
  }
  /// The place of a token that does not belong there, of which the parser has read `read` bytes so far.
  /// Commas and colons are no tokens for `next`, so they are looked for where the parser stands.
  Place error_place(std::size_t read) {
    if (read > at_ && read <= text_.size() && (text_[read - 1] == ',' || text_[read - 1] == ':')) {
      const std::size_t end = read - 1;
      for (; at_ < end; ++at_)
        if (text_[at_] == '\n') ++line_, line_start_ = at_ + 1;
      return {file_, line_, static_cast<int>(at_ - line_start_) + 1};
    }
    return next();
  }
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
  void skip_bracket() { ++at_; }
  void skip_text() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }
  void skip_word() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:]}").find(text_[at_]) == std::string_view::npos)
      ++at_;
  }

 private:
  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

/// Builds the tree from the parser's events.
class TreeBuilder {
 public:
  using number_integer_t = json::number_integer_t;
  using number_unsigned_t = json::number_unsigned_t;
  using number_float_t = json::number_float_t;
  using string_t = json::string_t;
  using binary_t = json::binary_t;

  TreeBuilder(std::string_view text, const std::string& file, Diagnostics& diagnostics)
      : scanner_(text, std::make_shared<const std::string>(file)), diagnostics_(diagnostics) {}

  bool null() { return word(JsonKind::kNull, false, 0); }
  bool boolean(bool value) { return word(JsonKind::kBool, value, 0); }
  bool number_integer(number_integer_t value) {
    return word(JsonKind::kNumber, false, static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) {
    return word(JsonKind::kNumber, false, static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) { return word(JsonKind::kNumber, false, value); }
  bool binary(binary_t&) { return false; }  // not part of JSON text

  bool string(string_t& text) {
    Value value = make_text(std::move(text), scanner_.next());
    scanner_.skip_text();
    return add(std::move(value));
  }
  bool key(string_t& text) {
    key_place_ = scanner_.next();
    scanner_.skip_text();
    open_.back().key = std::move(text);
    open_.back().key_place = key_place_;
    return true;
  }
  bool start_object(std::size_t) { return open(JsonKind::kObject); }
  bool start_array(std::size_t) { return open(JsonKind::kArray); }
  bool end_object() {
    check_unique_keys(open_.back().value);
    return close();
  }
  bool end_array() { return close(); }

  bool parse_error(std::size_t read, const std::string&, const json::exception& error) {
    const Place place = scanner_.error_place(read);
    diagnostics_.error({*place.file, place.line, place.column, {}}, explain(error.what()), {});
    return false;
  }

  Value take() { return std::move(root_); }

 private:
  struct Open {
    Value value;
    std::string key;
    Place key_place;
  };

  bool word(JsonKind kind, bool boolean, double number) {
    Value value;
    value.kind = kind;
    value.boolean = boolean;
    value.number = number;
    value.place = scanner_.next();
    scanner_.skip_word();
    return add(std::move(value));
  }

  bool open(JsonKind kind) {
    Open entry;
    entry.value.kind = kind;
    entry.value.place = scanner_.next();
    scanner_.skip_bracket();
    if (open_.size() == kMaxDepth) {
      diagnostics_.error({*entry.value.place.file, entry.value.place.line, entry.value.place.column, {}},
                         fmt::format("arrays and objects are nested more than {} deep", kMaxDepth));
      return false;
    }
    open_.push_back(std::move(entry));
    return true;
  }

  bool close() {
    scanner_.next();
    scanner_.skip_bracket();
    Value value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  bool add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& parent = open_.back(); parent.value.kind == JsonKind::kArray) {
      parent.value.elements.push_back(std::move(value));
    } else {
      parent.value.members.push_back({std::move(parent.key), std::move(parent.key_place), std::move(value)});
    }
    return true;
  }

  /// Sorted, so that an object of a million keys costs no more than n log n.
  void check_unique_keys(const Value& object) {
    std::vector<const JsonMember*> sorted;
    sorted.reserve(object.members.size());
    for (const JsonMember& member : object.members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key != sorted[i - 1]->key) continue;
      const Place& first = sorted[i - 1]->place;
      const Place& second = sorted[i]->place;
      diagnostics_.error({*second.file, second.line, second.column, {}},
                         fmt::format("the key \"{}\" stands twice: on line {} and on line {}", sorted[i]->key,
                                     first.line, second.line));
    }
  }

  std::string explain(std::string_view reason) const {
    const std::string_view rest = scanner_.rest();
    if (rest.empty() && open_.empty()) return "the file is empty";
    if (reason.find("unexpected end of input") != std::string_view::npos || rest.empty()) {
      if (open_.empty()) return "the file ends in the middle of a value";
      const Value& container = open_.back().value;
      return fmt::format("the file ends before the {} that begins on line {} is closed",
                         container.kind == JsonKind::kArray ? "array" : "object", container.place.line);
    }
    if (reason.find("missing closing quote") != std::string_view::npos) return "the file ends inside a text";
    for (const std::string_view word :
         {"NaN", "nan", "Infinity", "-Infinity", "-NaN", "inf", "-inf", "+Infinity"})
      if (rest.substr(0, word.size()) == word) return fmt::format("{} is not a number in JSON", word);
    if (reason.find("number overflow") != std::string_view::npos) return "the number is too large";
    // "... syntax error while parsing value - invalid literal; last read: 'x'": what the user needs is in the
    // middle.
    if (const std::size_t dash = reason.find(" - "); dash != std::string_view::npos)
      reason.remove_prefix(dash + 3);
    std::string text(reason);
    if (const std::size_t last_read = text.find("; last read: '"); last_read != std::string::npos) {
      const std::size_t expected = text.rfind("; expected ");
      text.erase(last_read, expected == std::string::npos || expected < last_read ? std::string::npos
                                                                                  : expected - last_read);
    }
    return "not JSON: " + text;
  }

  Scanner scanner_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  Place key_place_;
  Value root_;
};

}  // namespace

std::optional<Value> parse_json(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  if (std::string reason = too_large(text.size()); !reason.empty()) {
    diagnostics.error({file, 0, 0, {}}, std::move(reason));
    return std::nullopt;
  }
  Diagnostics found;
  TreeBuilder builder(text, file, found);
  const bool complete = json::sax_parse(text.begin(), text.end(), &builder);
  const bool good = complete && found.ok();
  diagnostics.append(found);
  if (!good) return std::nullopt;
  return builder.take();
}

std::optional<Value> try_parse_json(std::string_view text, const std::string& file) {
  Diagnostics ignored;
  return parse_json(text, file, ignored);
}

}  // namespace rigcast::config
