#pragma once

/// Typed indices: a ResourceId cannot be passed where a TaskId is expected.

#include <compare>
#include <cstdint>

namespace rigcast {

template <class Tag>
struct Id {
  std::uint32_t index = 0xffffffffu;  ///< the default is `none()`

  constexpr auto operator<=>(const Id&) const = default;
  static constexpr Id none() { return {}; }
  constexpr bool valid() const { return index != 0xffffffffu; }
};

}  // namespace rigcast
