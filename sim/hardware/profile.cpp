#include "hardware/profile.h"

#include <utility>

#include "base/check.h"

namespace rigcast::hardware {

void Profile::set(std::string key, Constant constant) {
  constants_.insert_or_assign(std::move(key), std::move(constant));
}

const Constant* Profile::find(std::string_view group, std::string_view member, std::string_view name) const {
  const auto look = [&](std::string_view who) -> const Constant* {
    std::string key;
    key.reserve(group.size() + who.size() + name.size() + 2);
    key.append(group).append(".").append(who).append(".").append(name);
    const auto found = constants_.find(key);
    if (found == constants_.end()) return nullptr;
    if (used_ != nullptr) used_->insert(found->first);
    return &found->second;
  };
  const Constant* own = look(member);
  return own != nullptr ? own : look("default");
}

double Profile::value(std::string_view group, std::string_view member, std::string_view name) const {
  const Constant* constant = find(group, member, name);
  if (constant == nullptr) {
    const std::string message =
        "no constant " + std::string(group) + "." + std::string(member) + "." + std::string(name);
    RIG_CHECK(constant != nullptr, message.c_str());
  }
  return constant->value;
}

}  // namespace rigcast::hardware
