#include "config/fields.h"

namespace rigcast::config {

void Writer::on_text(const Field& field, std::string& value, bool& present, std::span<const std::string>) {
  if (present) add(object_, std::string(field.name), make_text(value));
}

void Writer::on_number(const Field& field, double& value, bool& present, const NumberRule&) {
  if (present) add(object_, std::string(field.name), make_number(value));
}

void Writer::on_boolean(const Field& field, bool& value, bool& present) {
  if (present) add(object_, std::string(field.name), make_boolean(value));
}

void Writer::on_object(const Field& field, bool present, const Body& body) {
  if (!present) return;
  Writer inner;
  body(inner);
  add(object_, std::string(field.name), inner.take());
}

void Writer::on_list(const Field& field, const List& list) {
  const std::size_t size = list.size();
  if (size == 0 && field.need == Need::kOptional) return;
  Value array = make_array();
  for (std::size_t i = 0; i < size; ++i) {
    Writer inner;
    list.describe(inner, i);
    array.elements.push_back(inner.take());
  }
  add(object_, std::string(field.name), std::move(array));
}

void Writer::on_custom(const Field& field, const Custom& hooks) {
  if (std::optional<Value> value = hooks.write()) add(object_, std::string(field.name), *std::move(value));
}

}  // namespace rigcast::config
