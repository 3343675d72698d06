#pragma once

/// Kernels of convolutions: implicit GEMM, Winograd, depthwise, and the layout changes around them.

#include <vector>

#include "cost/matrix_product.h"
#include "workload/network.h"

namespace rigcast::cost {

void convolution_forward(const workload::Operator& op, const workload::Convolution& conv, double batch,
                         const GpuModel& gpu, std::vector<Kernel>& kernels);
void convolution_backward(const workload::Operator& op, const workload::Convolution& conv, double batch,
                          const GpuModel& gpu, bool data_gradient, bool weight_gradient,
                          std::vector<Kernel>& kernels);

}  // namespace rigcast::cost
