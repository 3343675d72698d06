/// Work over shared resources, in time. Each case gives the rates by hand.

#include "engine/world.h"

using namespace rigcast;
using namespace rigcast::engine;
using task::ResourceId;
using task::TaskId;

TEST_CASE("alone, work takes work / min(bound, capacity / use), and nothing is solved") {
  // 20 B at min(8, 10 / 2) = 5 B/s: 4 s.
  World world;
  const ResourceId link = world.link(10);
  const TaskId a = world.add(20, world.demand({{link, 2}}, 8));
  const auto timeline = world.play();
  CHECK(timeline.spans[a.index].end == seconds(4));
  CHECK(timeline.end == seconds(4));
  CHECK(timeline.solves == 0);
}

TEST_CASE("two flows on one link share it until the shorter ends") {
  // 10 B/s. 5 each: 10 B end at 2 s; the other has 10 of 20 B left, at 10 B/s until 3 s.
  World world;
  const ResourceId link = world.link(10);
  const TaskId shorter = world.add(10, world.demand({{link, 1}})),
               longer = world.add(20, world.demand({{link, 1}}));
  const auto timeline = world.play();
  CHECK(timeline.spans[shorter.index].end == seconds(2));
  CHECK(timeline.spans[longer.index].end == seconds(3));
}

TEST_CASE("a flow that arrives later slows the first from then on") {
  // 10 B/s. a (20 B) alone to 1 s: 10 left. b (5 B) from 1 s: 5 each, ends at 2 s; a has 5 left: 2.5 s.
  World world;
  const ResourceId link = world.link(10);
  const TaskId a = world.add(20, world.demand({{link, 1}}));
  const TaskId b = world.add(5, world.demand({{link, 1}}, kUnbounded, seconds(1)));
  const auto timeline = world.play();
  CHECK(timeline.spans[b.index].start == Time{});
  CHECK(timeline.spans[b.index].end == seconds(2));
  CHECK(timeline.spans[a.index].end == seconds(2.5));
  // Rates are recorded from the end of the latency, with what limited them.
  REQUIRE(timeline.steps.size() == 4);
  CHECK(timeline.steps[0].task == a);
  CHECK(timeline.steps[0].end == seconds(1));
  CHECK(timeline.steps[0].rate == 10);
  CHECK(timeline.steps[1].task == b);
  CHECK(timeline.steps[1].start == seconds(1));
  CHECK(timeline.steps[1].rate == 5);
  CHECK(timeline.steps[1].limiter == link);
  CHECK(timeline.steps[3].start == seconds(2));
  CHECK(timeline.steps[3].rate == 10);
}

TEST_CASE("a flow below its fair share by its own bound leaves the rest") {
  // 10 B/s. a bound to 2: 4 B in 2 s. b gets 8: 16 B by 2 s, then 10: 10 more by 3 s.
  World world;
  const ResourceId link = world.link(10);
  const TaskId a = world.add(4, world.demand({{link, 1}}, 2)), b = world.add(26, world.demand({{link, 1}}));
  const timeline::Timeline played = world.play();
  CHECK(played.spans[a.index].end == seconds(2));
  CHECK(played.spans[b.index].end == seconds(3));
  REQUIRE(played.steps.size() == 3);
  for (const timeline::RateStep& step : played.steps)
    CHECK(step.limiter == (step.task == a ? task::ResourceId::none() : link));
}

TEST_CASE("latency uses no resource: flows do not meet when one is over before the other's latency") {
  World world;
  const ResourceId link = world.link(10);
  const TaskId a = world.add(10, world.demand({{link, 1}}));
  const TaskId b = world.add(10, world.demand({{link, 1}}, kUnbounded, seconds(1)));
  const auto timeline = world.play();
  CHECK(timeline.spans[a.index].end == seconds(1));
  CHECK(timeline.spans[b.index].end == seconds(2));
  CHECK(timeline.solves == 0);
}

TEST_CASE("zero work and no latency: a whole chain ends at the instant it starts") {
  World world;
  const TaskId a = world.wait(1), b = world.wait(0), c = world.wait(0), d = world.wait(1);
  world.graph.add_edge(a, b);
  world.graph.add_edge(b, c);
  world.graph.add_edge(c, d);
  const auto timeline = world.play();
  CHECK(timeline.spans[b.index].start == seconds(1));
  CHECK(timeline.spans[b.index].end == seconds(1));
  CHECK(timeline.spans[c.index].end == seconds(1));
  CHECK(timeline.spans[c.index].cause == b);
  CHECK(timeline.spans[d.index].end == seconds(2));
}

TEST_CASE("zero work after a latency takes the latency") {
  World world;
  const ResourceId link = world.link(1);
  const TaskId a = world.add(0, world.demand({{link, 1}}, 1, seconds(3)));
  const auto timeline = world.play();
  CHECK(timeline.spans[a.index].end == seconds(3));
  CHECK(timeline.steps.empty());
}

TEST_CASE("without any limit work takes no time; unlimited resources do not limit") {
  World world;
  const ResourceId infinite = world.link(kUnbounded);
  const TaskId a = world.add(1e9, world.demand({})), b = world.add(1e9, world.demand({{infinite, 1}}));
  const TaskId c = world.add(6, world.demand({{infinite, 1}}, 2)),
               d = world.add(6, world.demand({{infinite, 1}}, 3));
  const auto timeline = world.play();
  CHECK(timeline.spans[a.index].end == Time{});
  CHECK(timeline.spans[b.index].end == Time{});
  CHECK(timeline.spans[c.index].end == seconds(3));
  CHECK(timeline.spans[d.index].end == seconds(2));
}

TEST_CASE("ends round up to the picosecond, so that work is never cut short") {
  // 1 B at 3 B/s: 333,333,333,333.3 ps.
  World world;
  const ResourceId link = world.link(3);
  const TaskId a = world.add(1, world.demand({{link, 1}}));
  CHECK(world.play().spans[a.index].end == Time{333'333'333'334});
}

TEST_CASE("two that should end together do, although their rates were rounded differently on the way") {
  // a and b have 1 B each; from 0.1 s to some later time a third flow disturbs both. Equal shares throughout.
  World world;
  const ResourceId link = world.link(3);
  const TaskId a = world.add(1, world.demand({{link, 1}})), b = world.add(1, world.demand({{link, 1}}));
  world.add(0.1, world.demand({{link, 1}}, kUnbounded, seconds(0.1)));
  const auto timeline = world.play();
  CHECK(timeline.spans[a.index].end == timeline.spans[b.index].end);
}

TEST_CASE("what would end after the clock's range ends never, and the run still ends") {
  World world;
  const TaskId a = world.add(1e9, world.demand({}, 1)), b = world.wait(1);
  world.graph.add_edge(a, b);
  const auto timeline = world.play();
  CHECK(timeline.spans[a.index].end == Time::never());
  CHECK(timeline.end == Time::never());
}

TEST_CASE("an empty graph ends at 0") { CHECK(World().play().end == Time{}); }
