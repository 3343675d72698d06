/// What a rank keeps. Activations: every tensor some backward kernel reads, once each, however many operators
/// read it: products keep their input, normalisations their input, ReLU its output, GELU its input, attention
/// Q, K, V and (unfused) the probabilities before and after dropout, dropout a byte a element, the loss its
/// probabilities in 32 bits. Besides: weights, gradients, optimizer states, 16-bit copies, the library's
/// workspace, two gradient tensors in flight, communication buffers, the driver's context, and a share the
/// allocator cannot use.

#include "cost/memory.h"

#include <algorithm>
#include <cmath>

#include "cost/input.h"
#include "cost/operator_kernels.h"

namespace rigcast::cost {
namespace {

using workload::Operator;

/// States of 4 bytes a parameter.
double optimizer_states(plan::Optimizer optimizer) {
  switch (optimizer) {
    case plan::Optimizer::kNone:
      return 0;
    case plan::Optimizer::kAdam:
    case plan::Optimizer::kAdamW:
    case plan::Optimizer::kLamb:
      return 2;
    default:
      return 1;
  }
}

struct Saved {
  bool input = false, output = false;
  double extra_bytes = 0;  ///< per sample
};

Saved saved(const Operator& op, const plan::ResolvedPlan& plan) {
  const double element = plan::activation_bytes(plan.precision).value;
  if (const auto* a = std::get_if<workload::Attention>(&op.attributes)) {
    const double scores =
        static_cast<double>(a->heads) * static_cast<double>(a->queries) * static_cast<double>(a->keys);
    if (plan.flash_attention) return {true, true, static_cast<double>(a->heads * a->queries) * 4};
    const double wide = plan::is_mixed(plan.precision) ? 4 : element;  // softmax keeps its 32-bit result
    return {true, false, scores * (wide + (a->dropout ? element + 1 : 0))};
  }
  if (const auto* activation = std::get_if<workload::Activation>(&op.attributes)) {
    const bool from_output = activation->function == workload::Function::kRelu ||
                             activation->function == workload::Function::kSigmoid ||
                             activation->function == workload::Function::kTanh;
    return {!from_output, from_output, 0};
  }
  if (const auto* sum = std::get_if<workload::Elementwise>(&op.attributes)) return {sum->multiply, false, 0};
  if (std::holds_alternative<workload::Dropout>(op.attributes)) return {false, false, op.output_elements};
  if (std::holds_alternative<workload::Softmax>(op.attributes)) return {false, true, 0};
  if (const auto* pool = std::get_if<workload::Pool>(&op.attributes))
    return {!pool->average, false, pool->average ? 0 : op.output_elements * 8};
  if (std::holds_alternative<workload::Loss>(op.attributes)) return {false, false, op.input_elements * 4};
  if (const auto* cell = std::get_if<workload::Recurrent>(&op.attributes))
    return {true, false,
            static_cast<double>(cell->steps * cell->directions * cell->hidden *
                                (workload::gates(cell->cell) + 2)) *
                element};
  if (const auto* totals = std::get_if<workload::Totals>(&op.attributes))
    return {false, false, 2 * totals->forward_activations * element};
  if (std::holds_alternative<workload::Concat>(op.attributes) ||
      std::holds_alternative<workload::Copy>(op.attributes) ||
      std::holds_alternative<workload::Embedding>(op.attributes) ||
      std::holds_alternative<workload::Resize>(op.attributes))
    return {};
  return {true, false, 0};  // products and normalisations
}

std::string block_of(const std::string& name) {
  std::size_t start = 0;
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', start)) {
    const std::string part = name.substr(start, dot - start);
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos)
      return name.substr(0, dot);
    start = dot + 1;
  }
  return name.substr(0, name.find('.'));
}

/// What recomputation spares. Full: of a block (operators of one numbered scope: "layer.3.query") only its
/// input is kept, and one block at a time has all its tensors while it is recomputed. Selective: nothing of
/// the attention core.
class Recomputation {
 public:
  explicit Recomputation(const plan::ResolvedPlan& plan)
      : plan_(plan), element_(plan::activation_bytes(plan.precision).value) {}

  /// Bytes a sample that stay kept of an operator's `bytes`.
  double kept(const Operator& op, double bytes) {
    if (plan_.recompute == plan::Recompute::kSelective)
      return std::holds_alternative<workload::Attention>(op.attributes) ? 0 : bytes;
    if (plan_.recompute == plan::Recompute::kNone || std::holds_alternative<workload::Loss>(op.attributes))
      return bytes;
    const std::string block = block_of(op.name);
    const bool begins = block != block_;
    if (begins) in_block_ = 0;
    block_ = block;
    in_block_ += bytes;
    largest_ = std::max(largest_, in_block_);
    return begins ? std::min(bytes, op.input_elements * element_) : 0;
  }
  Bytes largest_block() const { return {largest_}; }

 private:
  const plan::ResolvedPlan& plan_;
  double element_;
  std::string block_;
  double in_block_ = 0, largest_ = 0;
};

struct Activations {
  Bytes kept;     ///< by the whole micro-batch
  Bytes largest;  ///< largest single tensor
  std::vector<OperatorMemory> operators;
};

Activations activations(const plan::Scenario& scenario) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const auto& operators = scenario.network.operators;
  const double element = plan::activation_bytes(plan.precision).value;
  const bool training = plan.mode == plan::Mode::kTraining;
  std::vector<bool> kept(operators.size());
  Recomputation recomputation(plan);
  Activations result;
  for (const Operator& op : operators) {
    const std::size_t index = result.operators.size();
    double bytes = 0;
    const Saved s = saved(op, plan);
    if (training && has_backward(op)) {
      const auto keep = [&](std::size_t tensor) {
        if (!kept[tensor]) bytes += operators[tensor].output_elements * element;
        kept[tensor] = true;
      };
      if (s.input) {
        if (op.inputs.empty()) bytes += op.input_elements * element;
        for (const std::uint32_t input : op.inputs) keep(input);
      }
      if (s.output) keep(index);
      bytes += s.extra_bytes;
    }
    bytes = recomputation.kept(op, bytes);
    const Bytes whole{bytes * op.repeat * plan.micro_batch};
    result.kept += whole;
    result.largest = std::max(
        result.largest, Bytes{std::max(op.output_elements, op.input_elements) * element * plan.micro_batch});
    result.operators.push_back({op.name, std::string(workload::kind_name(op.attributes)),
                                plan::parameter_bytes(plan.precision) * op.parameters, whole});
  }
  result.kept += recomputation.largest_block() * plan.micro_batch;
  return result;
}

Bytes host_capacity(const hardware::Machine& machine) {
  Bytes sum;
  for (const hardware::DeviceId id : machine.all(hardware::DeviceType::kRam))
    sum += machine.device(id).ram().capacity;
  return sum;
}

HostMemory host_memory(const plan::Scenario& scenario) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const hardware::Profile& profile = scenario.profile;
  HostMemory host;
  host.capacity = host_capacity(scenario.machine);
  const int processes = plan.gpus / plan.nodes;
  host.workers = Bytes{profile.value("host", "default", "process_bytes")} * processes;
  if (!plan.dataset) return host;
  const Bytes batch = prepared_bytes(scenario) * plan.micro_batch;
  host.pinned = batch * static_cast<double>(processes * 2);
  host.workers += Bytes{profile.value("host", "default", "worker_bytes")} * plan.workers +
                  batch * static_cast<double>(plan.prefetch * processes);
  const Bytes free = host.capacity - host.pinned - host.workers;
  host.page_cache = std::clamp(free, Bytes{}, plan.sample_bytes * plan.samples);
  return host;
}

/// Of one rank: tables that are spread over the ranks count by their share.
double own_parameters(const plan::Scenario& scenario) {
  double parameters = scenario.network.parameters();
  if (scenario.plan.embedding != plan::EmbeddingPlacement::kModelParallel) return parameters;
  for (const Operator& op : scenario.network.operators) {
    const auto* table = std::get_if<workload::Embedding>(&op.attributes);
    if (table != nullptr && table->sparse_gradient)
      parameters -= op.parameters * (1 - 1.0 / scenario.plan.data);
  }
  return parameters;
}

double trained_parameters(const plan::Scenario& scenario) {
  double parameters = 0;
  for (const Operator& op : scenario.network.operators)
    if (!op.frozen) parameters += op.parameters;
  return parameters;
}

GpuMemory rank_memory(const plan::Scenario& scenario, const Activations& kept) {
  const plan::ResolvedPlan& plan = scenario.plan;
  const hardware::Profile& profile = scenario.profile;
  const double parameters = own_parameters(scenario);
  const double trained = plan.lora_rank > 0 ? trained_parameters(scenario) : parameters;
  double buffers = 0;
  for (const Operator& op : scenario.network.operators) buffers += op.buffers;
  const double weight = plan::parameter_bytes(plan.precision).value;
  const bool training = plan.mode == plan::Mode::kTraining;

  GpuMemory m;
  m.parameters = {parameters * weight + buffers * 4};
  m.activations = kept.kept;
  m.workspace = Bytes{profile.value("gpu_memory", "default", "workspace_bytes")} + kept.largest * 2;
  if (plan::is_mixed(plan.precision)) m.workspace += Bytes{parameters * 2};  // autocast's 16-bit copies
  if (training) {
    m.gradients = {trained * weight};
    if (weight < 4 && plan.optimizer != plan::Optimizer::kNone) m.master_weights = {trained * 4};
    m.optimizer = {trained * 4 * optimizer_states(plan.optimizer)};
    if (plan.gpus > 1)
      m.communication = m.gradients + Bytes{profile.value("gpu_memory", "default", "collective_bytes")};
  }
  m.context = {profile.value("gpu_memory", "default", "context_bytes")};
  m.reserved = m.used() * profile.value("gpu_memory", "default", "fragmentation");
  return m;
}

}  // namespace

MemoryLedger memory(const plan::Scenario& scenario) {
  MemoryLedger ledger;
  Activations kept = activations(scenario);
  const GpuMemory rank = rank_memory(scenario, kept);
  const auto gpus = scenario.machine.all(hardware::DeviceType::kGpu);
  const int each = scenario.plan.gpus / scenario.plan.nodes;  // nodes are equal: the ledger is of one
  for (int r = 0; r < each && r < static_cast<int>(gpus.size()); ++r) {
    GpuMemory m = rank;
    m.id = scenario.machine.device(gpus[static_cast<std::size_t>(r)]).id;
    m.capacity = scenario.machine.device(gpus[static_cast<std::size_t>(r)]).gpu().memory;
    ledger.fits = ledger.fits && m.used() <= m.capacity;
    ledger.gpus.push_back(std::move(m));
  }
  ledger.host = host_memory(scenario);
  ledger.fits = ledger.fits && ledger.host.used() <= ledger.host.capacity;
  ledger.operators = std::move(kept.operators);
  return ledger;
}

double largest_batch_that_fits(const plan::Scenario& scenario) {
  plan::Scenario trial = scenario;
  const auto fits = [&](double batch) {
    trial.plan.micro_batch = batch;
    trial.plan.batch_per_gpu = batch * trial.plan.grad_accum;
    return memory(trial).fits;
  };
  if (!fits(1)) return 0;
  double low = 1, high = 2;
  constexpr double kLargest = 1 << 24;
  while (high < kLargest && fits(high)) low = high, high *= 2;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (fits(middle) ? low : high) = middle;
  }
  return low * scenario.plan.grad_accum;
}

}  // namespace rigcast::cost
