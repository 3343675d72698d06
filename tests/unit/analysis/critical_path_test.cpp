#include <doctest/doctest.h>

#include "analysis/small_run.h"

namespace rigcast::analysis {
namespace {

using task::Kind;
using task::Phase;

TEST_CASE("a run of kernels alone on its lane is spent on its slices") {
  // Slices 2 s matrix, 1 s memory; one task an iteration. Shares 2/3 and 1/3; the memory used is named.
  SmallRun run;
  const task::ResourceId memory = run.resources.add({"gpu0.memory", Kind::kGpuMemory, 100, "B"});
  const task::LaneId lane = run.graph.add_lane("gpu0 stream");
  const task::BreakdownId slices =
      run.graph.add_breakdown({{0, Kind::kGpuMatrix, 2}, {0, Kind::kGpuMemory, 1}});
  const task::Demand demand{{{memory, 10}}, 1, 0.1, Kind::kDependency, {}, {}};
  for (int i = 0; i < 4; ++i) run.end(i, run.add(Phase::kForward, i, 3, demand, lane, {}, slices));
  run.play();
  const CriticalPath path = run.path();
  REQUIRE(path.shares.size() == 2);
  CHECK(path.shares[0].kind == Kind::kGpuMatrix);
  CHECK_FALSE(path.shares[0].resource.valid());
  CHECK(path.shares[0].share == doctest::Approx(2.0 / 3));
  CHECK(path.shares[0].seconds.value == doctest::Approx(2));
  CHECK(path.shares[1].resource == memory);
  CHECK(path.shares[1].share == doctest::Approx(1.0 / 3));
  CHECK(path.periods == 1);
}

/// Each iteration reads 10 units (read_s seconds alone) and then computes compute_s; at most `slots` reads
/// are ahead.
SmallRun reading(double read_s, double compute_s, double slots) {
  SmallRun run;
  const task::ResourceId disk = run.resources.add({"nvme0", Kind::kStorage, 10 / read_s, "B"});
  const task::LaneId reader = run.graph.add_lane("reader"), stream = run.graph.add_lane("gpu0 stream");
  const task::PoolId queue = run.graph.add_pool("queue", slots);
  const task::Demand read{{{disk, 1}}, kUnbounded, 1, Kind::kDependency, {}, {}};
  for (int i = 0; i < 6; ++i) {
    const task::TaskId fetched = run.add(Phase::kRead, i, 10, read, reader);
    const task::TaskId computed =
        run.add(Phase::kForward, i, compute_s, alone(Kind::kGpuMatrix), stream, {fetched});
    run.graph.acquire(fetched, {queue, 1});
    run.graph.release(computed, {queue, 1});
    run.end(i, computed);
  }
  run.play();
  return run;
}

TEST_CASE("a storage-bound machine is all storage, although its last iteration ends in a kernel") {
  // Reads take 10 s, kernels 4 s, two reads may be ahead: one iteration every 10 s, never waiting for the
  // kernels.
  const SmallRun run = reading(10, 4, 2);
  CHECK(run.steady().iteration.value == doctest::Approx(10));
  const CriticalPath path = run.path();
  REQUIRE(path.shares.size() == 1);
  CHECK(path.shares[0].kind == Kind::kStorage);
  CHECK(path.shares[0].resource == task::ResourceId{0});
  CHECK(path.shares[0].seconds.value == doctest::Approx(10));
  for (const CriticalStep& step : path.steps) CHECK(run.graph.label(step.task).phase == Phase::kRead);
}

TEST_CASE("a compute-bound machine is all compute, although its first iteration waits for a read") {
  const SmallRun run = reading(3, 5, 2);
  CHECK(run.steady().iteration.value == doctest::Approx(5));
  const CriticalPath path = run.path();
  CHECK(share(path, Kind::kGpuMatrix) == doctest::Approx(1));
}

TEST_CASE("a queue of one place makes reading and computing take turns") {
  // Read 3 s, compute 5 s, nothing ahead: 8 s, of which 3/8 and 5/8.
  const SmallRun run = reading(3, 5, 1);
  CHECK(run.steady().iteration.value == doctest::Approx(8));
  const CriticalPath path = run.path();
  CHECK(share(path, Kind::kStorage) == doctest::Approx(3.0 / 8));
  CHECK(share(path, Kind::kGpuMatrix) == doctest::Approx(5.0 / 8));
}

TEST_CASE("what a crowd on a resource costs belongs to the resource, the rest to the task itself") {
  // Memory of 10 B/s. The kernel would use 8 B/s alone (share 1/8), a copy takes what it gets (share 1): 5
  // B/s each, so the kernel runs at 5/8 of its pace. 5/8 of its time is its own (matrix), 3/8 is memory.
  SmallRun run;
  const task::ResourceId memory = run.resources.add({"gpu0.memory", Kind::kGpuMemory, 10, "B"});
  const task::LaneId lane = run.graph.add_lane("gpu0 stream");
  run.add(Phase::kOther, 0, 1e6, {{{memory, 1}}, kUnbounded, 1, Kind::kPcie, {}, {}});
  const task::Demand kernel{{{memory, 8}}, 1, 1.0 / 8, Kind::kGpuMatrix, {}, {}};
  for (int i = 0; i < 4; ++i) run.end(i, run.add(Phase::kForward, i, 5, kernel, lane));
  run.play();
  CHECK(run.steady().iteration.value == doctest::Approx(8));
  const CriticalPath path = run.path();
  CHECK(share(path, Kind::kGpuMatrix) == doctest::Approx(5.0 / 8));
  CHECK(share(path, Kind::kGpuMemory) == doctest::Approx(3.0 / 8));
}

TEST_CASE("latency before the work is counted as what it is") {
  // 2 s latency, then 6 B at 2 B/s: 5 s, of which 2/5 latency, 3/5 link.
  SmallRun run;
  const task::ResourceId link = run.resources.add({"gpu0->gpu1", Kind::kGpuLink, 2, "B"});
  const task::LaneId lane = run.graph.add_lane("channel");
  const task::Demand demand{{{link, 1}}, kUnbounded, 1, Kind::kDependency, at(2), Kind::kCollectiveLatency};
  for (int i = 0; i < 4; ++i) run.end(i, run.add(Phase::kGradientSync, i, 6, demand, lane));
  run.play();
  const CriticalPath path = run.path();
  CHECK(share(path, Kind::kCollectiveLatency) == doctest::Approx(2.0 / 5));
  CHECK(share(path, Kind::kGpuLink) == doctest::Approx(3.0 / 5));
}

TEST_CASE("iterations that alternate are attributed over two of them") {
  // Even ones take 3 s of matrix, odd ones 5 s of memory: period 2, mean 4 s, shares 3/8 and 5/8.
  SmallRun run;
  const task::LaneId lane = run.graph.add_lane("gpu0 stream");
  for (int i = 0; i < 6; ++i) {
    const bool odd = i % 2 == 1;
    run.end(i,
            run.add(Phase::kForward, i, odd ? 5 : 3, alone(odd ? Kind::kGpuMemory : Kind::kGpuMatrix), lane));
  }
  run.play();
  CHECK(run.steady().iteration.value == doctest::Approx(4));
  const CriticalPath path = run.path();
  CHECK(path.periods == 2);
  CHECK(share(path, Kind::kGpuMatrix) == doctest::Approx(3.0 / 8));
  CHECK(share(path, Kind::kGpuMemory) == doctest::Approx(5.0 / 8));
  double seconds = 0;
  for (const Share& entry : path.shares) seconds += entry.seconds.value;
  CHECK(seconds == doctest::Approx(4));
}

TEST_CASE("shares add up to 1 and the steps leave no gap, also with awkward times") {
  for (const double read_s : {1.0 / 3, 0.7, 2.1, 5.000001}) {
    const SmallRun run = reading(read_s, 1.1, 2);
    const CriticalPath path = run.path();
    CHECK(total(path) == doctest::Approx(1).epsilon(1e-9));
    for (std::size_t i = 1; i < path.steps.size(); ++i) CHECK(path.steps[i].end == path.steps[i - 1].start);
    const double length = (path.steps.front().end - path.steps.back().start).seconds().value;
    CHECK(length == doctest::Approx(path.periods * run.steady().iteration.value));
  }
}

TEST_CASE("without a steady state the window of the ends is attributed, cut to its borders") {
  // Iterations of 8, 4, 2, 1 s on one lane never repeat; the later half is the last two: 2 and 1 s.
  SmallRun run;
  const task::LaneId lane = run.graph.add_lane("gpu0 stream");
  const double lengths[] = {9, 8, 4, 2, 1};
  const Kind kinds[] = {Kind::kPcie, Kind::kPcie, Kind::kPcie, Kind::kGpuMatrix, Kind::kGpuMemory};
  for (int i = 0; i < 5; ++i) run.end(i, run.add(Phase::kForward, i, lengths[i], alone(kinds[i]), lane));
  run.play();
  CHECK_FALSE(run.steady().reached);
  const CriticalPath path = run.path();
  CHECK(share(path, Kind::kGpuMatrix) == doctest::Approx(2.0 / 3));
  CHECK(share(path, Kind::kGpuMemory) == doctest::Approx(1.0 / 3));
}

}  // namespace
}  // namespace rigcast::analysis
