#pragma once

/// exp, log and pow with the same digits on every processor and compiler. The C library's differ in the last
/// place between CPUs; these are built of + - * / only (exactly rounded by IEEE 754, no contraction), so a
/// forecast is the same everywhere. Relative error below 4e-16 (log, exp) and 2e-15 x (1 + |y ln x|) (pow);
/// tests hold them against long double.

namespace rigcast {

/// e^x; 0 below -745, infinity above 709.78.
double exact_exp(double x);

/// Natural logarithm; -infinity at 0, NaN below.
double exact_log(double x);

/// x^y for x > 0.
double exact_pow(double x, double y);

}  // namespace rigcast
