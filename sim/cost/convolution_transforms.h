#pragma once

/// Convolutions that multiply fewer times, in a transformed domain. Libraries have them for 32-bit tensors on
/// ordinary lanes, stride 1, one group.

#include <vector>

#include "cost/gpu_model.h"
#include "cost/kernel.h"
#include "workload/network.h"

namespace rigcast::cost {

/// Bytes of a convolution's tensors, each once.
struct ConvolutionBytes {
  double in, out, weight;
};

/// The kernels of each way that takes the shape on this GPU; none where no transform does.
std::vector<std::vector<Kernel>> transformed_convolutions(const workload::Convolution& convolution,
                                                          workload::Pass which, double batch,
                                                          const ConvolutionBytes& bytes, const GpuModel& gpu);

}  // namespace rigcast::cost
