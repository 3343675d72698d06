#include "base/units.h"

#include <doctest/doctest.h>

#include <concepts>
#include <type_traits>

using namespace rigcast;

TEST_CASE("quotients have the unit they should: 12 GB at 3 GB/s take 4 s, 6 TFLOP at 2 TFLOP/s take 3 s") {
  const auto copy = Bytes{12e9} / BytesPerSecond{3e9};
  static_assert(std::same_as<std::remove_const_t<decltype(copy)>, Seconds>);
  CHECK(copy.value == 4.0);
  const auto kernel = Flops{6e12} / FlopsPerSecond{2e12};
  static_assert(std::same_as<std::remove_const_t<decltype(kernel)>, Seconds>);
  CHECK(kernel.value == 3.0);
}

TEST_CASE("products have the unit they should: rate x time = amount, in either order") {
  static_assert(std::same_as<decltype(BytesPerSecond{} * Seconds{}), Bytes>);
  static_assert(std::same_as<decltype(Seconds{} * FlopsPerSecond{}), Flops>);
  CHECK((BytesPerSecond{16e9} * Seconds{0.5}).value == 8e9);
  CHECK((Seconds{0.25} * FlopsPerSecond{4e12}).value == 1e12);
}

TEST_CASE("a quotient of equal units is a plain number, and a count over a time is a rate") {
  static_assert(std::same_as<decltype(Bytes{} / Bytes{}), double>);
  static_assert(std::same_as<decltype(Bytes{} / Seconds{}), BytesPerSecond>);
  CHECK(Bytes{10} / Bytes{4} == 2.5);
  CHECK((Bytes{10} / Seconds{4}).value == 2.5);
}

// What must not compile. The concepts name the operations; a unit that slipped through would turn one true.
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};

TEST_CASE("unlike units neither add, compare nor convert") {
  static_assert(Addable<Bytes, Bytes> && Comparable<Seconds, Seconds>);
  static_assert(!Addable<Bytes, Seconds> && !Addable<Bytes, Flops> && !Addable<Bytes, double>);
  static_assert(!Comparable<Bytes, BytesPerSecond> && !Comparable<Seconds, double>);
  static_assert(!std::convertible_to<double, Bytes> && !std::convertible_to<Bytes, double>);
}

TEST_CASE("sums, scaling and order within one unit") {
  Bytes total{1};
  total += Bytes{5};
  total -= Bytes{2};
  total *= 3;
  total /= 2;
  CHECK(total == Bytes{6});  // ((1 + 5 - 2) x 3) / 2
  CHECK(Bytes{1} + Bytes{2} - Bytes{4} == -Bytes{1});
  CHECK(2 * Bytes{3} == Bytes{3} * 2);
  CHECK(Bytes{3} / 2 == Bytes{1.5});
  CHECK(Seconds{1e-6} < Seconds{1e-5});
}
