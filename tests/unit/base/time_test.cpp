#include "base/time.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

using namespace rigcast;

TEST_CASE("the way to seconds and back loses no picosecond and adds at most one") {
  for (const std::int64_t picoseconds : {0LL, 1LL, 999LL, 1'000'000LL, 123'456'789'012LL}) {
    const std::int64_t back = Time::ceil(Time{picoseconds}.seconds()).picoseconds;
    CHECK(back >= picoseconds);
    CHECK(back <= picoseconds + 1);
  }
  CHECK(Time{1'500'000'000'000}.seconds().value == doctest::Approx(1.5));
}

TEST_CASE("ceil rounds up, so work is never cut short: 1.25 ps -> 2 ps, 2 ps -> 2 ps, 0 -> 0") {
  CHECK(Time::ceil(Seconds{1.25e-12}).picoseconds == 2);
  CHECK(Time::ceil(Seconds{2e-12}).picoseconds == 2);
  CHECK(Time::ceil(Seconds{1e-30}).picoseconds == 1);
  CHECK(Time::ceil(Seconds{0}).picoseconds == 0);
}

TEST_CASE("beyond the clock's 106 days a time is never: 10^7 s, infinity, NaN") {
  CHECK(Time::ceil(Seconds{9e6}) < Time::never());  // 104 days
  CHECK(Time::ceil(Seconds{1e7}) == Time::never());
  CHECK(Time::ceil(Seconds{std::numeric_limits<double>::infinity()}) == Time::never());
  CHECK(Time::ceil(Seconds{std::numeric_limits<double>::quiet_NaN()}) == Time::never());
}

TEST_CASE("sums and differences are exact where doubles would lose the picosecond") {
  const Time day{86'400'000'000'000'000};  // 8.64e16 ps: a double steps by 16 here
  CHECK((day + Time{1}) - day == Time{1});
  CHECK(day < day + Time{1});
}
