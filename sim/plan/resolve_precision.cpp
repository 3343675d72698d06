#include <fmt/format.h>

#include <algorithm>

#include "plan/resolve.h"

namespace rigcast::plan {

bool supports(const hardware::GpuPart& gpu, Precision precision) {
  const hardware::PeakRates& peak = gpu.peak;
  const bool half =
      peak.fp16_matrix.value > 0 || peak.fp16_matrix_fp16_accumulate.value > 0 || peak.fp16_vector.value > 0;
  switch (precision) {
    case Precision::kFp64:
      return peak.fp64.value > 0 || peak.fp64_matrix.value > 0;
    case Precision::kFp32:
      return peak.fp32.value > 0;
    case Precision::kTf32:
      return peak.tf32_matrix.value > 0;
    case Precision::kAmpFp16:
    case Precision::kFp16:
      return half;
    case Precision::kAmpBf16:
    case Precision::kBf16:
      return peak.bf16_matrix.value > 0;
    case Precision::kFp8:
      return peak.fp8_matrix.value > 0;
    case Precision::kInt8:
      return peak.int8_matrix.value > 0 || peak.int8_vector.value > 0;
    // Four-bit weights are widened to 16 bits before they are multiplied.
    case Precision::kInt4:
      return half;
  }
  return false;
}

void resolve_precision(Resolving& r) {
  std::vector<const hardware::GpuPart*> gpus = gpus_of_node(r.machine);
  gpus.resize(std::min(gpus.size(), static_cast<std::size_t>(r.out.gpus)));
  const auto every = [&](auto has) { return std::all_of(gpus.begin(), gpus.end(), has); };

  if (!r.plan.precision) {
    if (every([](const auto* gpu) { return gpu->peak.bf16_matrix.value > 0; }))
      r.out.precision = Precision::kAmpBf16;
    else if (every([](const auto* gpu) { return gpu->peak.fp16_matrix.value > 0; }))
      r.out.precision = Precision::kAmpFp16;
    else
      r.out.precision = Precision::kFp32;
    return;
  }
  r.out.precision = *r.plan.precision;
  const bool integer = r.out.precision == Precision::kInt8 || r.out.precision == Precision::kInt4;
  if (integer && r.plan.mode == Mode::kTraining) {
    r.error({"precision"}, fmt::format("{} is for inference only", name(r.out.precision)),
            "set \"mode\": \"inference\"");
    return;
  }
  for (const hardware::GpuPart* gpu : gpus) {
    if (supports(*gpu, r.out.precision)) continue;
    std::vector<std::string> has;
    for (const std::string& text : names<Precision>())
      if (supports(*gpu, *parse<Precision>(text))) has.push_back(text);
    r.error({"precision"},
            fmt::format("{} has no {}", gpu->name.empty() ? gpu->id : gpu->name, name(r.out.precision)),
            fmt::format("it has {}", fmt::join(has, ", ")));
    return;
  }
}

}  // namespace rigcast::plan
