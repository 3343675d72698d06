/// Unfused: scores = Q K' (one product a head and sample), scale, mask, softmax, dropout, then P V. Every
/// step of the chain reads and writes heads x queries x keys elements; under autocast softmax and what
/// follows run in 32 bits (Traffic::autocast). A compiler leaves one softmax kernel and one mask read. Flash
/// (Dao et al. 2022): the products only, causal ones half of them, at a fitted fraction of the product rate;
/// backward has 2.5 times the products (scores are recomputed). Bytes are those of Q, K, V and the result.

#include "cost/attention.h"

#include <algorithm>

#include "cost/stream.h"

namespace rigcast::cost {
namespace {

struct Sizes {
  double heads, queries, keys, qk, v;
  double scores;        ///< elements
  double causal;        ///< fraction of the scores that is computed by flash kernels
  double tensor_bytes;  ///< Q, K, V and result
};

Sizes sizes(const workload::Operator& op, const workload::Attention& a, double batch, const GpuModel& gpu) {
  Sizes s{};
  s.heads = static_cast<double>(a.heads) * batch;
  s.queries = static_cast<double>(a.queries);
  s.keys = static_cast<double>(a.window > 0 ? std::min(a.window, a.keys) : a.keys);
  s.qk = static_cast<double>(a.qk_dim);
  s.v = static_cast<double>(a.v_dim);
  s.scores = s.heads * s.queries * s.keys;
  s.causal = a.causal && a.window == 0 ? 0.5 : 1;
  s.tensor_bytes = (op.input_elements + op.output_elements) * batch * gpu.element_bytes;
  return s;
}

void stream(double bytes, double launches, const GpuModel& gpu, std::vector<Kernel>& kernels) {
  kernels.push_back(stream_kernel({bytes}, launches, gpu));
}

void flash(const Sizes& s, double passes, double fraction, const GpuModel& gpu,
           std::vector<Kernel>& kernels) {
  Kernel kernel;
  kernel.flops = {2 * s.scores * s.causal * (s.qk + s.v) * passes};
  const Seconds time = kernel.flops / (gpu.product_rate * fraction);
  (gpu.matrix_units ? kernel.matrix : kernel.vector) = time;
  kernel.bytes = {s.tensor_bytes * (passes > 1 ? 2 : 1)};
  kernel.memory = kernel.bytes / gpu.memory_rate;
  kernel.latency = gpu.execution.kernel_latency;
  kernels.push_back(kernel);
}

/// Traffic of the chain between the two products, bytes; and how many kernels it takes.
void score_chain(const workload::Attention& a, const Sizes& s, bool forward, const GpuModel& gpu,
                 std::vector<Kernel>& kernels) {
  const double layout = a.relative_position && !gpu.execution.fuses ? gpu.traffic.relative_scores : 1;
  const double bytes = s.scores * gpu.element_bytes * layout;
  const double wide = gpu.execution.autocast ? gpu.traffic.autocast : 1;
  const bool dropout = a.dropout && gpu.execution.training;
  if (gpu.execution.fuses) {
    const double softmax = (forward ? 2.0 : 3.0) * gpu.traffic.softmax * bytes;
    return stream(softmax + (dropout ? s.scores : 0) + (a.mask && forward ? bytes / 8 : 0), 1, gpu, kernels);
  }
  const double scale_and_mask = 2 * bytes * (a.mask && forward ? 2 : 1);
  stream(scale_and_mask, a.mask && forward ? 2 : 1, gpu, kernels);
  stream((forward ? 2.0 : 3.0) * gpu.traffic.softmax * bytes * wide, 1, gpu, kernels);
  if (dropout) stream(2 * bytes * wide + s.scores, 1, gpu, kernels);
  if (a.relative_position) stream(4 * bytes, 2, gpu, kernels);  // shift and add of the position scores
}

}  // namespace

void attention_forward(const workload::Operator& op, const workload::Attention& a, double batch,
                       const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const Sizes s = sizes(op, a, batch, gpu);
  if (gpu.execution.flash_attention) return flash(s, 1, gpu.flash_forward, gpu, kernels);
  const double score_bytes = s.scores * gpu.element_bytes;
  const Product score{s.queries, s.keys, s.qk, s.heads, 1};
  for (int product = 0; product < (a.relative_position ? 2 : 1); ++product)
    kernels.push_back(product_kernel(score, gpu, {s.tensor_bytes / 2 + score_bytes}));
  score_chain(a, s, true, gpu, kernels);
  kernels.push_back(
      product_kernel({s.queries, s.v, s.keys, s.heads, 1}, gpu, {s.tensor_bytes / 2 + score_bytes}));
  stream(s.tensor_bytes, 2, gpu, kernels);  // heads are moved before and after
}

void attention_backward(const workload::Operator& op, const workload::Attention& a, double batch,
                        const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const Sizes s = sizes(op, a, batch, gpu);
  if (gpu.execution.flash_attention) return flash(s, 2.5, gpu.flash_backward, gpu, kernels);
  const Bytes bytes{s.tensor_bytes / 2 + s.scores * gpu.element_bytes};
  kernels.push_back(product_kernel({s.queries, s.keys, s.v, s.heads, 1}, gpu, bytes));
  kernels.push_back(product_kernel({s.keys, s.v, s.queries, s.heads, 1}, gpu, bytes));
  score_chain(a, s, false, gpu, kernels);
  for (int product = 0; product < (a.relative_position ? 2 : 1); ++product) {
    kernels.push_back(product_kernel({s.queries, s.qk, s.keys, s.heads, 1}, gpu, bytes));
    kernels.push_back(product_kernel({s.keys, s.qk, s.queries, s.heads, 1}, gpu, bytes));
  }
  stream(s.tensor_bytes, 2, gpu, kernels);
}

}  // namespace rigcast::cost
