#include "analysis/attribution.h"

#include <doctest/doctest.h>

#include <map>

#include "analysis/small_run.h"

namespace rigcast::analysis {
namespace {

using task::Kind;

/// A task with slices matrix 4 s, vector 2 s that ran its first 3 s of own time alone and the rest at half
/// pace because of the memory: 1 s latency, 3 s at rate 1, 6 s at rate 1/2.
struct Fixture {
  task::Graph graph;
  task::Resources resources;
  task::TaskId task;
  timeline::Span span{at(0), at(10), {}, {}};
  std::vector<timeline::RateStep> steps;

  Fixture() {
    const task::ResourceId memory = resources.add({"gpu0.memory", Kind::kGpuMemory, 100, "B"});
    const task::BreakdownId slices =
        graph.add_breakdown({{0, Kind::kGpuMatrix, 4}, {0, Kind::kGpuVector, 2}});
    task = graph.add({{},
                      6,
                      graph.intern({{{memory, 50}}, 1, 1, Kind::kDependency, at(1), Kind::kHostLaunch}),
                      {},
                      0,
                      slices});
    graph.seal();
    steps = {{task, at(1), at(4), 1, {}}, {task, at(4), at(10), 0.5, memory}};
  }

  std::map<Kind, double> between(double from, double to) const {
    std::map<Kind, double> spent;
    attribute(graph, resources, task, span, steps, at(from), at(to),
              [&](Kind kind, task::ResourceId, double seconds) { spent[kind] += seconds; });
    return spent;
  }
};

TEST_CASE("the whole of a task divides into latency, own slices and what others cost") {
  // Own time 3 s + 3 s = all slices; the crowd cost the other half of the 6 s.
  const auto spent = Fixture().between(0, 10);
  CHECK(spent.at(Kind::kHostLaunch) == doctest::Approx(1));
  CHECK(spent.at(Kind::kGpuMatrix) == doctest::Approx(4));
  CHECK(spent.at(Kind::kGpuVector) == doctest::Approx(2));
  CHECK(spent.at(Kind::kGpuMemory) == doctest::Approx(3));
}

TEST_CASE("a part of a task starts in the slice that was running then") {
  // From 6 to 10 s: own time 4 to 6 s (rate 1/2), which is all of the second slice; 2 s cost the crowd.
  const auto late = Fixture().between(6, 10);
  CHECK(late.count(Kind::kGpuMatrix) == 0);
  CHECK(late.at(Kind::kGpuVector) == doctest::Approx(2));
  CHECK(late.at(Kind::kGpuMemory) == doctest::Approx(2));
  // From 0.5 to 2 s: half a second of latency and one of matrix.
  const auto early = Fixture().between(0.5, 2);
  CHECK(early.at(Kind::kHostLaunch) == doctest::Approx(0.5));
  CHECK(early.at(Kind::kGpuMatrix) == doctest::Approx(1));
}

}  // namespace
}  // namespace rigcast::analysis
