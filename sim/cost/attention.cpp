/// Unfused: scores = Q K' (one product a head and sample), scale, mask, softmax, dropout, then P V. Every
/// step of the chain reads and writes heads x queries x keys elements; under autocast softmax and what
/// follows run in 32 bits (Traffic::autocast). A compiler leaves one softmax kernel and one mask read. Flash
/// (Dao et al. 2022): the products, causal ones half of them, and the exponentials between them on ordinary
/// lanes; backward has 2.5 times the products (scores are recomputed). Bytes are those of Q, K, V and the
/// result. Few heads of short sequences leave multiprocessors idle.

#include "cost/attention.h"

#include <algorithm>
#include <cmath>

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

/// Head dimension the kernel works with: both are padded to the larger, forward to a multiple of 32 (kernels
/// are compiled for 32, 64, 96, ... 256: Dao-AILab/flash-attention), backward to a power of two.
double padded_dim(const Sizes& s, bool forward) {
  const double larger = std::max(s.qk, s.v);
  double power = 16;
  while (power < larger) power *= 2;
  return forward ? std::ceil(larger / 32) * 32 : power;
}

/// Blocks of rows x keys scores go to the multiprocessors in order. Each score costs 4 (forward, 10 backward)
/// x dimension operations in products and some beside them (exponentials, scaling), which the products wait
/// for. A causal row of blocks is on average a little over half as long as the longest.
void flash(const Sizes& s, bool forward, const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const double passes = forward ? 1 : 2.5;
  const double rows = forward ? gpu.flash_rows : std::min(gpu.flash_rows, 128.0);
  const double score = passes * 4 * padded_dim(s, forward) / gpu.burst_rate.value +
                       (forward ? gpu.flash_forward : gpu.flash_backward) / gpu.vector_rate.value;
  const double blocks = s.heads * std::ceil(s.queries / rows);
  const double longest = std::min(rows, s.queries) * s.keys * score * gpu.multiprocessors;
  const double full = s.causal < 1 ? 0.5 + 0.5 * std::min(1.0, rows / s.queries) : 1;
  const double share = blocks * full / gpu.multiprocessors;
  const double span = s.causal < 1 ? std::max(1.0, share + gpu.flash_tail) : std::ceil(share);
  Kernel kernel;
  kernel.flops = {2 * s.scores * s.causal * (s.qk + s.v) * passes};
  (gpu.matrix_units ? kernel.matrix : kernel.vector) = {span * longest};
  kernel.bytes = {s.tensor_bytes * (forward ? 1 : 2)};
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
  if (gpu.execution.fuses || gpu.execution.fused_softmax) {
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
  if (gpu.execution.flash_attention) return flash(s, true, gpu, kernels);
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
  if (gpu.execution.flash_attention) return flash(s, false, gpu, kernels);
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
