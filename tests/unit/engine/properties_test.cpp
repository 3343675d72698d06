/// What must hold for every graph, on random ones with fixed seeds.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/world.h"
#include "timeline/fingerprint.h"

using namespace rigcast;
using namespace rigcast::engine;
using task::TaskId;

namespace {

/// A random graph over a few links: flows with one to three uses, some bounded, some after a latency, some in
/// lanes, with random edges forward. `order` gives the place of each task; `scale` multiplies bytes and
/// bandwidths.
World random_world(std::uint64_t seed, double scale = 1, const std::vector<std::uint32_t>& order = {},
                   bool lanes = true) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  World world;
  constexpr int kTasks = 60, kLinks = 5;
  for (int i = 0; i < kLinks; ++i) world.link(scale * (1 + below(50)));
  const task::LaneId lane[2] = {world.graph.add_lane("one"), world.graph.add_lane("two")};
  std::vector<task::Task> tasks(kTasks);
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < kTasks; ++i) {
    std::vector<task::Use> uses;
    for (std::uint32_t l = 0; l < kLinks; ++l)
      if (below(3) == 0) uses.push_back({{l}, 1 + 0.25 * below(4)});
    const double bound = uses.empty() || below(3) == 0 ? scale * (1 + below(20)) : kUnbounded;
    tasks[i].demand =
        world.graph.intern(world.demand(uses, bound, Time{below(2) * std::int64_t{500'000'000'000}}));
    tasks[i].work = scale * below(200) / 8;
    if (below(4) == 0 && lanes) tasks[i].lane = lane[below(2)];
    tasks[i].priority = i;
    for (int e = below(3); e > 0 && i > 0; --e) edges.emplace_back(below(i), i);
  }
  std::vector<std::uint32_t> place(kTasks);
  std::iota(place.begin(), place.end(), 0u);
  if (!order.empty()) place = order;
  std::vector<std::uint32_t> at(kTasks);
  for (std::uint32_t i = 0; i < kTasks; ++i) at[place[i]] = i;
  for (const std::uint32_t i : at) world.graph.add(tasks[i]);
  for (const auto& [before, after] : edges) world.graph.add_edge({place[before]}, {place[after]});
  return world;
}

}  // namespace

TEST_CASE(
    "work is conserved: the steps of a task add up to its work, contiguous, from its latency's end to its "
    "own") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world = random_world(seed);
    const auto timeline = world.play();
    std::vector<double> done(world.graph.size());
    std::vector<Time> reached(world.graph.size());
    for (std::uint32_t i = 0; i < world.graph.size(); ++i)
      reached[i] = timeline.spans[i].start + world.graph.demand({i}).latency;
    double fastest = 0;
    for (const timeline::RateStep& step : timeline.steps) {
      CHECK(step.start == reached[step.task.index]);
      CHECK(step.end > step.start);
      reached[step.task.index] = step.end;
      done[step.task.index] += step.rate * (step.end - step.start).seconds().value;
      fastest = std::max(fastest, step.rate);
    }
    for (std::uint32_t i = 0; i < world.graph.size(); ++i) {
      CHECK(reached[i] == timeline.spans[i].end);
      CHECK(std::fabs(done[i] - world.graph.work({i})) <= fastest * 2e-12 + 1e-12 * done[i]);
    }
  }
}

TEST_CASE("no resource is ever used beyond its capacity") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world = random_world(seed);
    const auto timeline = world.play();
    for (const timeline::RateStep& at : timeline.steps) {
      std::vector<double> used(world.resources.size());
      for (const timeline::RateStep& step : timeline.steps)
        if (step.start <= at.start && at.start < step.end)
          for (const task::Use& use : world.graph.demand(step.task).uses)
            used[use.resource.index] += step.rate * use.per_work;
      for (std::size_t r = 0; r < used.size(); ++r)
        CHECK(used[r] <= world.resources.all()[r].capacity * (1 + 1e-12));
    }
  }
}

TEST_CASE("what is recorded as cause ended at that very instant, and order is kept") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world = random_world(seed);
    const auto timeline = world.play();
    for (std::uint32_t i = 0; i < world.graph.size(); ++i) {
      const timeline::Span& span = timeline.spans[i];
      if (span.cause.valid())
        CHECK(timeline.spans[span.cause.index].end == span.start);
      else
        CHECK(span.start == Time{});
      for (const TaskId after : world.graph.successors({i}))
        CHECK(timeline.spans[after.index].start >= span.end);
    }
  }
}

TEST_CASE("the same graph gives the same timeline, recorded or not") {
  World world = random_world(7);
  const auto one = world.play(), other = world.play();
  CHECK(one.fingerprint == other.fingerprint);
  CHECK(one.steps.size() == other.steps.size());
  CHECK(one.fingerprint == timeline::fingerprint(one.spans));
  const auto bare = simulate(world.graph, world.resources, {false, false});
  REQUIRE(bare.has_value());
  CHECK(bare->fingerprint == one.fingerprint);
  CHECK(bare->spans.empty());
  CHECK(bare->steps.empty());
}

TEST_CASE("bytes and bandwidths doubled together: the same times, bit for bit") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    CHECK(random_world(seed, 2).play().fingerprint == random_world(seed).play().fingerprint);
}

TEST_CASE("numbering the tasks in another order changes no time") {
  // Sums are taken in another order, so rates may differ in the last place and ends by a few picoseconds, no
  // more.
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    World world = random_world(seed);
    std::vector<std::uint32_t> order(world.graph.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    World shuffled = random_world(seed, 1, order);
    const auto expected = world.play(), got = shuffled.play();
    for (std::uint32_t i = 0; i < order.size(); ++i)
      CHECK(std::llabs((got.spans[order[i]].end - expected.spans[i].end).picoseconds) <= 50);
  }
}

TEST_CASE("no task is faster than alone, and the whole no faster than its most loaded resource") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world = random_world(seed);
    const auto timeline = world.play();
    std::vector<double> load(world.resources.size());
    for (std::uint32_t i = 0; i < world.graph.size(); ++i) {
      const task::Demand& demand = world.graph.demand({i});
      double rate = demand.rate_bound;
      for (const task::Use& use : demand.uses) {
        rate = std::min(rate, world.resources[use.resource].capacity / use.per_work);
        load[use.resource.index] += world.graph.work({i}) * use.per_work;
      }
      const double alone = demand.latency.seconds().value + world.graph.work({i}) / rate;
      CHECK((timeline.spans[i].end - timeline.spans[i].start).seconds().value >= alone - 2e-12);
    }
    for (std::size_t r = 0; r < load.size(); ++r)
      CHECK(timeline.end.seconds().value >= load[r] / world.resources.all()[r].capacity - 1e-9);
  }
}
