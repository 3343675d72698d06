/// The input products of all steps are one matrix product; the recurrent ones follow each other, step by
/// step, each with batch rows only: at small batch a step costs a kernel's latency plus reading the recurrent
/// weights, whatever the peak, and the element-wise gates and the barrier of a step. A fused library call
/// keeps the framework out of the loop, a captured graph the library's own launches. At small batch the
/// library has kernels that stay for all steps and read the recurrent weights once into registers (Diamos et
/// al. 2016, Persistent RNNs); a step is then a product and a barrier on the chip.

#include "cost/recurrent.h"

namespace rigcast::cost {
namespace {

/// Half of the registers hold the weights; frameworks choose these kernels for 16-bit layers in one direction
/// of at most 1024 units, in multiples of 128, and batches of at most 128 (PyTorch's use_persist heuristics).
bool resident(const workload::Recurrent& r, double batch, const GpuModel& gpu) {
  constexpr double kRegisterBytes = 256 * 1024;  // of a multiprocessor
  const double hidden = static_cast<double>(r.hidden),
               weights = workload::gates(r.cell) * hidden * hidden * gpu.compute_parameter_bytes;
  return r.fused && gpu.matrix_units && gpu.element_bytes <= 2 && r.directions == 1 && r.hidden <= 1024 &&
         r.hidden % 128 == 0 && batch <= 128 && weights <= 0.5 * kRegisterBytes * gpu.multiprocessors;
}

/// Of one step, beside its arithmetic.
Seconds step_latency(const workload::Recurrent& r, bool stays, Seconds kernel, const GpuModel& gpu) {
  if (!r.fused) return kernel * 3;
  if (stays) return gpu.resident_step;
  return gpu.execution.captured ? kernel * 2 : kernel + gpu.recurrent_step;
}

void steps(const workload::Recurrent& r, double batch, double factor, const GpuModel& gpu,
           std::vector<Kernel>& kernels) {
  const double g = workload::gates(r.cell), hidden = static_cast<double>(r.hidden),
               count = static_cast<double>(r.steps * r.directions);
  const double weights = g * hidden * hidden * gpu.compute_parameter_bytes;
  const double state = (2 * g + 4) * hidden * batch * gpu.element_bytes;
  const bool stays = resident(r, batch, gpu);
  // Each multiprocessor reads its own columns of the weights, once a step: L2 has nothing to feed twice.
  GpuModel own = gpu;
  own.feed_rate = {};
  Kernel step = product_kernel({batch, g * hidden, hidden, 1, 1}, own,
                               {stays ? state + weights / count : weights + state});
  const double repeats = count * factor;
  step.matrix *= repeats;
  step.vector *= repeats;
  step.memory *= repeats;
  step.latency = step_latency(r, stays, step.latency, gpu) * repeats;
  step.flops *= repeats;
  step.bytes *= repeats;
  step.launches = repeats * (r.fused ? 0.1 : 3);
  kernels.push_back(step);
}

void inputs(const workload::Recurrent& r, double batch, const GpuModel& gpu, std::vector<Kernel>& kernels) {
  const double g = workload::gates(r.cell), rows = batch * static_cast<double>(r.steps);
  const double in = static_cast<double>(r.input), out = g * static_cast<double>(r.hidden);
  if (r.input <= 0) return;  // the layer's input is added as it is
  for (int direction = 0; direction < r.directions; ++direction)
    kernels.push_back(
        product_kernel({rows, out, in, 1, 1}, gpu,
                       {(rows * (in + out)) * gpu.element_bytes + in * out * gpu.compute_parameter_bytes}));
}

}  // namespace

void recurrent_forward(const workload::Operator&, const workload::Recurrent& cell, double batch,
                       const GpuModel& gpu, std::vector<Kernel>& kernels) {
  inputs(cell, batch, gpu, kernels);
  steps(cell, batch, 1, gpu, kernels);
}

void recurrent_backward(const workload::Operator&, const workload::Recurrent& cell, double batch,
                        const GpuModel& gpu, std::vector<Kernel>& kernels) {
  steps(cell, batch, 1, gpu, kernels);
  for (int gradient = 0; gradient < 2; ++gradient)
    inputs(cell, batch, gpu, kernels);  // of the input, of its weights
  // Weight gradient of the recurrent weights: all steps in one product.
  const double g = workload::gates(cell.cell), hidden = static_cast<double>(cell.hidden),
               rows = batch * static_cast<double>(cell.steps);
  for (int direction = 0; direction < cell.directions; ++direction)
    kernels.push_back(
        product_kernel({g * hidden, hidden, rows, 1, 1}, gpu, {rows * (g + 1) * hidden * gpu.element_bytes}));
}

}  // namespace rigcast::cost
