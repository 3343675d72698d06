#pragma once

#include "engine/simulate.h"
#include "lower/lower.h"
#include "scenarios.h"

namespace rigcast::test {

inline timeline::Timeline play(const lower::Lowered& lowered) {
  auto result = engine::simulate(lowered.graph, lowered.resources);
  REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().text));
  return *result;
}

}  // namespace rigcast::test
