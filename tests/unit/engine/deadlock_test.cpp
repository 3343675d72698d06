#include "engine/world.h"

using namespace rigcast;
using namespace rigcast::engine;
using task::PoolId;
using task::TaskId;

namespace {

Deadlock deadlock(World& world) {
  world.graph.seal();
  const auto result = simulate(world.graph, world.resources);
  REQUIRE_FALSE(result.has_value());
  return result.error();
}

}  // namespace

TEST_CASE("a pool that only a later task refills: the cycle through pool and predecessor, in words") {
  // first takes the only slot and ends at 1 s; second wants it; last gives it back but comes after second.
  World world;
  const PoolId pool = world.graph.add_pool("queue", 1);
  const TaskId first = world.wait(1, {}, 0, "first"), second = world.wait(1, {}, 0, "second"),
               last = world.wait(1, {}, 0, "last");
  world.graph.acquire(first, {pool, 1});
  world.graph.acquire(second, {pool, 1});
  world.graph.release(last, {pool, 1});
  world.graph.add_edge(first, second);
  world.graph.add_edge(second, last);
  const Deadlock found = deadlock(world);
  CHECK(found.time == seconds(1));
  CHECK(found.cycle == std::vector{second, last});
  CHECK(found.text ==
        "deadlock at 1.00 s: other second iteration 0 rank 0 waits for 1 of pool \"queue\" (0 of 1 left), "
        "which "
        "other last iteration 0 rank 0 gives back when it ends; other last iteration 0 rank 0 waits for "
        "other second "
        "iteration 0 rank 0 to end");
}

TEST_CASE("a pool that nobody refills: the task alone, and that no one will give back what it lacks") {
  World world;
  const PoolId pool = world.graph.add_pool("bytes", 3);
  const TaskId a = world.wait(2, {}, 0, "a"), b = world.wait(1, {}, 0, "b");
  world.graph.acquire(a, {pool, 2});
  world.graph.acquire(b, {pool, 2});
  const Deadlock found = deadlock(world);
  CHECK(found.time == seconds(2));
  CHECK(found.cycle == std::vector{b});
  CHECK(found.text ==
        "deadlock at 2.00 s: other b iteration 0 rank 0 waits for 2 of pool \"bytes\" (1 of 3 left), which "
        "no task left "
        "gives back");
}

TEST_CASE("a cycle of predecessors, which verify() would have caught, is reported as well") {
  World world;
  const TaskId a = world.wait(1, {}, 0, "a"), b = world.wait(1, {}, 0, "b"), c = world.wait(1, {}, 0, "c");
  world.graph.add_edge(a, b);
  world.graph.add_edge(b, c);
  world.graph.add_edge(c, b);
  const Deadlock found = deadlock(world);
  CHECK(found.cycle == std::vector{b, c});
}

TEST_CASE("two tasks, each wanting what the other's successor holds back") {
  // a holds x, b holds y (never given back by themselves); c wants y, gives x; d wants x, gives y.
  World world;
  const PoolId x = world.graph.add_pool("x", 1), y = world.graph.add_pool("y", 1);
  const TaskId a = world.wait(1), b = world.wait(1), c = world.wait(1), d = world.wait(1);
  world.graph.acquire(a, {x, 1});
  world.graph.acquire(b, {y, 1});
  world.graph.acquire(c, {y, 1});
  world.graph.acquire(d, {x, 1});
  world.graph.release(c, {x, 1});
  world.graph.release(d, {y, 1});
  CHECK(deadlock(world).cycle == std::vector{c, d});
}
