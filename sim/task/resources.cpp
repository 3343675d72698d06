#include "task/resources.h"

#include <utility>

namespace rigcast::task {

ResourceId Resources::add(Resource resource) {
  all_.push_back(std::move(resource));
  return {static_cast<std::uint32_t>(all_.size() - 1)};
}

}  // namespace rigcast::task
