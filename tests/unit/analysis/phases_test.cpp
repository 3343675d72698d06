#include <doctest/doctest.h>

#include "analysis/intervals.h"
#include "analysis/small_run.h"

namespace rigcast::analysis {
namespace {

using task::Phase;

TEST_CASE("phases of rank 0 add up to the iteration; what is hidden is not counted twice") {
  // One iteration from 10 to 20 s:   input 8-12, forward 11-13, backward 13-16, communication 15-18,
  // optimizer 18-19. Exposed: input 10-11, communication 16-18; idle 19-20. Rank 1 and what lies outside of
  // the window count nothing.
  struct Piece {
    Phase phase;
    double from, to;
    int rank;
  };
  task::Graph graph;
  timeline::Timeline timeline;
  for (const Piece& piece : {Piece{Phase::kRead, 8, 12, 0}, Piece{Phase::kForward, 11, 13, 0},
                             Piece{Phase::kBackward, 13, 16, 0}, Piece{Phase::kGradientSync, 15, 17, 0},
                             Piece{Phase::kGradientSync, 16, 18, 0}, Piece{Phase::kOptimizer, 18, 19, 0},
                             Piece{Phase::kForward, 19, 20, 1}, Piece{Phase::kForward, 20, 25, 0}}) {
    task::Label label;
    label.phase = piece.phase;
    label.rank = static_cast<std::uint16_t>(piece.rank);
    graph.add({label, 1, graph.intern(alone(task::Kind::kGpuMatrix)), {}, 0, {}});
    timeline.spans.push_back({at(piece.from), at(piece.to), {}, {}});
  }
  graph.seal();
  SteadyState steady;
  steady.iteration = {10};
  steady.first = 0;
  steady.last = 1;
  steady.window_start = at(10);
  steady.window_end = at(20);
  const Phases result = phases(graph, timeline, steady);
  CHECK(result.input_s == doctest::Approx(1));
  CHECK(result.forward_s == doctest::Approx(2));
  CHECK(result.backward_s == doctest::Approx(3));
  CHECK(result.communication_total_s == doctest::Approx(3));
  CHECK(result.communication_exposed_s == doctest::Approx(2));
  CHECK(result.optimizer_s == doctest::Approx(1));
  CHECK(result.idle_s == doctest::Approx(1));
}

TEST_CASE("unions and differences of intervals") {
  const std::vector<Interval> a = unite({{at(5), at(7)}, {at(0), at(2)}, {at(1), at(3)}, {at(3), at(4)}});
  REQUIRE(a.size() == 2);  // 0-4, 5-7
  CHECK(a[0] == Interval{at(0), at(4)});
  CHECK(seconds(a) == doctest::Approx(6));
  // 0-4, 5-7 without 1-2, 3-6: 0-1, 2-3, 6-7.
  const std::vector<Interval> left = subtract(a, {{at(1), at(2)}, {at(3), at(6)}});
  REQUIRE(left.size() == 3);
  CHECK(left[1] == Interval{at(2), at(3)});
  CHECK(left[2] == Interval{at(6), at(7)});
  CHECK(subtract(a, a).empty());
  CHECK(subtract(a, {}) == a);
}

}  // namespace
}  // namespace rigcast::analysis
