#pragma once

/// JSON with a place for every value, so that each mistake can be shown where it stands. The grammar is
/// nlohmann/json's; the limits and the places are added here.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace rigcast::config {

/// Deepest nesting of arrays and objects that is accepted.
inline constexpr int kMaxDepth = 256;
/// Largest file that is accepted, in bytes.
inline constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;

/// Why a file of that size is not read ("file is 1.0 GB; the largest accepted is 64 MiB"); "" when it may be
/// read. Programs ask before reading a file into memory.
std::string too_large(std::uintmax_t bytes);

enum class JsonKind : std::uint8_t { kNull, kBool, kNumber, kText, kArray, kObject };

/// "a number", "an object": for messages.
std::string_view name(JsonKind kind);

/// Where a value begins. Values from --set have the file "--set PATH" and no line.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 0, column = 0;  ///< from 1; columns count bytes
};

struct JsonMember;

struct Value {
  JsonKind kind = JsonKind::kNull;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Value> elements;
  std::vector<JsonMember> members;  ///< in file order, keys are unique
  Place place;

  bool is(JsonKind k) const { return kind == k; }
  /// The member of that key, or null. O(members).
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
};

struct JsonMember {
  std::string key;
  Place place;  ///< of the key
  Value value;
};

Value make_text(std::string text, Place place = {});
Value make_number(double number);
Value make_boolean(bool boolean);
Value make_array(std::vector<Value> elements = {});
Value make_texts(const std::vector<std::string>& texts);
Value make_object(Place place = {});
/// Appends a member and gives its value back; the key must be new. `object` must be an object.
Value& add(Value& object, std::string key, Value value);

/// The one value a text holds. Truncated or malformed text, nesting beyond kMaxDepth, keys that stand twice
/// and numbers no double can hold are errors; a byte order mark is skipped. O(length).
std::optional<Value> parse_json(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// As `parse_json`, for a text that may not be JSON at all: nothing then, and no error.
std::optional<Value> try_parse_json(std::string_view text, const std::string& file);

/// The text of a value, members in order, two spaces a level. Numbers have the fewest digits that give the
/// same double back, and whole ones have no point. What parse_json reads from it is the same value.
std::string dump(const Value& value);

/// `token` as one step of a JSON pointer, with its slash: "~" becomes "~0" and "/" becomes "~1".
std::string pointer_step(std::string_view token);

}  // namespace rigcast::config
