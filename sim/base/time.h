#pragma once

/// The simulation clock: whole picoseconds in 64 bits, so that equal instants compare equal and the order
/// of events never depends on rounding. The range is 106 days.

#include <compare>
#include <cstdint>
#include <limits>

#include "base/units.h"

namespace rigcast {

struct Time {
  std::int64_t picoseconds = 0;

  constexpr auto operator<=>(const Time&) const = default;
  friend constexpr Time operator+(Time a, Time b) { return {a.picoseconds + b.picoseconds}; }
  friend constexpr Time operator-(Time a, Time b) { return {a.picoseconds - b.picoseconds}; }

  constexpr Seconds seconds() const { return {static_cast<double>(picoseconds) * 1e-12}; }

  /// Later than every event.
  static constexpr Time never() { return {std::numeric_limits<std::int64_t>::max()}; }

  /// Rounds up to a whole picosecond, so that work is never cut short. `never()` beyond the clock's range.
  static constexpr Time ceil(Seconds s) {
    const double picoseconds = s.value * 1e12;
    if (!(picoseconds < 9.2e18)) return never();
    const auto whole = static_cast<std::int64_t>(picoseconds);
    return {whole + (static_cast<double>(whole) < picoseconds ? 1 : 0)};
  }
};

}  // namespace rigcast
