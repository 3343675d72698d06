/// The optimizer reads and writes every parameter and its states. Fused implementations go over each tensor
/// once
/// (`optimizer.NAME.fused_bytes`, bytes a parameter in 32 bits); eager ones run a few kernels for every
/// tensor, each reading and writing again (`eager_bytes`, `eager_kernels`). Frameworks that keep one kernel a
/// variable have framework constants `optimizer_kernels`. Gradient scaling of mixed precision reads and
/// writes the gradients once more. Of tables with sparse gradients the touched rows are read and written in
/// one kernel, with their states where the method has some beside momentum (which sparse steps leave out).

#include <algorithm>

#include "cost/operator_kernels.h"

namespace rigcast::cost {
namespace {

constexpr double kMomentumBytes = 8;  ///< a parameter: read and written in 32 bits

}  // namespace

void append_optimizer(const workload::Network& network, const GpuModel& gpu, const plan::ResolvedPlan& plan,
                      const hardware::Profile& profile, std::vector<Kernel>& kernels) {
  if (plan.optimizer == plan::Optimizer::kNone) return;
  double parameters = 0, tensors = 0, touched = 0, tables = 0;
  for (const workload::Operator& op : network.operators) {
    if (op.parameters <= 0 || op.frozen) continue;
    const auto* embedding = std::get_if<workload::Embedding>(&op.attributes);
    const bool sparse = embedding != nullptr && embedding->sparse_gradient;
    (sparse ? touched : parameters) +=
        sparse ? std::min(op.parameters, op.output_elements * plan.batch_per_gpu) : op.parameters;
    (sparse ? tables : tensors) += sparse ? 1 : 2;
  }
  if (parameters + touched == 0) return;
  const std::string optimizer(plan::name(plan.optimizer));
  const std::string member = execution_member(plan);
  // Mixed-precision scripts came with the fused Adam of the same library, and LAMB has been a fused kernel
  // from the start; plain SGD stayed a loop over tensors.
  const bool adam = plan.optimizer == plan::Optimizer::kAdam || plan.optimizer == plan::Optimizer::kAdamW;
  const bool fused = gpu.execution.fused_optimizer || (adam && gpu.element_bytes < 4) ||
                     plan.optimizer == plan::Optimizer::kLamb ||
                     profile.value("framework", member, "fused_optimizer") > 0.5;
  double bytes = profile.value("optimizer", optimizer, fused ? "fused_bytes" : "eager_bytes");
  if (gpu.execution.autocast) bytes += 8;   // unscale and clear
  if (gpu.parameter_bytes < 4) bytes += 4;  // 16-bit copies beside the 32-bit master weights
  const bool momentum = plan.optimizer == plan::Optimizer::kSgdMomentum;
  const double row_bytes =
      profile.value("optimizer", optimizer, "fused_bytes") - (momentum ? kMomentumBytes : 0);
  const double per_tensor = fused ? profile.value("framework", member, "fused_optimizer_kernels")
                                  : profile.value("optimizer", optimizer, "eager_kernels");
  Kernel kernel;
  kernel.op = Kernel::kNoOperator;
  kernel.launches = std::max(1.0, per_tensor * tensors) + tables;
  kernel.bytes = {bytes * parameters + row_bytes * touched};
  kernel.memory = kernel.bytes / gpu.memory_rate;
  kernel.flops = {12 * (parameters + touched)};
  kernel.vector = kernel.flops / gpu.vector_rate;
  // Kernels over small tensors overlap their ramps; half of each one's latency is exposed.
  kernel.latency = gpu.execution.kernel_latency * (0.5 * kernel.launches);
  kernel.host = gpu.execution.optimizer_operator * kernel.launches;
  kernels.push_back(kernel);
}

}  // namespace rigcast::cost
