#pragma once

/// Strong units. A number that crosses a room boundary carries its unit in its type; `.value` is in SI
/// base units. Products and quotients have the unit they should: Bytes / BytesPerSecond = Seconds.

#include <compare>

namespace rigcast {

/// A double with the exponents of byte, floating-point operation and second.
template <int Byte, int Flop, int Second>
struct Quantity {
  double value = 0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator-() const { return {-value}; }
  constexpr Quantity& operator+=(Quantity other) { return value += other.value, *this; }
  constexpr Quantity& operator-=(Quantity other) { return value -= other.value, *this; }
  constexpr Quantity& operator*=(double factor) { return value *= factor, *this; }
  constexpr Quantity& operator/=(double divisor) { return value /= divisor, *this; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return {a.value * factor}; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return {a.value / divisor}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

/// Of unlike units; of equal ones the friend above is the better match.
template <int B1, int F1, int S1, int B2, int F2, int S2>
constexpr Quantity<B1 - B2, F1 - F2, S1 - S2> operator/(Quantity<B1, F1, S1> a, Quantity<B2, F2, S2> b) {
  return {a.value / b.value};
}

template <int B1, int F1, int S1, int B2, int F2, int S2>
constexpr Quantity<B1 + B2, F1 + F2, S1 + S2> operator*(Quantity<B1, F1, S1> a, Quantity<B2, F2, S2> b) {
  return {a.value * b.value};
}

using Seconds = Quantity<0, 0, 1>;
using Hertz = Quantity<0, 0, -1>;
using Bytes = Quantity<1, 0, 0>;
using BytesPerSecond = Quantity<1, 0, -1>;
using Flops = Quantity<0, 1, 0>;  ///< a count of floating-point (or integer) operations, not a rate
using FlopsPerSecond = Quantity<0, 1, -1>;

}  // namespace rigcast
