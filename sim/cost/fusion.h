#pragma once

/// Which operators share a kernel with their producer, and how wide the elements between kernels are.

#include <vector>

#include "cost/gpu_model.h"
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

}  // namespace rigcast::cost
