/// Rows of launches: what a tiny kernel costs one after another. From a stream every kernel drains, signals
/// and starts anew; in a graph the next one is prepared meanwhile; a grid-wide barrier or a persistent kernel
/// never leaves the multiprocessors. Those are a fixed number of the GPU's clocks. Frameworks add the host's
/// dispatch, and a wait when each call is synchronised.

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "study/micro_kernel.h"

namespace rigcast::study {
namespace {

/// Clocks of GPUs whose row names none: middle of the catalogue.
constexpr double kUsualClock = 1.9e9;

/// "add4096": an addition of square fp32 matrices of that side. 0 for other operations.
double addition_side(const std::string& op) {
  double side = 0;
  if (op.starts_with("add")) std::from_chars(op.data() + 3, op.data() + op.size(), side);
  return side;
}

}  // namespace

MicroForecast launch_row(const KernelRow& row) {
  if (!row.row.is_time()) return unresolved("launches are measured in seconds");
  const hardware::GpuPart* gpu = row.gpu();
  const double clock = gpu != nullptr ? gpu->boost_clock.value : kUsualClock;
  const double launches = row.count("launches");
  const auto cost = [&](const char* member) { return row.constant("launch", member, "seconds"); };
  const auto cycles = [&](const std::string& member) {
    return row.constant("launch", member, "cycles") / clock;
  };
  const bool amd = gpu != nullptr && lower_case(gpu->vendor) == "amd";
  MicroForecast forecast;
  forecast.bottleneck = "host.launch";
  double time = 0;
  if (row.row.text("method") == "graph") {
    // HIP replays a graph as a stream.
    time = cycles(amd ? "stream" : "graph");
    forecast.bottleneck = "gpu.latency";
  } else if (row.says("framework_stated", "grid sync")) {
    time = cycles(amd ? "grid-sync-amd" : "grid-sync");
    forecast.bottleneck = "gpu.latency";
  } else if (row.says("framework_stated", "persistent")) {
    time = cycles("persistent");
    forecast.bottleneck = "gpu.latency";
  } else if (row.says("framework_stated", "triton")) {
    time = cost("triton");
  } else if (row.says("framework_stated", "cpu op")) {
    time = cost("eager-host") * (row.says("framework_stated", "requires_grad") ? 1.35 : 1);
  } else if (row.says("framework_stated", "eager")) {
    double kernel = 0;
    if (const double side = addition_side(row.row.text("op")); side > 0 && gpu != nullptr)
      kernel = 12 * side * side / library_model(row, *gpu, plan::Precision::kFp32).memory_rate.value;
    time = std::max(cost("eager"), kernel);
    if (kernel >= time) forecast.bottleneck = "gpu.memory";
    if (row.says("framework_stated", "sync each")) time += cost("synchronise");
  } else {
    time = cycles("stream");
  }
  forecast.value = time * launches;
  return forecast;
}

}  // namespace rigcast::study
