#include <fmt/format.h>

#include <cmath>

#include "plan/resolve.h"

/// With D data-parallel ranks: global_batch = batch_per_gpu x D, and a rank does its batch in grad_accum
/// forward passes of micro_batch samples, the last of which may be smaller: grad_accum = ceil(batch_per_gpu /
/// micro_batch). Any one of the four may be left out, and most pairs; what is given is held against what
/// follows from the rest.

namespace rigcast::plan {

namespace {

/// Usual first choices: enough to fill a GPU, and fits one of 16 GB for the common networks.
constexpr double kDefaultSamples = 32;
constexpr double kDefaultSequences = 8;

/// Of an optimizer step; what a 32-bit count holds.
constexpr double kMostSamples = 2147483647;
/// Every pass becomes tasks of its own.
constexpr double kMostPasses = 10000;

std::string ranks(int data) { return fmt::format("{} data-parallel rank{}", data, data == 1 ? "" : "s"); }

/// With room for the rounding of a quotient.
double passes(double batch, double micro) { return std::ceil(batch / micro * (1 - 1e-12)); }

/// Batches in samples. Batches of tokens hold as many samples as their tokens make up; bundles of the
/// source's own are taken as samples.
Plan in_samples(const Resolving& r) {
  Plan plan = r.plan;
  if (plan.batch_unit == BatchUnit::kConcatBatches)
    r.warnings.push_back("batch_unit \"concat batches\": a bundle is taken as one sample");
  if (plan.batch_unit != BatchUnit::kTokens || r.network.tokens_per_sample == 0) return plan;
  const auto tokens = static_cast<double>(r.network.tokens_per_sample);
  for (std::optional<double>* batch : {&plan.global_batch, &plan.batch_per_gpu, &plan.micro_batch})
    if (*batch) **batch /= tokens;
  // A rank's tokens need not make whole samples, which only a global batch may say.
  if (plan.batch_per_gpu && !plan.global_batch) plan.global_batch = *plan.batch_per_gpu * r.out.data;
  return plan;
}

}  // namespace

void resolve_batch(Resolving& r) {
  const Plan plan = in_samples(r);
  const double data = r.out.data;
  const std::optional<int> accumulate = plan.parallel.grad_accum;

  double batch = r.network.tokens_per_sample > 0 ? kDefaultSequences : kDefaultSamples;
  if (plan.batch_per_gpu) {
    batch = *plan.batch_per_gpu;
    if (std::trunc(batch) != batch && !plan.global_batch) {
      r.error({"batch_per_gpu"}, fmt::format("batch_per_gpu {} is not a whole number of samples", batch),
              "give \"global_batch\" when the batch does not divide by the ranks");
      return;
    }
  } else if (plan.global_batch) {
    batch = *plan.global_batch / data;
    if (batch < 1) {
      r.error({"global_batch"}, fmt::format("global_batch {} leaves less than one sample for each of {}",
                                            *plan.global_batch, ranks(r.out.data)));
      return;
    }
  } else if (plan.micro_batch) {
    batch = *plan.micro_batch * accumulate.value_or(1);
  } else if (accumulate) {
    batch = std::max(batch, static_cast<double>(*accumulate));
  }
  // Held against each other with room for the rounding of a quotient only.
  if (plan.global_batch && std::fabs(*plan.global_batch - batch * data) > 1e-9 * *plan.global_batch) {
    r.error({"global_batch", "batch_per_gpu"},
            fmt::format("global_batch {} contradicts batch_per_gpu {} on {}: {} x {} = {}",
                        *plan.global_batch, batch, ranks(r.out.data), batch, r.out.data, batch * data));
    return;
  }
  if (batch * data > kMostSamples) {
    r.error({"batch_per_gpu", "micro_batch", "global_batch"},
            fmt::format("batch_per_gpu {} on {} is more than {} samples", batch, ranks(r.out.data),
                        kMostSamples));
    return;
  }
  r.out.batch_per_gpu = batch;
  r.out.global_batch = plan.global_batch.value_or(batch * data);

  const bool whole = std::trunc(batch) == batch;
  const double count = accumulate.value_or(1);
  const double even = whole ? std::ceil(batch / count) : batch / count;
  r.out.micro_batch = plan.micro_batch.value_or(even);
  if (r.out.micro_batch > batch) {
    r.error({"micro_batch"},
            fmt::format("micro_batch {} is larger than batch_per_gpu {}", r.out.micro_batch, batch));
    return;
  }
  const double needed = passes(batch, r.out.micro_batch);
  if (needed > kMostPasses) {
    r.error({"micro_batch"},
            fmt::format("batch_per_gpu {} takes {} forward passes of micro_batch {}: at most {}", batch,
                        needed, r.out.micro_batch, kMostPasses));
    return;
  }
  r.out.grad_accum = static_cast<int>(needed);
  if (accumulate && *accumulate != r.out.grad_accum)
    r.error({"parallel/grad_accum", "micro_batch"},
            fmt::format(
                "grad_accum {} contradicts batch_per_gpu {} and micro_batch {}, which take {} forward pass{}",
                *accumulate, batch, r.out.micro_batch, r.out.grad_accum, r.out.grad_accum == 1 ? "" : "es"));
  if (plan.mode == Mode::kInference && r.out.grad_accum > 1)
    r.error({"micro_batch", "parallel/grad_accum"},
            "gradients are accumulated in training only, mode is inference");
}

}  // namespace rigcast::plan
