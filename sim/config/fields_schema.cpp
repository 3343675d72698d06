#include "config/fields.h"

namespace rigcast::config {

Value schema_of_type(std::string_view type) {
  Value schema = make_object();
  add(schema, "type", make_text(std::string(type)));
  return schema;
}

Value SchemaMaker::take() {
  Value schema = schema_of_type("object");
  add(schema, "properties", std::move(properties_));
  if (!required_.elements.empty()) add(schema, "required", std::move(required_));
  add(schema, "additionalProperties", make_boolean(false));
  return schema;
}

void SchemaMaker::put(const Field& field, Value schema) {
  if (properties_.find(field.name) != nullptr) return;  // two forms of the object share the field
  if (!field.meaning.empty()) add(schema, "description", make_text(std::string(field.meaning)));
  if (field.need == Need::kRequired && !all_optional)
    required_.elements.push_back(make_text(std::string(field.name)));
  add(properties_, std::string(field.name), std::move(schema));
}

void SchemaMaker::on_text(const Field& field, std::string&, bool&, std::span<const std::string> choices) {
  Value schema = schema_of_type("string");
  if (!choices.empty()) add(schema, "enum", make_texts({choices.begin(), choices.end()}));
  put(field, std::move(schema));
}

void SchemaMaker::on_number(const Field& field, double&, bool&, const NumberRule& rule) {
  Value schema = make_object();
  // A quantity may be a text with a unit; limits apply to numbers only, and the reader checks the texts.
  if (rule.dimension == Dimension::kNumber)
    add(schema, "type", make_text(rule.whole ? "integer" : "number"));
  else
    add(schema, "type", make_texts({"number", "string"}));
  add(schema, rule.above ? "exclusiveMinimum" : "minimum", make_number(rule.least));
  if (rule.most < kNotNegative.most) add(schema, "maximum", make_number(rule.most));
  put(field, std::move(schema));
}

void SchemaMaker::on_boolean(const Field& field, bool&, bool&) { put(field, schema_of_type("boolean")); }

void SchemaMaker::on_object(const Field& field, bool, const Body& body) {
  SchemaMaker inner;
  inner.all_optional = all_optional;
  body(inner);
  put(field, inner.take());
}

void SchemaMaker::on_list(const Field& field, const List& list) {
  SchemaMaker inner;
  // Beyond the end: the list describes a sample of its own.
  list.describe(inner, static_cast<std::size_t>(-1));
  Value schema = schema_of_type("array");
  add(schema, "items", inner.take());
  put(field, std::move(schema));
}

void SchemaMaker::on_custom(const Field& field, const Custom& hooks) { put(field, hooks.schema()); }

}  // namespace rigcast::config
