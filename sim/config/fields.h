#pragma once

/// One description of an object serves three masters: reading it with every mistake reported, writing it down
/// again, and publishing its JSON Schema. So the three cannot drift apart. A description is a function
/// `describe(Fields&, T&)` that names each key with its type, limits and meaning; Reader, Writer and
/// SchemaMaker (below) are what it may be handed.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/units.h"
#include "config/json.h"
#include "config/quantity.h"

namespace rigcast::config {

enum class Need { kOptional, kRequired };

/// A key of an object and what it means, for the schema.
struct Field {
  std::string_view name;
  Need need = Need::kOptional;
  std::string_view meaning;
};

/// What a number may be.
struct NumberRule {
  Dimension dimension = Dimension::kNumber;
  double least = 0;
  bool above = false;  ///< must be above `least`; otherwise at least `least`
  bool whole = false;
  double most = 1e300;
};

/// How many of a thing: 1, 2, 3, ... Far more than there are of anything, and few enough that products do not
/// overflow.
inline constexpr NumberRule kCount = {Dimension::kNumber, 1, false, true, 10000};
inline constexpr NumberRule kIndex = {Dimension::kNumber, 0, false, true, 10000};  ///< 0, 1, 2, ...
/// Whole numbers of samples and tokens.
inline constexpr NumberRule kWhole = {Dimension::kNumber, 1, false, true, 2147483647};
inline constexpr NumberRule kPositive = {Dimension::kNumber, 0, true, false};
inline constexpr NumberRule kNotNegative = {};

constexpr Dimension dimension_of(const Bytes&) { return Dimension::kBytes; }
constexpr Dimension dimension_of(const BytesPerSecond&) { return Dimension::kBytesPerSecond; }
constexpr Dimension dimension_of(const Seconds&) { return Dimension::kSeconds; }
constexpr Dimension dimension_of(const Hertz&) { return Dimension::kHertz; }
constexpr Dimension dimension_of(const FlopsPerSecond&) { return Dimension::kFlopsPerSecond; }

/// A value on the way from the root of a document to where the reader stands. Lives on the stack of the
/// reader.
struct Cursor {
  const Value* value = nullptr;
  const Cursor* parent = nullptr;
  std::string_view key;   ///< of the parent object; unused in arrays
  std::size_t index = 0;  ///< in the parent array
  std::string_view root;  ///< pointer of the outermost value, usually ""

  std::string pointer() const;
  Origin origin() const;
  Cursor member(const JsonMember& m) const { return {&m.value, this, m.key, 0, {}}; }
  Cursor element(std::size_t i) const { return {&value->elements[i], this, {}, i, {}}; }
};

class Fields {
 public:
  using Body = std::function<void(Fields&)>;

  /// For a key whose value is described by hand.
  struct Custom {
    std::function<void(const Cursor&, Diagnostics&)> read;
    std::function<std::optional<Value>()> write;  ///< nothing: leave the key out
    std::function<Value()> schema;
  };
  /// For an array of objects.
  struct List {
    std::function<void(std::size_t)> resize;
    std::function<std::size_t()> size;
    std::function<void(Fields&, std::size_t)> describe;
  };

  virtual ~Fields() = default;

  /// True when values come in; false when they go out or only types matter.
  virtual bool reading() const { return false; }
  /// The schema lists every form an object may take; readers and writers know which it is.
  virtual bool listing() const { return false; }
  /// Where a key of this object stands, or the object where the key is absent. For errors found after the
  /// fields were read.
  virtual Origin origin(std::string_view) const { return {}; }
  virtual bool has(std::string_view) const { return false; }
  virtual void error(std::string_view /*field*/, std::string /*message*/, std::string /*hint*/) {}
  /// A required field that is absent is no error while this is set: the object only changes another one.
  bool all_optional = false;

  void text(Field field, std::string& value) {
    bool present = !value.empty();
    on_text(field, value, present, {});
  }
  void text(Field field, std::optional<std::string>& value) {
    optional<std::string>(value, [&](std::string& v, bool& present) { on_text(field, v, present, {}); });
  }
  /// One of `choices`.
  void choice(Field field, std::string& value, std::span<const std::string> choices) {
    bool present = !value.empty();
    on_text(field, value, present, choices);
  }
  void choice(Field field, std::optional<std::string>& value, std::span<const std::string> choices) {
    optional<std::string>(value, [&](std::string& v, bool& present) { on_text(field, v, present, choices); });
  }
  /// Absent means false.
  void flag(Field field, bool& value) {
    bool present = value || field.need == Need::kRequired;
    on_boolean(field, value, present);
  }
  void flag(Field field, std::optional<bool>& value) {
    optional<bool>(value, [&](bool& v, bool& present) { on_boolean(field, v, present); });
  }
  /// Zero means absent.
  template <class T>
  requires std::is_arithmetic_v<T>
  void number(Field field, T& value, NumberRule rule) {
    rule.whole = rule.whole || std::is_integral_v<T>;
    bool present = value != T{};
    double v = static_cast<double>(value);
    on_number(field, v, present, rule);
    if (reading() && present) value = static_cast<T>(v);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void number(Field field, std::optional<T>& value, NumberRule rule) {
    rule.whole = rule.whole || std::is_integral_v<T>;
    optional<double>(value, [&](double& v, bool& present) { on_number(field, v, present, rule); });
  }
  /// A quantity with a unit. Above zero, except times and clocks, which may be zero. Zero means absent.
  template <class T>
  void quantity(Field field, T& value) {
    bool present = value.value != 0;
    on_number(field, value.value, present, rule_of(value));
  }
  template <class T>
  void quantity(Field field, std::optional<T>& value) {
    optional<T>(value, [&](T& v, bool& present) { on_number(field, v.value, present, rule_of(v)); });
  }
  void texts(Field field, std::vector<std::string>& value);
  void object(Field field, bool present, const Body& body) { on_object(field, present, body); }
  template <class T, class Describe>
  void list(Field field, std::vector<T>& values, Describe describe) {
    T sample{};
    on_list(field, {[&](std::size_t n) { values.resize(n); }, [&] { return values.size(); },
                    [&](Fields& f, std::size_t i) { describe(f, i < values.size() ? values[i] : sample); }});
  }
  /// Free form: accepted, kept nowhere.
  void remark(Field field);
  void custom(Field field, const Custom& hooks) { on_custom(field, hooks); }

 protected:
  virtual void on_text(const Field&, std::string&, bool& present, std::span<const std::string> choices) = 0;
  virtual void on_number(const Field&, double&, bool& present, const NumberRule&) = 0;
  virtual void on_boolean(const Field&, bool&, bool& present) = 0;
  virtual void on_object(const Field&, bool present, const Body&) = 0;
  virtual void on_list(const Field&, const List&) = 0;
  virtual void on_custom(const Field&, const Custom&) = 0;

 private:
  template <class T>
  static constexpr NumberRule rule_of(const T& value) {
    const Dimension dimension = dimension_of(value);
    return {dimension, 0, dimension != Dimension::kSeconds, false};
  }
  template <class V, class T, class Visit>
  void optional(std::optional<T>& value, Visit visit) {
    bool present = value.has_value();
    V v = present ? static_cast<V>(*value) : V{};
    visit(v, present);
    if (reading() && present) value = static_cast<T>(v);
  }
};

/// Reads an object. Every mistake goes to the diagnostics; what is wrong or absent keeps the value it had.
class Reader final : public Fields {
 public:
  Reader(const Cursor& cursor, Diagnostics& diagnostics);
  /// Reports the keys nobody described. Call it when all fields were described.
  void finish();
  const Cursor& cursor() const { return cursor_; }

  bool reading() const override { return true; }
  Origin origin(std::string_view field) const override;
  bool has(std::string_view field) const override;
  void error(std::string_view field, std::string message, std::string hint) override;

 protected:
  void on_text(const Field&, std::string&, bool&, std::span<const std::string>) override;
  void on_number(const Field&, double&, bool&, const NumberRule&) override;
  void on_boolean(const Field&, bool&, bool&) override;
  void on_object(const Field&, bool, const Body&) override;
  void on_list(const Field&, const List&) override;
  void on_custom(const Field&, const Custom&) override;

 private:
  /// The member of that name, noted as known; null when absent or null. Reports what is required.
  const JsonMember* take(const Field& field);

  const Cursor& cursor_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> known_;
  std::vector<bool> used_;
  std::size_t next_ = 0;  ///< where the search begins: files mostly keep the order of the description
};

/// Writes an object down: what is present, in the order of the description.
class Writer final : public Fields {
 public:
  Value take() { return std::move(object_); }

 protected:
  void on_text(const Field&, std::string&, bool&, std::span<const std::string>) override;
  void on_number(const Field&, double&, bool&, const NumberRule&) override;
  void on_boolean(const Field&, bool&, bool&) override;
  void on_object(const Field&, bool, const Body&) override;
  void on_list(const Field&, const List&) override;
  void on_custom(const Field&, const Custom&) override;

 private:
  Value object_ = make_object();
};

/// Makes the JSON Schema of an object.
class SchemaMaker final : public Fields {
 public:
  Value take();
  bool listing() const override { return true; }

 protected:
  void on_text(const Field&, std::string&, bool&, std::span<const std::string>) override;
  void on_number(const Field&, double&, bool&, const NumberRule&) override;
  void on_boolean(const Field&, bool&, bool&) override;
  void on_object(const Field&, bool, const Body&) override;
  void on_list(const Field&, const List&) override;
  void on_custom(const Field&, const Custom&) override;

 private:
  void put(const Field& field, Value schema);

  Value properties_ = make_object();
  Value required_ = make_array();
};

/// Reports `expected X, found Y` when the value is of another kind. True when it is of that kind.
bool expect(const Cursor& cursor, JsonKind kind, Diagnostics& diagnostics);
/// A number or a quantity with a unit, held against the rule; nothing, and an error, when it is neither.
std::optional<double> read_number(const Cursor& cursor, const NumberRule& rule, Diagnostics& diagnostics);
std::vector<std::string> read_texts(const Cursor& cursor, Diagnostics& diagnostics);
/// {"type": TYPE}.
Value schema_of_type(std::string_view type);

/// Appends what other rooms found. They know JSON pointers (beginning with `prefix` for what stands at the
/// cursor) and no lines: each gets the place of the innermost value its pointer leads to.
void append_located(const Diagnostics& found, const Cursor& cursor, std::string_view prefix,
                    Diagnostics& diagnostics);

/// Reads the object at the cursor with `describe(Fields&)`; false when it is no object.
template <class Describe>
bool read_object(const Cursor& cursor, Diagnostics& diagnostics, Describe describe) {
  if (!expect(cursor, JsonKind::kObject, diagnostics)) return false;
  Reader reader(cursor, diagnostics);
  describe(static_cast<Fields&>(reader));
  reader.finish();
  return true;
}

template <class Describe>
Value write_object(Describe describe) {
  Writer writer;
  describe(static_cast<Fields&>(writer));
  return writer.take();
}

template <class Describe>
Value schema_object(Describe describe) {
  SchemaMaker maker;
  describe(static_cast<Fields&>(maker));
  return maker.take();
}

}  // namespace rigcast::config
