#include <doctest/doctest.h>

#include "analysis/small_run.h"

namespace rigcast::analysis {
namespace {

using task::Kind;
using task::Phase;

TEST_CASE("bytes, busy time and utilisation of a link that works half of each iteration") {
  // 20 B at 10 B/s = 2 s of copying, then 2 s of computing, in turns: a 4 s iteration. The link moves 20 B,
  // is busy 2 s and 20 / (10 x 4) = 50 % used.
  SmallRun run;
  const task::ResourceId link = run.resources.add({"plx0->gpu0", Kind::kPcie, 10, "B"});
  const task::ResourceId unlimited = run.resources.add({"gpu0.memory", Kind::kGpuMemory, kUnbounded, "B"});
  const task::LaneId lane = run.graph.add_lane("gpu0 stream");
  for (int i = 0; i < 4; ++i) {
    const task::TaskId copied = run.add(
        Phase::kCopyIn, i, 20, {{{link, 1}, {unlimited, 1}}, kUnbounded, 1, Kind::kPcie, {}, {}}, lane);
    run.end(i, run.add(Phase::kForward, i, 2, alone(Kind::kGpuMatrix), lane, {copied}));
  }
  run.play();
  const std::vector<Usage> result = usage(run.graph, run.resources, run.timeline, run.steady());
  CHECK(result[link.index].amount == doctest::Approx(20));
  CHECK(result[link.index].busy_s == doctest::Approx(2));
  CHECK(result[link.index].utilisation == doctest::Approx(0.5));
  CHECK(result[unlimited.index].amount == doctest::Approx(20));
  CHECK(result[unlimited.index].utilisation == 0);
}

TEST_CASE("two flows at once count once as busy time and both as bytes") {
  // Two flows of 10 B share 10 B/s: both end after 2 s. Busy 2 s, 20 B.
  SmallRun run;
  const task::ResourceId link = run.resources.add({"plx0->gpu0", Kind::kPcie, 10, "B"});
  const task::Demand flow{{{link, 1}}, kUnbounded, 1, Kind::kPcie, {}, {}};
  task::TaskId last;
  for (int i = 0; i < 3; ++i) {
    std::vector<task::TaskId> before;
    if (last.valid()) before.push_back(last);
    const task::TaskId a = run.add(Phase::kCopyIn, i, 10, flow, {}, before),
                       b = run.add(Phase::kCopyIn, i, 10, flow, {}, before);
    last = run.add(Phase::kOther, i, 0, alone(Kind::kDependency), {}, {a, b});
    run.end(i, last);
  }
  run.play();
  const std::vector<Usage> result = usage(run.graph, run.resources, run.timeline, run.steady());
  CHECK(run.steady().iteration.value == doctest::Approx(2));
  CHECK(result[0].busy_s == doctest::Approx(2));
  CHECK(result[0].amount == doctest::Approx(20));
}

}  // namespace
}  // namespace rigcast::analysis
