#pragma once

/// Which kernels an operator becomes in one pass, and what each costs.

#include <vector>

#include "cost/fusion.h"
#include "cost/gpu_model.h"
#include "cost/kernel.h"
#include "workload/network.h"

namespace rigcast::cost {

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
