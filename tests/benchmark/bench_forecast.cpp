/// A whole forecast in one process, by size: from the embedded catalogue's text to shares and what would
/// help.

#include <benchmark/benchmark.h>

#include <string>

#include "config/load.h"
#include "study/forecast.h"

using namespace rigcast;

namespace {

plan::Scenario scenario(const std::string& machine, const std::string& workload) {
  Diagnostics diagnostics;
  const config::Library library = config::load_library({}, {}, diagnostics);
  config::Request request;
  request.machine = machine;
  request.workload = workload;
  auto loaded = config::load_scenario(library, request, diagnostics);
  return std::move(loaded->scenario);
}

void cold(benchmark::State& state, const std::string& machine, const std::string& workload) {
  for (auto _ : state) benchmark::DoNotOptimize(study::forecast(scenario(machine, workload)));
}

/// What a sweep repeats: no what-if, nothing read again.
void warm(benchmark::State& state, const std::string& machine, const std::string& workload) {
  const plan::Scenario loaded = scenario(machine, workload);
  for (auto _ : state)
    benchmark::DoNotOptimize(study::forecast(loaded, {.what_would_help = false, .largest_batch = false}));
}

BENCHMARK_CAPTURE(cold, small_1_gpu, "desk-1x3090-nvme", "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cold, medium_8_gpus, "dgx1-v100", "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cold, big_72_gpus, "gb200-nvl72", "bert-large")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(warm, small_1_gpu, "desk-1x3090-nvme", "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(warm, medium_8_gpus, "dgx1-v100", "resnet50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(warm, big_72_gpus, "gb200-nvl72", "bert-large")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
