#pragma once

/// The arithmetic of one operator's time on the scenario's first GPU.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/gpu_model.h"
#include "cost/kernel.h"
#include "plan/scenario.h"

namespace rigcast::study {

struct KernelStory {
  bool backward = false;
  cost::Kernel kernel;
};

/// A constant the operator's time depends on.
struct ConstantEffect {
  std::string key;
  hardware::Constant constant;
  double elasticity = 0;  ///< d ln(time) / d ln(constant): -1 where twice the constant halves the time
};

struct OperatorStory {
  std::string name, kind, shape;
  double batch = 0;  ///< samples of a pass
  std::string gpu;
  FlopsPerSecond peak, product_rate, vector_rate;
  BytesPerSecond memory_rate;
  std::vector<KernelStory> kernels;       ///< in order
  Seconds time, host;                     ///< of all kernels on the GPU; of the thread that issues them
  std::vector<ConstantEffect> constants;  ///< largest effect first
};

/// The operator of that name, or the only one whose name contains it; else its candidates' names.
struct OperatorSearch {
  std::optional<std::size_t> found;
  std::vector<std::string> candidates;
};
OperatorSearch find_operator(const workload::Network& network, std::string_view name);

OperatorStory explain_operator(const plan::Scenario& scenario, std::size_t op);

}  // namespace rigcast::study
