/// Argument reduction by powers of two (exact), then a series short enough to be summed in Horner form.
///
/// log: x = m 2^k with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m-1)/(m+1), |s| <= 0.1716, so
/// s^22/23 < 1e-17 and eleven terms suffice. ln 2 is added in two parts, the upper with 21 trailing zero bits
/// so that k ln2_high is exact.
///
/// exp: x = k ln2 + r with |r| <= ln2/2; the Taylor series to r^14/14! is below 1e-17 of the sum; 2^k by
/// ldexp.

#include "base/math.h"

#include <cmath>
#include <limits>

namespace rigcast {
namespace {

constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;

}  // namespace

double exact_log(double x) {
  if (x < 0 || std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < 0.70710678118654752440) m *= 2, --k;
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double sum = 1.0 / 23;
  for (int n = 21; n >= 3; n -= 2) sum = sum * s2 + 1.0 / n;
  return k * kLn2High + (2 * s + (2 * s * s2 * sum + k * kLn2Low));
}

double exact_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.13321910194122) return 0;
  const double k = std::nearbyint(x / 0.69314718055994530942);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

double exact_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  return exact_exp(y * exact_log(x));
}

}  // namespace rigcast
