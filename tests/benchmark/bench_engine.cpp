/// How fast the engine plays graphs, in size classes. Each time covers simulate() alone unless its name says
/// "build". What each has to reach stands in README.md.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <stdexcept>

#include "cases.h"
#include "engine/simulate.h"

using namespace rigcast;
using namespace rigcast::benchmark_cases;

namespace {

constexpr engine::Options kNothingRecorded{false, false};

timeline::Timeline play(const Case& made, const engine::Options& options = kNothingRecorded) {
  auto result = engine::simulate(made.graph, made.resources, options);
  if (!result) throw std::runtime_error(result.error().text);
  return std::move(*result);
}

/// Events (starts and ends) a second, and how often the sharing was solved in a run.
void report(benchmark::State& state, const timeline::Timeline& timeline) {
  state.counters["events/s"] =
      benchmark::Counter(static_cast<double>(timeline.events), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["solves"] = static_cast<double>(timeline.solves);
}

void run(benchmark::State& state, const Case& made, const engine::Options& options = kNothingRecorded) {
  timeline::Timeline timeline;
  for (auto _ : state) timeline = play(made, options);
  report(state, timeline);
}

void independent_tasks(benchmark::State& state) {
  run(state, independent(static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(independent_tasks)->Arg(1'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void kernel_streams(benchmark::State& state) {
  run(state, streams(64, static_cast<std::uint32_t>(state.range(0)) / 64));
}
BENCHMARK(kernel_streams)->Arg(1'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void kernel_streams_recorded(benchmark::State& state) {
  run(state, streams(64, static_cast<std::uint32_t>(state.range(0)) / 64), {});
}
BENCHMARK(kernel_streams_recorded)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void concurrent_flows(benchmark::State& state) {
  run(state,
      random_flows(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1))));
}
BENCHMARK(concurrent_flows)
    ->ArgNames({"flows", "hosts"})
    ->Args({100, 64})
    ->Args({1'000, 64})
    ->Args({3'000, 64})
    ->Args({10'000, 64})
    ->Args({1'000, 1'024})
    ->Args({10'000, 1'024})
    ->Unit(benchmark::kMillisecond);

/// 1 GiB over all ranks, building included; fails when the end is not the theory's.
void ring_all_reduce_with_build(benchmark::State& state) {
  const Ring ring{static_cast<std::uint32_t>(state.range(0)), 1024.0 * 1024 * 1024};
  timeline::Timeline timeline;
  for (auto _ : state) timeline = play(ring.build());
  if (timeline.end != ring.theory())
    state.SkipWithError("the end differs from 2 (n - 1) (latency + chunk / bandwidth)");
  report(state, timeline);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak MB"] = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}
BENCHMARK(ring_all_reduce_with_build)
    ->ArgName("ranks")
    ->Arg(8)
    ->Arg(64)
    ->Arg(512)
    ->Arg(1'024)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
