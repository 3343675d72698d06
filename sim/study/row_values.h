#pragma once

/// What rules on rows need of JSON values and texts.

#include <string>
#include <string_view>
#include <utility>

#include "config/json.h"

namespace rigcast::study {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A member's text; "" where it is absent.
inline std::string text_of(const config::Value& object, std::string_view key) {
  const config::Value* member = object.find(key);
  return member == nullptr ? std::string() : member->text;
}

/// Replaces or adds a member.
inline void set(config::Value& object, std::string_view key, config::Value value) {
  if (config::Value* member = object.find(key))
    *member = std::move(value);
  else
    config::add(object, std::string(key), std::move(value));
}

}  // namespace rigcast::study
