/// Products go through the tile model; everything else costs the bytes it moves. An eager framework runs each
/// operator as kernels of its own, reading and writing every tensor; a compiler joins element-wise operators
/// to the kernel before them, so that only their further inputs are read. Traffic factors (batch-norm forward
/// reads twice and writes once: 3, ...) are constants of the framework, see GpuModel::traffic.

#include "cost/operator_kernels.h"

#include <algorithm>
#include <cmath>

#include "cost/attention.h"
#include "cost/convolution.h"
#include "cost/recurrent.h"
#include "cost/stream.h"

namespace rigcast::cost {
namespace {

using workload::Operator;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

struct Emitter {
  const GpuModel& gpu;
  const Operator& op;
  double batch;
  std::vector<Kernel>& kernels;
  Fusion fusion;

  double in_bytes() const { return op.input_elements * batch * width(fusion.input_bytes); }
  double out_bytes() const { return op.output_elements * batch * width(fusion.output_bytes); }
  double width(double bytes) const { return bytes > 0 ? bytes : gpu.element_bytes; }

  /// A memory-bound kernel. Arithmetic of element-wise work hides behind its bytes on every part; it is kept
  /// as the vector time of `operations` per element.
  void stream(double bytes, double launches = 1, double operations = 0) {
    if (bytes <= 0) return;
    Kernel kernel = stream_kernel({bytes}, launches, gpu);
    kernel.flops = {operations * op.output_elements * batch};
    kernel.vector = kernel.flops / gpu.vector_rate;
    kernels.push_back(kernel);
  }

  void product(const workload::MatrixWork& work, double bytes, double speed = 1) {
    const double rows = work.batch_in_count || work.batch_in_k ? work.rows : work.rows * batch;
    const double k = work.batch_in_k ? work.k * batch : work.k;
    const double count = work.batch_in_count ? work.count * batch : work.count;
    kernels.push_back(product_kernel({rows, work.n, k, count, speed}, gpu, {bytes}));
  }

  void linear(const workload::Linear& linear, workload::Pass pass, double bytes) {
    const double speed = aligned_speed(linear.in, gpu) * aligned_speed(linear.out, gpu);
    for (const auto& work : workload::matrix_work(op, pass)) product(work, bytes, speed);
  }

  double weight_bytes() const { return op.parameters * gpu.compute_parameter_bytes; }
  bool autocast_weight() const { return gpu.execution.autocast && op.parameters > 0; }
  /// Autocast reads 4-byte weights and writes 2-byte copies (forward), and the reverse for gradients.
  void cast_weight() {
    if (autocast_weight()) stream(6 * op.parameters);
  }
  /// A product reads 16-bit copies of what is wider; the gradient goes the other way.
  void cast_input() {
    if (fusion.input_bytes > gpu.element_bytes)
      stream((fusion.input_bytes + gpu.element_bytes) * op.input_elements * batch);
  }
  double product_in_bytes() const { return op.input_elements * batch * gpu.element_bytes; }
};

double norm_traffic(const Operator& op, const workload::Normalisation& norm, const GpuModel& gpu,
                    bool forward) {
  const Traffic& t = gpu.traffic;
  const double fused = gpu.execution.fused_traffic;
  // With statistics and weights that stay as they are a batch norm is x * scale + offset: a product and a
  // sum, and backward one product.
  if (norm.kind == workload::NormKind::kBatch && op.frozen && gpu.execution.training) {
    if (gpu.execution.fuses) return 2 * fused;
    return 2 * t.multiply_forward + (forward ? 2 * t.add : 0);
  }
  const double wide = gpu.execution.autocast && !gpu.execution.wide_streams ? t.autocast : 1;
  switch (norm.kind) {
    case workload::NormKind::kLayer:
    case workload::NormKind::kRms:
    case workload::NormKind::kGroup:  // of each sample by itself, as a layer's; few libraries fuse them
                                      // further
    case workload::NormKind::kInstance:
      // A compiler reads once or twice and writes once, whatever the source spelled out.
      if (gpu.execution.fuses) return (forward ? 2 : 4) * fused;
      if (norm.kind == workload::NormKind::kRms)
        return (forward ? t.rms_norm_forward : t.rms_norm_backward) * wide;
      return (forward ? t.layer_norm_forward : t.layer_norm_backward) * wide;
    default:
      if (!gpu.execution.training) {
        if (!gpu.execution.fuses) return t.batch_norm_inference;
        return gpu.execution.convolution_epilogue ? 0 : 2 * fused;
      }
      if (gpu.execution.fuses) return (forward ? 3 : 5) * fused;
      return forward ? t.batch_norm_forward : t.batch_norm_backward;
  }
}

constexpr double kFusedTotals =
    2.5;                       // tensors a compiler's kernels move between products, over their results
constexpr double kSums = 1.5;  // tensors that residual sums and gates move, over a convolution's output

/// What a pass of a convolution between channels-first tensors moves more: input and output, read and
/// written.
double layout_traffic(const GpuModel& gpu) {
  return gpu.matrix_units && !gpu.execution.channels_last ? 4 : 0;
}

/// Bytes of a network's activations that are written at all.
double totals_bytes(const workload::Totals& totals, const Emitter& emit) {
  const double written = emit.gpu.execution.flash_attention ? 1 - totals.score_share : 1;
  return totals.forward_activations * written * emit.batch * emit.gpu.element_bytes;
}

void forward_kernels(Emitter& emit, Fusion fusion) {
  const GpuModel& gpu = emit.gpu;
  const Operator& op = emit.op;
  const Traffic& t = gpu.traffic;
  const double out = emit.out_bytes();
  const double fused = gpu.execution.fused_traffic;
  std::visit(
      Overloaded{
          [&](const workload::Convolution& c) {
            emit.cast_weight();
            emit.cast_input();
            convolution_forward(op, c, emit.batch, gpu, emit.kernels);
          },
          [&](const workload::Linear& linear) {
            emit.cast_weight();
            emit.cast_input();
            emit.linear(linear, workload::Pass::kForward,
                        emit.product_in_bytes() + out + emit.weight_bytes());
          },
          [&](const workload::BatchedMatmul&) {
            emit.cast_input();
            for (const auto& work : workload::matrix_work(op, workload::Pass::kForward))
              emit.product(work, emit.product_in_bytes() + out);
          },
          [&](const workload::Attention& a) {
            emit.cast_input();
            attention_forward(op, a, emit.batch, gpu, emit.kernels);
          },
          [&](const workload::Normalisation& norm) {
            emit.stream(norm_traffic(op, norm, gpu, true) * out,
                        norm.kind == workload::NormKind::kRms && !gpu.execution.fuses ? 4 : 1, 5);
          },
          [&](const workload::Activation&) {
            if (fusion.joins_producer || fusion.in_epilogue) return;
            emit.stream(t.activation_forward * out, 1, 4);
          },
          [&](const workload::Elementwise& e) {
            const double others = op.inputs.size() > 1 ? emit.in_bytes() - out : 0;
            if (fusion.joins_producer) return emit.stream(std::max(0.0, others) * fused, 0, 1);
            emit.stream((e.multiply ? t.multiply_forward : t.add) * (emit.in_bytes() + out), 1, 1);
          },
          [&](const workload::Dropout&) {
            if (!gpu.execution.training) return;
            const double mask = op.output_elements * emit.batch;
            emit.stream(fusion.joins_producer ? mask : 2 * out + mask, fusion.joins_producer ? 0 : 1, 10);
          },
          [&](const workload::Softmax&) { emit.stream(t.softmax * 2 * out, 1, 10); },
          [&](const workload::Concat&) { emit.stream(t.concat * 2 * out); },
          [&](const workload::Copy&) {
            if (!fusion.joins_producer) emit.stream(emit.in_bytes() + out);
          },
          [&](const workload::Resize&) { emit.stream(emit.in_bytes() + out, 1, 8); },
          [&](const workload::Pool&) { emit.stream(t.pool * (emit.in_bytes() + out), 1, 4); },
          [&](const workload::Embedding& e) {
            // Autocast leaves ordinary tables in 32 bits: the vectors are read, written and then cast.
            emit.stream((emit.gpu.execution.autocast && !e.sparse_gradient ? 7 : 2) * out);
          },
          [&](const workload::Recurrent& r) { recurrent_forward(op, r, emit.batch, gpu, emit.kernels); },
          [&](const workload::Interaction& i) {
            emit.product({static_cast<double>(i.features), static_cast<double>(i.features),
                          static_cast<double>(i.width), 1, true, false},
                         emit.in_bytes() + out);
          },
          [&](const workload::Loss&) {
            // Log-softmax and the pick: the logits are read, written as 32-bit probabilities, read again.
            emit.stream(emit.in_bytes() + 8 * op.input_elements * emit.batch, 3, 6);
          },
          [&](const workload::Totals& totals) {
            const double convolution = totals.convolution_share;
            const double activations = totals_bytes(totals, emit);
            const double k = 512, n = 256;
            emit.product({totals.forward_macs / (n * k), n, k, 1, false, false},
                         2 * activations + emit.weight_bytes());
            emit.kernels.back().latency = gpu.execution.kernel_latency * totals.kernels;
            emit.kernels.back().launches = totals.kernels;
            emit.cast_weight();
            const double norm = gpu.execution.training ? t.batch_norm_forward : t.batch_norm_inference;
            const double around = norm + t.activation_forward + kSums * t.add + layout_traffic(gpu);
            const double eager = convolution * around + (1 - convolution) * t.totals_forward;
            const double tensors = gpu.execution.fuses ? kFusedTotals * gpu.execution.fused_traffic : eager;
            emit.stream(tensors * activations, totals.kernels, 6);
          },
      },
      op.attributes);
}

void backward_kernels(Emitter& emit, Fusion fusion, bool needs_data_gradient) {
  const GpuModel& gpu = emit.gpu;
  const Operator& op = emit.op;
  const Traffic& t = gpu.traffic;
  const double out = emit.out_bytes(), in = emit.in_bytes();
  const bool weight = has_weight_gradient(op);
  std::visit(
      Overloaded{
          [&](const workload::Convolution& c) {
            convolution_backward(op, c, emit.batch, gpu, needs_data_gradient, weight, emit.kernels);
            if (needs_data_gradient) emit.cast_input();
            if (weight) emit.cast_weight();
          },
          [&](const workload::Linear& linear) {
            const double bytes = emit.product_in_bytes() + out + emit.weight_bytes();
            if (needs_data_gradient) emit.linear(linear, workload::Pass::kDataGradient, bytes);
            if (weight) emit.linear(linear, workload::Pass::kWeightGradient, bytes);
            const double products = static_cast<double>(linear.in) * static_cast<double>(linear.out);
            if (weight && op.parameters > products)
              emit.stream(out);  // gradient of the bias: a sum over rows
            if (needs_data_gradient) emit.cast_input();
            if (weight) emit.cast_weight();
          },
          [&](const workload::BatchedMatmul&) {
            const auto works = workload::matrix_work(op, workload::Pass::kForward);
            for (const auto& work : works) {  // both factors have gradients, each a product of the same size
              emit.product(work, emit.product_in_bytes() + out);
              emit.product(work, emit.product_in_bytes() + out);
            }
            emit.cast_input();
          },
          [&](const workload::Attention& a) {
            attention_backward(op, a, emit.batch, gpu, emit.kernels);
            emit.cast_input();
          },
          [&](const workload::Normalisation& norm) {
            emit.stream(norm_traffic(op, norm, gpu, false) * out,
                        norm.kind == workload::NormKind::kRms && !gpu.execution.fuses ? 4 : 1, 8);
          },
          [&](const workload::Activation&) {
            if (!fusion.joins_producer) emit.stream(t.activation_backward * out, 1, 6);
          },
          [&](const workload::Elementwise& e) {
            if (e.multiply)
              emit.stream(t.multiply_backward * (in + out) * (fusion.joins_producer ? 0.5 : 1),
                          fusion.joins_producer ? 1 : 3, 2);
            else if (!fusion.joins_producer)
              emit.stream(t.add * (in + out), 1, 1);  // the sum of both gradients where the branches part
          },
          [&](const workload::Dropout&) {
            const double mask = op.output_elements * emit.batch;
            emit.stream(fusion.joins_producer ? mask : 2 * out + mask, fusion.joins_producer ? 0 : 1, 2);
          },
          [&](const workload::Softmax&) { emit.stream(t.softmax * 3 * out, 1, 10); },
          [&](const workload::Concat&) { emit.stream(t.concat * 3 * out); },
          [&](const workload::Copy&) {
            if (!fusion.joins_producer) emit.stream(in + out);
          },
          [&](const workload::Resize&) { emit.stream(in + out, 1, 8); },
          [&](const workload::Pool&) { emit.stream(t.pool * (2 * in + out), 1, 4); },
          [&](const workload::Embedding& e) {
            if (!weight) return;
            // A sparse gradient is the vectors with their rows, as they come. A dense one: scatter-add of the
            // touched rows, after the whole was cleared.
            const double table = static_cast<double>(e.rows) * static_cast<double>(e.width) * 4;
            const double dense = emit.gpu.execution.autocast ? 9 : 3;  // cast first, summed in 32 bits
            emit.stream(e.sparse_gradient ? 2 * out : dense * out + table, 2);
          },
          [&](const workload::Recurrent& r) { recurrent_backward(op, r, emit.batch, gpu, emit.kernels); },
          [&](const workload::Interaction& i) {
            const workload::MatrixWork work{static_cast<double>(i.features),
                                            static_cast<double>(i.width),
                                            static_cast<double>(i.features),
                                            1,
                                            true,
                                            false};
            emit.product(work, in + out);
            emit.product(work, in + out);
          },
          [&](const workload::Loss&) { emit.stream(in + 8 * op.input_elements * emit.batch, 2, 4); },
          [&](const workload::Totals& totals) {
            const double activations = totals_bytes(totals, emit);
            const double k = 512, n = 256;
            for (int pass = 0; pass < 2; ++pass) {
              emit.product({totals.forward_macs / (n * k), n, k, 1, false, false},
                           2 * activations + emit.weight_bytes(), gpu.convolution_gradient);
              emit.kernels.back().latency = gpu.execution.kernel_latency * totals.kernels;
              emit.kernels.back().launches = totals.kernels;
            }
            emit.cast_weight();
            const double around =
                t.batch_norm_backward + t.activation_backward + kSums * t.add + 2 * layout_traffic(gpu);
            const double eager =
                totals.convolution_share * around + (1 - totals.convolution_share) * t.totals_backward;
            const double tensors =
                gpu.execution.fuses ? 2 * kFusedTotals * gpu.execution.fused_traffic : eager;
            emit.stream(tensors * activations, totals.kernels, 8);
          },
      },
      op.attributes);
}

/// Framework calls an operator is made of, in units of one plain module call.
double host_calls(const Operator& op, const GpuModel& gpu) {
  if (std::holds_alternative<workload::Attention>(op.attributes))
    return gpu.execution.flash_attention ? 2 : 4;
  if (const auto* totals = std::get_if<workload::Totals>(&op.attributes)) return totals->kernels * 2.5;
  if (const auto* r = std::get_if<workload::Recurrent>(&op.attributes))
    return r->fused ? 2 : 2.0 * static_cast<double>(r->steps);
  return 1;
}

/// Gives the kernels appended since `first` their operator, host time and number of runs.
void finish(std::vector<Kernel>& kernels, std::size_t first, std::uint32_t index, const Operator& op,
            double runs, Seconds call, const GpuModel& gpu) {
  double calls = host_calls(op, gpu);
  for (std::size_t i = first; i < kernels.size(); ++i) {
    Kernel& kernel = kernels[i];
    kernel.op = index;
    kernel.host = gpu.execution.launch * kernel.launches;
    if (i == first) kernel.host += call * calls;
    if (runs != 1) {
      kernel.matrix *= runs;
      kernel.vector *= runs;
      kernel.memory *= runs;
      kernel.latency *= runs;
      kernel.flops *= runs;
      kernel.bytes *= runs;
      kernel.launches *= runs;
      kernel.host *= runs;
    }
  }
}

}  // namespace

bool has_weight_gradient(const Operator& op) {
  // Operators that share another's weight have no parameters of their own but add to its gradient all the
  // same.
  const bool product = std::holds_alternative<workload::Convolution>(op.attributes) ||
                       std::holds_alternative<workload::Linear>(op.attributes) ||
                       std::holds_alternative<workload::Totals>(op.attributes);
  return (op.parameters > 0 || product) && !op.frozen;
}

bool has_backward(const Operator& op) { return !op.one_by_one && (!op.first || has_weight_gradient(op)); }

void append_forward(const workload::Network& network, std::uint32_t index, Fusion fused, double batch,
                    const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const Operator& op = network.operators[index];
  const std::size_t first = kernels.size();
  Emitter emit{gpu, op, op.one_by_one ? 1 : batch, kernels, fused};
  forward_kernels(emit, fused);
  finish(kernels, first, index, op, op.repeat * (op.one_by_one ? batch : 1), gpu.execution.forward_operator,
         gpu);
}

void append_backward(const workload::Network& network, std::uint32_t index, Fusion fused, double batch,
                     const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const Operator& op = network.operators[index];
  if (!has_backward(op)) return;
  const std::size_t first = kernels.size();
  Emitter emit{gpu, op, batch, kernels, fused};
  backward_kernels(emit, fused, !op.first);
  finish(kernels, first, index, op, op.repeat, gpu.execution.backward_operator, gpu);
}

}  // namespace rigcast::cost
