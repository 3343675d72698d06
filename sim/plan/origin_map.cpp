#include "plan/scenario.h"

namespace rigcast::plan {

void OriginMap::set(std::string pointer, Origin origin) {
  entries_.insert_or_assign(std::move(pointer), std::move(origin));
}

Origin OriginMap::find(std::string_view pointer) const {
  for (std::string_view step = pointer;; step = step.substr(0, step.rfind('/'))) {
    if (const auto at = entries_.find(step); at != entries_.end()) return at->second;
    if (step.empty()) break;
  }
  return {{}, 0, 0, std::string(pointer)};
}

bool OriginMap::written(std::string_view pointer) const { return entries_.find(pointer) != entries_.end(); }

std::vector<std::string> OriginMap::pointers() const {
  std::vector<std::string> all;
  all.reserve(entries_.size());
  for (const auto& [pointer, origin] : entries_) all.push_back(pointer);
  return all;
}

}  // namespace rigcast::plan
