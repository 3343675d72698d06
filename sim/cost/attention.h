#pragma once

/// Kernels of attention: unfused (scores go through memory) or flash (they do not).

#include <vector>

#include "cost/matrix_product.h"
#include "workload/network.h"

namespace rigcast::cost {

void attention_forward(const workload::Operator& op, const workload::Attention& attention, double batch,
                       const GpuModel& gpu, std::vector<Kernel>& kernels);
void attention_backward(const workload::Operator& op, const workload::Attention& attention, double batch,
                        const GpuModel& gpu, std::vector<Kernel>& kernels);

}  // namespace rigcast::cost
