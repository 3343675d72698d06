#include "base/math.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace rigcast;

// Expected values: the C library in long double (64-bit mantissa), whose own error is far below a double's
// last place.

TEST_CASE("exact_log agrees with long double logarithms to 4e-16 over 600 decades") {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    const double expected = static_cast<double>(std::log(static_cast<long double>(x)));
    CHECK(std::fabs(exact_log(x) - expected) <= 4e-16 * std::fabs(expected) + 1e-18);
  }
}

TEST_CASE("exact_exp agrees with long double exponentials to 4e-16") {
  for (double x = -700; x < 700; x += 0.7371) {
    const double expected = static_cast<double>(std::exp(static_cast<long double>(x)));
    CHECK(std::fabs(exact_exp(x) - expected) <= 4e-16 * expected);
  }
}

TEST_CASE("exact_pow agrees with long double powers within 2e-15 (1 + |y ln x|)") {
  for (double x : {1e-9, 0.3, 0.999, 1.7, 12.0, 5e8})
    for (const double y : {-2.5, -0.85, 0.31, 0.68, 1.0, 3.0}) {
      const long double expected = std::pow(static_cast<long double>(x), static_cast<long double>(y));
      const double bound = 2e-15 * (1 + std::fabs(y * std::log(x)));
      CHECK(std::fabs(exact_pow(x, y) - static_cast<double>(expected)) <=
            bound * static_cast<double>(expected));
    }
}

TEST_CASE("edges: log 0 and below, exp beyond the range, powers of one and zero") {
  CHECK(exact_log(0) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(exact_log(-1)));
  CHECK(exact_exp(1000) == std::numeric_limits<double>::infinity());
  CHECK(exact_exp(-1000) == 0);
  CHECK(exact_exp(0) == 1);
  CHECK(exact_pow(3, 0) == 1);
  CHECK(exact_pow(1, 1e9) == 1);
}
