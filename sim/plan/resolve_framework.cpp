#include <charconv>

#include "plan/resolve.h"

namespace rigcast::plan {

namespace {

/// PyTorch 2.0 (March 2023) made scaled_dot_product_attention choose kernels that keep no scores.
/// https://pytorch.org/blog/pytorch-2.0-release/
constexpr int kFusedAttentionYear = 2023;
/// The same release made the multi-tensor (foreach) optimizers the default on GPUs.
constexpr int kFusedOptimizerYear = 2023;

bool is_half(Precision precision) {
  return precision != Precision::kFp32 && precision != Precision::kTf32 && precision != Precision::kFp64;
}

int year_of(const std::string& date) {
  int year = 0;
  std::from_chars(date.data(), date.data() + date.size(), year);
  return year;
}

}  // namespace

void resolve_framework(Resolving& r) {
  const Framework& given = r.plan.framework;
  ResolvedPlan& out = r.out;
  out.framework = given.name;
  out.year = given.year.value_or(year_of(r.catalogue.date));
  out.execution = given.execution;
  const bool pytorch = given.name == "pytorch";
  const bool traced = given.name == "tensorflow" || given.name == "jax";
  out.flash_attention =
      given.flash_attention.value_or(pytorch && out.year >= kFusedAttentionYear && is_half(out.precision));
  out.xla = given.xla.value_or(traced && given.execution == Execution::kCompiled);
  out.channels_last = given.channels_last.value_or(false);
  out.fused_optimizer = given.fused_optimizer.value_or(pytorch && out.year >= kFusedOptimizerYear);
  // nn.DataParallel and parameter servers join gradients when the backward pass is over.
  out.overlap = given.overlap.value_or(true);
  out.half_gradients = given.half_gradients;
}

}  // namespace rigcast::plan
