/// The benchmarks' graphs, small: ends against theory.

#include "../../benchmark/cases.h"

#include <algorithm>
#include <cmath>

#include "engine/world.h"

using namespace rigcast;
using namespace rigcast::engine;
using namespace rigcast::benchmark_cases;

namespace {

timeline::Timeline play(const Case& made) {
  REQUIRE(task::verify(made.graph, made.resources).empty());
  auto result = simulate(made.graph, made.resources);
  REQUIRE(result.has_value());
  return *std::move(result);
}

/// When each of these flows, all there from the start, ends: the fluid model in its plainest form. Rates by
/// raising all together until a link is full, stopping the flows on it, and going on; then time to the next
/// end; and again.
std::vector<double> fluid_ends(const Case& made) {
  const std::size_t n = made.graph.size();
  std::vector<double> left(n), end(n, -1);
  for (std::uint32_t i = 0; i < n; ++i) left[i] = made.graph.work({i});
  double now = 0;
  for (std::size_t ended = 0; ended < n;) {
    std::vector<double> rate(n, -1), room(made.resources.size());
    for (std::size_t r = 0; r < room.size(); ++r) room[r] = made.resources.all()[r].capacity;
    for (std::size_t open = n - ended; open > 0;) {
      std::vector<double> flows(room.size());
      for (std::uint32_t i = 0; i < n; ++i)
        if (end[i] < 0 && rate[i] < 0)
          for (const task::Use& use : made.graph.demand({i}).uses) flows[use.resource.index] += use.per_work;
      std::size_t full = 0;
      double level = kUnbounded;
      for (std::size_t r = 0; r < room.size(); ++r)
        if (flows[r] > 0 && room[r] / flows[r] < level) level = room[r] / flows[r], full = r;
      for (std::uint32_t i = 0; i < n; ++i) {
        const auto& uses = made.graph.demand({i}).uses;
        const auto on_it = [&](const task::Use& use) { return use.resource.index == full; };
        if (end[i] >= 0 || rate[i] >= 0 || std::none_of(uses.begin(), uses.end(), on_it)) continue;
        rate[i] = level;
        --open;
        for (const task::Use& use : uses) room[use.resource.index] -= level * use.per_work;
      }
    }
    double step = kUnbounded;
    for (std::uint32_t i = 0; i < n; ++i)
      if (end[i] < 0) step = std::min(step, left[i] / rate[i]);
    now += step;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (end[i] >= 0) continue;
      left[i] -= rate[i] * step;
      if (left[i] <= rate[i] * 1e-12) end[i] = now, ++ended;
    }
  }
  return end;
}

}  // namespace

TEST_CASE(
    "random flows through a star end when the plain fluid model says, within ten picoseconds of rounding") {
  for (const auto& [flows, hosts] : {std::pair{20u, 4u}, {100u, 8u}, {150u, 64u}}) {
    const Case made = random_flows(flows, hosts);
    const auto timeline = play(made);
    const std::vector<double> expected = fluid_ends(made);
    for (std::uint32_t i = 0; i < flows; ++i)
      CHECK(std::fabs(timeline.spans[i].end.seconds().value - expected[i]) <= 1e-11);
  }
}

TEST_CASE(
    "a ring all-reduce step by step takes 2 (n - 1) (latency + bytes / n / bandwidth), to the picosecond") {
  for (const std::uint32_t ranks : {2u, 3u, 8u, 64u}) {
    const Ring ring{ranks, 1024.0 * 1024 * 1024};
    const Case made = ring.build();
    CHECK(made.graph.size() == std::size_t{2} * (ranks - 1) * ranks);
    const auto timeline = play(made);
    CHECK(timeline.end == ring.theory());
    CHECK(timeline.solves == 0);
  }
}

TEST_CASE("independent tasks all start at 0 and take their work") {
  const Case made = independent(500);
  const auto timeline = play(made);
  for (std::uint32_t i = 0; i < 500; ++i) {
    CHECK(timeline.spans[i].start == Time{});
    CHECK(timeline.spans[i].end == Time::ceil({made.graph.work({i})}));
  }
}

TEST_CASE("a stream's kernels follow each other without a gap") {
  const Case made = streams(3, 50);
  const auto timeline = play(made);
  for (std::uint32_t i = 0; i < 150; ++i)
    CHECK(timeline.spans[i].start == (i % 50 == 0 ? Time{} : timeline.spans[i - 1].end));
}
