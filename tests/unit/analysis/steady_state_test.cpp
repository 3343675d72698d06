#include <doctest/doctest.h>

#include "analysis/small_run.h"

namespace rigcast::analysis {
namespace {

/// A timeline of which only the ends of iterations matter.
SteadyState read(const std::vector<double>& ends) {
  timeline::Timeline timeline;
  std::vector<task::TaskId> ids;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    timeline.spans.push_back({Time{}, at(ends[i]), {}, {}});
    ids.push_back({static_cast<std::uint32_t>(i)});
  }
  return steady_state(timeline, ids);
}

TEST_CASE("durations that settle are the steady state, the transient before is left out") {
  // Ends 9, 15, 19, 23, 27: durations 6, 4, 4, 4. Steady: 4, from the end of iteration 1 to that of 4.
  const SteadyState steady = read({9, 15, 19, 23, 27});
  CHECK(steady.reached);
  CHECK(steady.iteration.value == doctest::Approx(4));
  CHECK(steady.first == 1);
  CHECK(steady.last == 4);
  CHECK(steady.window_start == at(15));
  CHECK(steady.window_end == at(27));
}

TEST_CASE("iterations that alternate are averaged over whole periods") {
  // Durations 3, 5, 3, 5: period 2, mean 4.
  const SteadyState steady = read({7, 10, 15, 18, 23});
  CHECK(steady.reached);
  CHECK(steady.iteration.value == doctest::Approx(4));
  CHECK((steady.last - steady.first) % 2 == 0);
}

TEST_CASE("two equal neighbours inside a longer pattern do not pass for a period of one") {
  // Durations 2, 5, 5, 2, 5, 5: period 3, mean 4; the last two alone would say 5.
  const SteadyState steady = read({1, 3, 8, 13, 15, 20, 25});
  CHECK(steady.reached);
  CHECK(steady.iteration.value == doctest::Approx(4));
}

TEST_CASE("a pair of equal iterations at the end counts when nothing longer fits") {
  // Durations 9, 6, 4, 4.
  const SteadyState steady = read({1, 10, 16, 20, 24});
  CHECK(steady.reached);
  CHECK(steady.iteration.value == doctest::Approx(4));
}

TEST_CASE("0.1 % is the line between settled and not") {
  CHECK(read({1, 2, 3.0009}).reached);
  CHECK_FALSE(read({1, 2, 3.0011}).reached);
}

TEST_CASE("without a period the later half is used and said to be unsettled") {
  // Durations 8, 6, 5, 4.5: later half 5 and 4.5.
  const SteadyState steady = read({0, 8, 14, 19, 23.5});
  CHECK_FALSE(steady.reached);
  CHECK(steady.iteration.value == doctest::Approx(4.75));
}

TEST_CASE("two iterations give one duration and no proof of a steady state") {
  const SteadyState steady = read({3, 8});
  CHECK_FALSE(steady.reached);
  CHECK(steady.iteration.value == doctest::Approx(5));
}

}  // namespace
}  // namespace rigcast::analysis
