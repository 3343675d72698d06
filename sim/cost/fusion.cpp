/// What compilers and libraries join, and how wide what they leave is. A compiler runs element-wise chains
/// and norms as one kernel, and libraries write what follows a convolution in its epilogue; eager execution
/// fuses nothing but what its library offers around batch norm. Under autocast norms, softmax, embeddings and
/// whatever adds or multiplies 32-bit parameters stay in 32 bits until a product casts them.

#include "cost/fusion.h"

#include <algorithm>

namespace rigcast::cost {
namespace {

using workload::Operator;

bool fusable(const Operator& op) {
  return std::holds_alternative<workload::Activation>(op.attributes) ||
         std::holds_alternative<workload::Elementwise>(op.attributes) ||
         std::holds_alternative<workload::Copy>(op.attributes) ||
         std::holds_alternative<workload::Dropout>(op.attributes);
}

/// What library kernels of batch norm take in: the sum of a residual block and ReLU.
bool joins_norm(const Operator& op) {
  if (const auto* activation = std::get_if<workload::Activation>(&op.attributes))
    return activation->function == workload::Function::kRelu;
  const auto* sum = std::get_if<workload::Elementwise>(&op.attributes);
  return sum != nullptr && !sum->multiply;
}

constexpr double kWide = 4;  // bytes

/// Whether an operator's results are in 32 bits under autocast whatever it reads.
bool widens(const Operator& op) {
  if (const auto* norm = std::get_if<workload::Normalisation>(&op.attributes))
    return norm->kind == workload::NormKind::kLayer || norm->kind == workload::NormKind::kGroup;
  return std::holds_alternative<workload::Softmax>(op.attributes) ||
         std::holds_alternative<workload::Embedding>(op.attributes) ||
         (std::holds_alternative<workload::Copy>(op.attributes) && op.inputs.empty()) ||  // a stored constant
         (std::holds_alternative<workload::Elementwise>(op.attributes) && op.parameters > 0);
}

bool is_product(const Operator& op) {
  return std::holds_alternative<workload::Convolution>(op.attributes) ||
         std::holds_alternative<workload::Linear>(op.attributes) ||
         std::holds_alternative<workload::BatchedMatmul>(op.attributes) ||
         std::holds_alternative<workload::Attention>(op.attributes) ||
         std::holds_alternative<workload::Recurrent>(op.attributes) ||
         std::holds_alternative<workload::Totals>(op.attributes);
}

/// Element sizes of every operator's tensors; operators that are no product keep the widest they read.
void widen(const workload::Network& network, const GpuModel& gpu, std::vector<Fusion>& result) {
  for (std::size_t i = 0; i < network.operators.size(); ++i) {
    const Operator& op = network.operators[i];
    double widest = gpu.element_bytes, bytes = 0, elements = 0;
    for (const std::uint32_t input : op.inputs) {
      const double read = network.operators[input].output_elements;
      widest = std::max(widest, result[input].output_bytes);
      bytes += read * result[input].output_bytes;
      elements += read;
    }
    result[i].input_bytes = elements > 0 ? bytes / elements : gpu.element_bytes;
    result[i].output_bytes = widens(op) ? kWide : is_product(op) ? gpu.element_bytes : widest;
  }
}

}  // namespace

std::vector<Fusion> fusion(const workload::Network& network, const GpuModel& gpu) {
  std::vector<Fusion> result(network.operators.size());
  if (gpu.execution.wide_streams) widen(network, gpu, result);
  if (!gpu.execution.fuses && !gpu.execution.fused_norm) return result;
  std::vector<int> consumers(network.operators.size());
  for (const Operator& op : network.operators)
    for (const std::uint32_t input : op.inputs) ++consumers[input];
  for (std::size_t i = 0; i < network.operators.size(); ++i) {
    const Operator& op = network.operators[i];
    if (!fusable(op) || op.inputs.empty()) continue;
    const auto* activation = std::get_if<workload::Activation>(&op.attributes);
    if (!gpu.execution.fuses && !joins_norm(op)) continue;
    for (const std::uint32_t input : op.inputs) {
      const Operator& producer = network.operators[input];
      const auto* norm = std::get_if<workload::Normalisation>(&producer.attributes);
      // An eager library has kernels for batch norm, sum and activation, in that order and no other.
      const bool streams = gpu.execution.fuses
                               ? fusable(producer) || norm != nullptr
                               : (norm != nullptr && norm->kind == workload::NormKind::kBatch) ||
                                     (result[input].joins_producer &&
                                      std::holds_alternative<workload::Elementwise>(producer.attributes));
      const bool epilogue =
          gpu.execution.fuses && std::holds_alternative<workload::Convolution>(producer.attributes);
      if (consumers[input] != 1) continue;
      if (streams || (epilogue && !gpu.execution.training && gpu.execution.convolution_epilogue))
        result[i].joins_producer = true;
      if (epilogue && gpu.execution.fused_convolution_activation && activation != nullptr)
        result[i].in_epilogue = true;
    }
  }
  return result;
}

}  // namespace rigcast::cost
