#pragma once

/// Which kernels an operator becomes in one pass, and what each costs.

#include <vector>

#include "cost/gpu_model.h"
#include "cost/kernel.h"
#include "workload/network.h"

namespace rigcast::cost {

/// What a fusing compiler does with an operator: its main input stays in registers (it joins its producer's
/// kernel). And how wide an element of its tensors is: what autocast computes in 32 bits, and sums and
/// products with 32-bit parameters, stay so in eager execution until a product casts them.
struct Fusion {
  bool joins_producer = false;
  bool in_epilogue = false;  ///< forward only: written by the library call of the convolution before it
  double input_bytes = 0, output_bytes = 0;  ///< of an element, inputs on average; 0: as the precision says
};

/// By operator. Eager execution fuses nothing but what its libraries offer around batch norm.
std::vector<Fusion> fusion(const workload::Network& network, const GpuModel& gpu);

/// Kernels of the forward pass over `batch` samples, in order.
void append_forward(const workload::Network& network, std::uint32_t op, Fusion fusion, double batch,
                    const GpuModel& gpu, std::vector<Kernel>& kernels);

/// Whether a weight of the operator is trained, its own or one it shares.
bool has_weight_gradient(const workload::Operator& op);

/// Whether the backward pass reaches the operator: below the first trained weight, and through choices of
/// boxes, no gradient is asked for.
bool has_backward(const workload::Operator& op);

/// Kernels of the backward pass: data gradient where someone needs it, weight gradient where there is a
/// trainable weight.
void append_backward(const workload::Network& network, std::uint32_t op, Fusion fusion, double batch,
                     const GpuModel& gpu, std::vector<Kernel>& kernels);

/// Kernels of the optimizer step over all parameters.
void append_optimizer(const workload::Network& network, const GpuModel& gpu, const plan::ResolvedPlan& plan,
                      const hardware::Profile& profile, std::vector<Kernel>& kernels);

}  // namespace rigcast::cost
