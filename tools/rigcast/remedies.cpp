#include "remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

#include "base/text.h"
#include "cost/memory.h"
#include "report/words.h"

namespace rigcast::tool {
namespace {

using report::count;
using report::Remedy;

constexpr std::size_t kGpuRemedies = 3;

bool mentions_attention(const workload::Network& network) {
  return std::any_of(network.operators.begin(), network.operators.end(), [](const workload::Operator& op) {
    return std::holds_alternative<workload::Attention>(op.attributes);
  });
}

/// The plan's first GPU; nothing on a machine without any.
const hardware::GpuPart* first_gpu(const hardware::Machine& machine) {
  const std::vector<hardware::DeviceId> gpus = machine.all(hardware::DeviceType::kGpu);
  return gpus.empty() ? nullptr : &machine.device(gpus[0]).gpu();
}

class Search {
 public:
  Search(const plan::Scenario& scenario, report::MemoryFindings& findings)
      : scenario_(scenario), findings_(findings) {}

  void smaller_batch() {
    const double largest = findings_.largest_batch_that_fits.value_or(0);
    if (!(largest >= 1) || largest >= scenario_.plan.batch_per_gpu) return;
    plan::Scenario changed = scenario_;
    const double factor = largest / changed.plan.batch_per_gpu;
    changed.plan.global_batch *= factor;
    changed.plan.batch_per_gpu = largest;
    changed.plan.micro_batch = std::min(changed.plan.micro_batch, largest / changed.plan.grad_accum);
    keep(changed,
         fmt::format("batch {} instead of {} a GPU", count(largest), count(scenario_.plan.batch_per_gpu)));
  }

  /// The same batch in more, smaller passes.
  void accumulation() {
    if (scenario_.plan.mode != plan::Mode::kTraining) return;
    for (int passes = 2; scenario_.plan.micro_batch / passes >= 1; passes *= 2) {
      plan::Scenario changed = scenario_;
      changed.plan.grad_accum *= passes;
      changed.plan.micro_batch /= passes;
      if (keep(changed, fmt::format("the same batch in {} passes of {} (plan.parallel.grad_accum)",
                                    changed.plan.grad_accum, count(changed.plan.micro_batch))))
        return;
    }
  }

  void flash_attention() {
    if (scenario_.plan.flash_attention || !mentions_attention(scenario_.network)) return;
    plan::Scenario changed = scenario_;
    changed.plan.flash_attention = true;
    keep(changed, "flash attention, which keeps no scores (plan.framework.flash_attention)");
  }

  void lower_precision() {
    const plan::Precision now = scenario_.plan.precision;
    const hardware::GpuPart* gpu = first_gpu(scenario_.machine);
    const bool wide =
        now == plan::Precision::kFp64 || now == plan::Precision::kFp32 || now == plan::Precision::kTf32;
    if (gpu == nullptr || !wide) return;
    for (const auto& [precision, rate] : {std::pair{plan::Precision::kAmpBf16, gpu->peak.bf16_matrix},
                                          std::pair{plan::Precision::kAmpFp16, gpu->peak.fp16_matrix}}) {
      if (!(rate.value > 0)) continue;
      plan::Scenario changed = scenario_;
      changed.plan.precision = precision;
      keep(changed, fmt::format("precision {} instead of {}", plan::name(precision), plan::name(now)));
      return;
    }
  }

  /// The smallest memories that are enough, one GPU for each size.
  void larger_gpus(const hardware::Catalogue& catalogue) {
    const hardware::GpuPart* now = first_gpu(scenario_.machine);
    if (now == nullptr) return;
    std::vector<const hardware::GpuPart*> larger;
    for (const auto& entry : catalogue.gpus)
      if (entry.second.memory > now->memory && entry.second.vendor == now->vendor)
        larger.push_back(&entry.second);
    std::stable_sort(larger.begin(), larger.end(),
                     [](const auto* a, const auto* b) { return a->memory < b->memory; });
    std::size_t kept = 0;
    Bytes size;
    for (const hardware::GpuPart* part : larger) {
      if (kept == kGpuRemedies) return;
      if (part->memory == size) continue;
      plan::Scenario changed = scenario_;
      for (hardware::Device& device : changed.machine.devices)
        if (device.type == hardware::DeviceType::kGpu) device.figures = *part;
      if (!keep(changed, fmt::format("{} with {} instead of {}", part->name, binary_bytes(part->memory.value),
                                     now->name)))
        continue;
      size = part->memory;
      ++kept;
    }
  }

 private:
  /// Names the change if the GPUs' part of it fits.
  bool keep(const plan::Scenario& changed, std::string text) {
    const cost::MemoryLedger ledger = cost::memory(changed);
    const cost::GpuMemory* gpu = report::fullest_gpu(ledger);
    if (gpu == nullptr || gpu->used() > gpu->capacity) return false;
    findings_.remedies.push_back({std::move(text), gpu->used(), gpu->capacity});
    return true;
  }

  const plan::Scenario& scenario_;
  report::MemoryFindings& findings_;
};

}  // namespace

report::MemoryFindings find_memory(const plan::Scenario& scenario, const hardware::Catalogue& catalogue) {
  report::MemoryFindings findings{cost::memory(scenario), cost::largest_batch_that_fits(scenario), {}};
  const cost::GpuMemory* gpu = report::fullest_gpu(findings.ledger);
  if (gpu == nullptr || gpu->used() <= gpu->capacity) return findings;
  Search search(scenario, findings);
  search.smaller_batch();
  search.accumulation();
  search.flash_attention();
  search.lower_precision();
  search.larger_gpus(catalogue);
  return findings;
}

}  // namespace rigcast::tool
