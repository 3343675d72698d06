#pragma once

/// A value or the reason why there is none. (std::expected arrives with C++23.)

#include <tl/expected.hpp>

namespace rigcast {

template <class Value, class Error>
using Expected = tl::expected<Value, Error>;

template <class Error>
using Unexpected = tl::unexpected<Error>;

}  // namespace rigcast
