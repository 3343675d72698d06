#include "timeline/fingerprint.h"

#include <doctest/doctest.h>

using namespace rigcast;
using namespace rigcast::timeline;

TEST_CASE("the fingerprint is the sum of its tasks' terms, in any order") {
  const std::vector<Span> spans = {{{0}, {5}, {}, {}}, {{5}, {9}, {}, {}}};
  CHECK(fingerprint(spans) == fingerprint_term({1}, {5}, {9}) + fingerprint_term({0}, {0}, {5}));
}

TEST_CASE("a picosecond more or less, or two tasks exchanged, changes the fingerprint") {
  const std::vector<Span> spans = {{{0}, {5}, {}, {}}, {{5}, {9}, {}, {}}};
  for (const int which : {0, 1})
    for (const int by : {-1, 1}) {
      std::vector<Span> start = spans, end = spans;
      start[which].start.picoseconds += by;
      end[which].end.picoseconds += by;
      CHECK(fingerprint(start) != fingerprint(spans));
      CHECK(fingerprint(end) != fingerprint(spans));
    }
  CHECK(fingerprint(std::vector{spans[1], spans[0]}) != fingerprint(spans));
}

TEST_CASE("a shift that keeps all sums of starts and ends is seen") {
  const std::vector<Span> one = {{{0}, {10}, {}, {}}, {{10}, {20}, {}, {}}};
  const std::vector<Span> other = {{{1}, {11}, {}, {}}, {{9}, {19}, {}, {}}};
  CHECK(fingerprint(one) != fingerprint(other));
}
