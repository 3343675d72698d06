#pragma once

/// Pieces that several JSON views share. Only .cpp files of this room include it: the JSON library is heavy.

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "study/forecast.h"

namespace rigcast::report {

using Json = nlohmann::ordered_json;

/// null for nothing, NaN and infinity.
inline Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

/// The interface's "memory" object.
Json memory_object(const cost::MemoryLedger& ledger, std::optional<double> largest_batch_that_fits);

}  // namespace rigcast::report
