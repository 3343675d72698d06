#pragma once

/// Hand-made findings, so that views are tested without a simulation.

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "study/forecast.h"

namespace rigcast::report {

inline plan::Scenario sample_scenario() {
  plan::Scenario scenario;
  scenario.machine.name = "dgx-a100";
  scenario.machine.title = "DGX A100";
  scenario.network.name = "resnet50";
  scenario.network.title = "ResNet-50";
  scenario.network.dataset.unit = "image";
  scenario.plan.gpus = scenario.plan.data = 8;
  scenario.plan.precision = plan::Precision::kAmpFp16;
  scenario.plan.batch_per_gpu = scenario.plan.micro_batch = 256;
  scenario.plan.global_batch = 2048;
  scenario.plan.optimizer = plan::Optimizer::kSgdMomentum;
  return scenario;
}

inline cost::MemoryLedger sample_ledger(double used_gib) {
  constexpr double kGib = 1024.0 * 1024 * 1024;
  cost::MemoryLedger ledger;
  cost::GpuMemory gpu;
  gpu.id = "gpu0";
  gpu.capacity = {40 * kGib};
  gpu.parameters = {1 * kGib};
  gpu.activations = {(used_gib - 1) * kGib};
  ledger.gpus = {gpu, gpu};
  ledger.gpus[1].id = "gpu1";
  ledger.fits = used_gib <= 40;
  ledger.host.capacity = {1024 * kGib};
  ledger.host.pinned = {2 * kGib};
  ledger.operators = {{"conv1", "conv2d", {9408}, {4e8}}, {"fc", "linear", {8e6}, {1e6}}};
  return ledger;
}

/// 100 ms: 61 % GPU memory (2x: 1.25x faster), 25 % tensor cores (2x: 1.1x faster), 14 % latency (helps
/// nothing).
inline study::Forecast sample_forecast() {
  study::Forecast forecast;
  forecast.iteration = {0.1};
  forecast.samples_per_s = 20480;
  forecast.mfu = forecast.hfu = 0.31;
  forecast.epoch = Seconds{62.5};
  forecast.memory = sample_ledger(22);
  forecast.largest_batch_that_fits = 448;
  forecast.bottlenecks = {
      {task::Kind::kGpuMemory, "gpu0.memory", 0.61, {0.061}, Seconds{0.08}, Seconds{0.05}},
      {task::Kind::kGpuMatrix, "gpu0.matrix", 0.25, {0.025}, Seconds{0.1 / 1.1}, Seconds{0.08}},
      {task::Kind::kGpuLatency, "", 0.14, {0.014}, Seconds{0.1}, Seconds{0.1}},
  };
  forecast.resources = {{"gpu0.memory", task::Kind::kGpuMemory, 1.5e12, 0.09, 0.8, 1.2e11},
                        {"gpu0.matrix", task::Kind::kGpuMatrix, 3e14, 0.05, 0.4, {}}};
  forecast.phases.forward_s = 0.03;
  forecast.warnings = {"the batch was left out: 256 a GPU"};
  return forecast;
}

template <class View>
std::string printed(const View& view) {
  std::ostringstream out;
  view(out);
  return out.str();
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace rigcast::report
