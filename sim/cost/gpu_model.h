#pragma once

/// One GPU as the cost models see it: the part's figures and the constants that belong to it, for one
/// precision and one way of executing. Built once per scenario and kind of GPU.

#include <string>
#include <vector>

#include "base/units.h"
#include "hardware/parts.h"
#include "hardware/profile.h"
#include "plan/scenario.h"

namespace rigcast::cost {

/// A constant that was used, for `explain`.
struct UsedConstant {
  std::string key;
  hardware::Constant constant;
};

/// How the framework turns operators into kernels.
struct ExecutionModel {
  bool fuses = false;     ///< element-wise chains become one kernel
  bool captured = false;  ///< kernels are replayed from a graph: no call of the host between them
  bool training = true;
  bool channels_last = false;  ///< no layout changes around convolutions on matrix units
  bool fused_convolution_bias = false;
  bool fused_convolution_activation = false;  ///< in training too; inference graphs always are
  bool fused_norm = false;  ///< the sum and activation after a batch norm are part of its kernels, eager too
  bool convolution_epilogue = true;  ///< a compiler's convolutions write scaled and activated results
  bool autocast = false;      ///< weights are cast for each product, normalisation and softmax run in 32 bits
  bool wide_streams = false;  ///< autocast's 32-bit results stay so until a product casts them
  bool flash_attention = false;
  bool fused_optimizer = false;
  bool fused_softmax = false;  ///< scale, mask and softmax of attention scores are one kernel
  Seconds forward_operator, backward_operator;  ///< host time of one operator, on this host's CPU
  Seconds launch;                               ///< host time of each further kernel of an operator
  Seconds optimizer_operator;                   ///< host time of one optimizer kernel
  Seconds step;                                 ///< a training loop's own work each step
  Seconds kernel_latency;                       ///< on the GPU
  double fused_traffic = 1;                     ///< bytes a compiler moves over those of ideal fusion
};

/// Bytes moved by the memory-bound operators, in units of their tensors.
struct Traffic {
  double batch_norm_inference = 0, batch_norm_forward = 0, batch_norm_backward = 0, layer_norm_forward = 0,
         layer_norm_backward = 0;
  double rms_norm_forward = 0, rms_norm_backward = 0;
  double activation_forward = 0, activation_backward = 0, add = 0, multiply_forward = 0,
         multiply_backward = 0;
  double layout_change = 2;  ///< of a convolution's input and output, channels first on matrix units
  double concat = 0, pool = 0, softmax = 0, depthwise = 0, depthwise_weight_gradient = 0, autocast = 0;
  double totals_forward = 0, totals_backward = 0;  ///< beside the products of networks known by totals
  double relative_scores =
      0;  ///< score traffic of relative attention: softmax over a dimension that is not the innermost
};

struct GpuModel {
  std::string id;
  double multiprocessors = 1;
  bool matrix_units = false;           ///< products run on matrix units, else on ordinary lanes
  FlopsPerSecond peak;                 ///< of products, data sheet
  FlopsPerSecond product_rate;         ///< of large tiles, reached
  FlopsPerSecond burst_rate;           ///< as product_rate, by kernels too light to meet the power limit
  FlopsPerSecond vector_rate;          ///< of element-wise work in 32 bits
  BytesPerSecond memory_rate;          ///< reached by long streams
  double element_bytes = 4;            ///< of activations
  double parameter_bytes = 4;          ///< of the weights the optimizer owns
  double compute_parameter_bytes = 4;  ///< of the weights the products read
  double product_bytes = 4;            ///< of an element of a product's operands
  double unaligned_products = 1;       ///< speed of products whose rows start at any element
  double exposed_prologue = 1;         ///< part of it that later waves do not hide
  double k_prologue = 0;               ///< elements of k that filling and emptying a tile costs
  BytesPerSecond feed_rate;            ///< operands that reach one multiprocessor from L2; 0: no limit
  double product_reads = 1;            ///< of the memory rate, what tiles of two operands reach
  double half_flight = 0;  ///< full multiprocessors' buffers in flight at which memory gives 1 / sqrt(2)
  Bytes l2;                ///< last-level cache
  Bytes resident_reads;    ///< of operands that an earlier run of the same kernel leaves in L2
  Bytes resident_writes;   ///< of results that L2 absorbs
  BytesPerSecond resident_rate;  ///< at which those move
  Seconds split_latency;         ///< of the pass that adds partial sums
  double convolution_forward = 1, convolution_gradient = 1,
         convolution_weight_gradient = 1;  ///< speed over a product
  double grouped_forward = 0,
         grouped_gradient = 0;  ///< of vector_rate, by grouped convolutions without a kernel on matrix units
  double depthwise_lanes = 1;   ///< of the lanes' rate, by depthwise kernels
  double winograd = 0;          ///< speed of the products of Winograd's form over plain ones; 0: not used
  double fourier = 0;           ///< of those between Fourier transforms; 0: not used
  double flash_forward = 0, flash_backward = 0;  ///< 32-bit operations beside the products, per score
  double flash_rows = 128;                       ///< queries a multiprocessor works on
  double flash_tail = 0;   ///< of the longest block: what uneven (causal) blocks leave idle at the end
  Seconds recurrent_step;  ///< of a fused recurrent layer, beside its product: gates, launches, barrier
  Seconds resident_step;   ///< where one kernel keeps the recurrent weights on the chip over all steps
  Traffic traffic;
  ExecutionModel execution;
  std::vector<UsedConstant> constants;
};

/// `host` issues the work.
GpuModel gpu_model(const hardware::GpuPart& gpu, const hardware::CpuPart& host,
                   const plan::ResolvedPlan& plan, const hardware::Profile& profile);

/// Member of the constants of a framework's way of executing: "pytorch-eager".
std::string execution_member(const plan::ResolvedPlan& plan);

/// Data-sheet rate of products in a precision on a part (dense), and whether matrix units do it. Falls back
/// the way libraries do: fp16 without matrix units runs on fp16 lanes where they are faster than fp32, else
/// with 32-bit arithmetic.
struct ProductPeak {
  FlopsPerSecond rate;
  bool matrix_units = false;
  bool half_rate = false;  ///< matrix units at half rate because they accumulate in 32 bits (GeForce)
};
ProductPeak product_peak(const hardware::GpuPart& gpu, plan::Precision precision);

/// Single-thread speed of a CPU over the reference core (3.5 GHz, Skylake instructions per clock).
double thread_speed(const hardware::CpuPart& cpu, const hardware::Profile& profile);

}  // namespace rigcast::cost
