/// Who may start: predecessors, lanes, pools; and the cause and reason that are recorded for it.

#include "engine/world.h"

using namespace rigcast;
using namespace rigcast::engine;
using task::LaneId;
using task::PoolId;
using task::TaskId;
using timeline::Span;
using timeline::WaitReason;

namespace {

void check(const Span& span, double start, TaskId cause, WaitReason reason) {
  CHECK(span.start == seconds(start));
  CHECK(span.cause == cause);
  CHECK(span.reason == reason);
}

}  // namespace

TEST_CASE("the cause of a start is the last predecessor to end") {
  World world;
  const TaskId a = world.wait(1), b = world.wait(3), c = world.wait(2), d = world.wait(1);
  for (const TaskId before : {a, b, c}) world.graph.add_edge(before, d);
  const auto timeline = world.play();
  check(timeline.spans[a.index], 0, TaskId::none(), WaitReason::kNone);
  check(timeline.spans[d.index], 3, b, WaitReason::kPredecessor);
}

TEST_CASE("a lane runs one task at a time, in order of id among those ready") {
  World world;
  const LaneId lane = world.graph.add_lane("stream");
  const TaskId a = world.wait(1, lane), b = world.wait(2, lane), c = world.wait(1, lane);
  const auto timeline = world.play();
  check(timeline.spans[a.index], 0, TaskId::none(), WaitReason::kNone);
  check(timeline.spans[b.index], 1, a, WaitReason::kLane);
  check(timeline.spans[c.index], 3, b, WaitReason::kLane);
}

TEST_CASE("the lowest priority number goes first, but what runs is not interrupted") {
  // a runs 0-2. Ready when it ends: b (5), c (-1, since 1), d (0). So c, d, b.
  World world;
  const LaneId lane = world.graph.add_lane("stream");
  const TaskId a = world.wait(2, lane, -9), b = world.wait(1, lane, 5), c = world.wait(1, lane, -1),
               d = world.wait(1, lane, 0), late = world.wait(1);
  world.graph.add_edge(late, c);
  const auto timeline = world.play();
  check(timeline.spans[c.index], 2, a, WaitReason::kLane);
  check(timeline.spans[d.index], 3, c, WaitReason::kLane);
  check(timeline.spans[b.index], 4, d, WaitReason::kLane);
}

TEST_CASE("a task becomes ready the moment its lane comes free: the lowest of all that are ready then") {
  // a holds the lane to 1; c waits since 0; b is ready at 1 and has the lower id.
  World world;
  const LaneId lane = world.graph.add_lane("stream");
  const TaskId a = world.wait(1, lane), b = world.wait(1, lane), c = world.wait(1, lane),
               other = world.wait(1);
  world.graph.add_edge(other, b);
  const auto timeline = world.play();
  check(timeline.spans[b.index], 1, other, WaitReason::kPredecessor);
  check(timeline.spans[c.index], 2, b, WaitReason::kLane);
  CHECK(timeline.spans[a.index].end == seconds(1));
}

TEST_CASE("latency holds the lane") {
  World world;
  const LaneId lane = world.graph.add_lane("stream");
  world.add(1, world.demand({}, 1, seconds(2)), lane);
  const TaskId b = world.wait(1, lane);
  CHECK(world.play().spans[b.index].start == seconds(3));
}

TEST_CASE("a bounded queue: producers run ahead by its slots and no further") {
  // Producers 1 s on one lane, each takes one of 2 slots when it starts; consumers 3 s, in order, give it
  // back at the end. p0 0-1, p1 1-2 fill the queue. c0 1-4 frees a slot at 4: p2 4-5. c1 4-7: p3 7-8. c2
  // 7-10, c3 10-13.
  World world;
  const LaneId reader = world.graph.add_lane("reader"), gpu = world.graph.add_lane("gpu");
  const PoolId queue = world.graph.add_pool("queue", 2);
  std::vector<TaskId> produce, consume;
  for (int i = 0; i < 4; ++i) {
    produce.push_back(world.wait(1, reader));
    consume.push_back(world.wait(3, gpu));
    world.graph.add_edge(produce[i], consume[i]);
    world.graph.acquire(produce[i], {queue, 1});
    world.graph.release(consume[i], {queue, 1});
  }
  const auto timeline = world.play();
  check(timeline.spans[produce[1].index], 1, produce[0], WaitReason::kLane);
  check(timeline.spans[consume[0].index], 1, produce[0], WaitReason::kPredecessor);
  check(timeline.spans[produce[2].index], 4, consume[0], WaitReason::kPool);
  check(timeline.spans[consume[1].index], 4, consume[0], WaitReason::kLane);
  check(timeline.spans[produce[3].index], 7, consume[1], WaitReason::kPool);
  CHECK(timeline.end == seconds(13));
}

TEST_CASE("a task waits for all its pools at once and holds none meanwhile") {
  // x has 1, y has 1. a takes y to 2. b wants x and y from 0: waits. c wants x: takes it, as b holds nothing.
  World world;
  const PoolId x = world.graph.add_pool("x", 1), y = world.graph.add_pool("y", 1);
  const TaskId a = world.wait(2), b = world.wait(1), c = world.wait(3);
  for (const auto& [task, pool] : {std::pair{a, y}, {b, x}, {b, y}, {c, x}}) {
    world.graph.acquire(task, {pool, 1});
    world.graph.release(task, {pool, 1});
  }
  const auto timeline = world.play();
  check(timeline.spans[c.index], 0, TaskId::none(), WaitReason::kNone);
  check(timeline.spans[b.index], 3, c, WaitReason::kPool);
}

TEST_CASE("a smaller request passes a bigger one that cannot be met yet, on its lane too") {
  World world;
  const LaneId lane = world.graph.add_lane("copies");
  const PoolId bytes = world.graph.add_pool("bytes", 10);
  const TaskId holder = world.wait(5), big = world.wait(1, lane), small = world.wait(1, lane);
  for (const auto& [task, amount] : {std::pair{holder, 6.0}, {big, 8.0}, {small, 4.0}}) {
    world.graph.acquire(task, {bytes, amount});
    world.graph.release(task, {bytes, amount});
  }
  const auto timeline = world.play();
  check(timeline.spans[small.index], 0, TaskId::none(), WaitReason::kNone);
  check(timeline.spans[big.index], 5, holder, WaitReason::kPool);
}

TEST_CASE("a pool hands out what came back in order of (priority, id), as far as it goes") {
  // One slot of three comes back at each of 1, 2, 3 s; waiting: w0 (priority 2), w1 (0), w2 (1).
  World world;
  const PoolId slots = world.graph.add_pool("slots", 3);
  const TaskId h[3] = {world.wait(1), world.wait(2), world.wait(3)};
  const TaskId w[3] = {world.wait(9, {}, 2), world.wait(9, {}, 0), world.wait(9, {}, 1)};
  for (const TaskId task : h) {
    world.graph.acquire(task, {slots, 1});
    world.graph.release(task, {slots, 1});
  }
  for (const TaskId task : w) {
    world.graph.add_edge(world.wait(0.5), task);
    world.graph.acquire(task, {slots, 1});
  }
  const auto timeline = world.play();
  check(timeline.spans[w[1].index], 1, h[0], WaitReason::kPool);
  check(timeline.spans[w[2].index], 2, h[1], WaitReason::kPool);
  check(timeline.spans[w[0].index], 3, h[2], WaitReason::kPool);
}

TEST_CASE("the observer sees every start and end in simulation order") {
  struct Log : Observer {
    std::string text;
    void started(TaskId task, Time) override { text += "+" + std::to_string(task.index); }
    void ended(TaskId task, Time) override { text += "-" + std::to_string(task.index); }
  } log;
  World world;
  const LaneId lane = world.graph.add_lane("stream");
  world.wait(1, lane);
  world.wait(1, lane);
  world.wait(1);
  const auto timeline = world.play(&log);
  CHECK(log.text == "+2+0-0-2+1-1");
  CHECK(timeline.events == 6);
}
