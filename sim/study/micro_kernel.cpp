/// A kernel row is one library call on one part. It goes through the very functions that cost the operators
/// of whole networks, with a plan that has no framework: no dispatch, the part's own kernel latency. Rows of
/// a framework that is timed call by call add its host time.

#include "study/micro_kernel.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace rigcast::study {
namespace {

/// The reference core (instructions per clock and turbo of thread_speed): rows of kernels seldom name a host.
hardware::CpuPart reference_host() {
  hardware::CpuPart host;
  host.turbo_clock = {3.5e9};
  return host;
}

std::string_view kind_of(const cost::Kernel& kernel) {
  if (kernel.latency > kernel.busy()) return "gpu.latency";
  switch (kernel.bound()) {
    case cost::Bound::kMatrix:
      return "gpu.matrix";
    case cost::Bound::kVector:
      return "gpu.vector";
    default:
      return "gpu.memory";
  }
}

}  // namespace

const hardware::GpuPart* KernelRow::gpu() const {
  const auto found = catalogue.gpus.find(row.text("gpu"));
  return found == catalogue.gpus.end() ? nullptr : &found->second;
}

bool KernelRow::says(std::string_view key, std::string_view words) const {
  return lower_case(row.text(key)).find(lower_case(std::string(words))) != std::string::npos;
}

MicroForecast unresolved(std::string reason) {
  MicroForecast forecast;
  forecast.reason = std::move(reason);
  return forecast;
}

std::optional<plan::Precision> precision_of(const Row& row) {
  return plan::parse<plan::Precision>(row.text("precision", "fp32"));
}

cost::GpuModel library_model(const KernelRow& row, const hardware::GpuPart& gpu, plan::Precision precision) {
  plan::ResolvedPlan plan;
  plan.mode = plan::Mode::kInference;
  plan.precision = precision;
  plan.framework = "library";
  plan.flash_attention = true;
  cost::GpuModel model = cost::gpu_model(gpu, reference_host(), plan, row.profile);
  // Benchmarks run one kernel again and again: what fits stays in L2 between runs.
  const std::string architecture = lower_case(gpu.architecture);
  model.execution.kernel_latency = {row.constant("architecture", architecture, "kernel_latency_s")};
  model.resident_reads = gpu.l2 * row.constant("architecture", architecture, "resident_reads");
  return model;
}

CallOverhead call_overhead(const KernelRow& row) {
  // "pytorch", "pytorch matmul", "pytorch copy": calls of a script. A version after the name marks the tuned
  // searches, which time on the GPU.
  const std::string software = lower_case(row.row.text("software"));
  if (!software.starts_with("pytorch") || software.find_first_of("0123456789/") != std::string::npos)
    return {};
  CallOverhead overhead{{row.constant("framework", "library-call", "issue_s")}, {}};
  if (software == "pytorch")
    overhead.synchronise = {row.constant("framework", "library-call", "synchronise_s")};
  return overhead;
}

MicroForecast forecast_of(const KernelRow& row, const std::vector<cost::Kernel>& kernels, Flops flops) {
  Seconds time;
  const cost::Kernel* longest = nullptr;
  for (const cost::Kernel& kernel : kernels) {
    time += kernel.duration();
    if (longest == nullptr || kernel.duration() > longest->duration()) longest = &kernel;
  }
  if (longest == nullptr || !(time.value > 0)) return unresolved("no kernel to run");
  const CallOverhead overhead = call_overhead(row);
  MicroForecast forecast;
  forecast.bottleneck = kind_of(*longest);
  if (overhead.issue > time) forecast.bottleneck = "host.launch";
  time = std::max(time, overhead.issue) + overhead.synchronise;
  if (row.row.is_time())
    forecast.value = time.value;
  else if (row.row.metric() == "flops")
    forecast.value = (flops / time).value;
  else
    return unresolved("a kernel is measured in seconds or flops, not " + row.row.metric());
  return forecast;
}

MicroForecast forecast_kernel_row(const Row& row, const config::Library& library,
                                  const hardware::Profile& profile) {
  const KernelRow kernel{row, library.catalogue, profile};
  const std::string& kind = row.kind();
  if (kind == "membw") return memory_row(kernel);
  if (kind == "launch") return launch_row(kernel);
  if (kernel.gpu() == nullptr) return unresolved("no such gpu in the catalogue: " + row.text("gpu"));
  if (kind == "gemm" || kind == "grouped_gemm") return product_row(kernel);
  if (kind == "conv") return convolution_row(kernel);
  if (kind == "rnn") return recurrent_row(kernel);
  if (kind == "attention") return attention_row(kernel);
  return unresolved("no kernel of kind " + kind);
}

}  // namespace rigcast::study
