#pragma once

/// Kernels of recurrent operators.

#include <vector>

#include "cost/matrix_product.h"
#include "workload/network.h"

namespace rigcast::cost {

void recurrent_forward(const workload::Operator& op, const workload::Recurrent& cell, double batch,
                       const GpuModel& gpu, std::vector<Kernel>& kernels);
void recurrent_backward(const workload::Operator& op, const workload::Recurrent& cell, double batch,
                        const GpuModel& gpu, std::vector<Kernel>& kernels);

}  // namespace rigcast::cost
