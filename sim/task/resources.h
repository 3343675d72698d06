#pragma once

/// Everything that is shared, with its capacity: each direction of a link, a memory's bandwidth, a GPU's
/// compute units, CPU cores, a storage device.

#include <string>
#include <vector>

#include "base/id.h"
#include "task/kind.h"

namespace rigcast::task {

using ResourceId = Id<struct ResourceTag>;

struct Resource {
  std::string name;  ///< "gpu0.memory", "plx0->gpu0"
  Kind kind;
  double capacity = 0;  ///< units a second; above 0, infinity allowed
  std::string unit;  ///< "B" where the amount is bytes (it is then reported as bytes); "FLOP", "core s", ...
};

class Resources {
 public:
  ResourceId add(Resource resource);
  const Resource& operator[](ResourceId id) const { return all_[id.index]; }
  std::size_t size() const { return all_.size(); }
  const std::vector<Resource>& all() const { return all_; }

 private:
  std::vector<Resource> all_;
};

}  // namespace rigcast::task
