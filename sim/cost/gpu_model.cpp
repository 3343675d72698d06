/// Peaks come from the part, what is reached of them from the profile: per architecture for arithmetic, per
/// memory kind for bandwidth, per framework and execution mode for host time and fusion. A part with a data
/// sheet only inherits its architecture's constants. Power-capped parts (T4, L4) sustain less than their
/// boost clock: `gpu.ID.sustained_clock`.

#include "cost/gpu_model.h"

#include <algorithm>

#include "base/math.h"
#include "base/text.h"

namespace rigcast::cost {

namespace {

using plan::Execution;
using plan::Precision;

/// Looks constants up and keeps a list of them.
class Reader {
 public:
  Reader(const hardware::Profile& profile, std::vector<UsedConstant>& used)
      : profile_(profile), used_(used) {}

  double operator()(const std::string& group, const std::string& member, const std::string& name) {
    const double value = profile_.value(group, member, name);
    if (const hardware::Constant* constant = profile_.find(group, member, name))
      used_.push_back({group + "." + member + "." + name, *constant});
    return value;
  }

 private:
  const hardware::Profile& profile_;
  std::vector<UsedConstant>& used_;
};

/// Of the release whose operator time the profile states.
constexpr int kReferenceYear = 2021;

ExecutionModel execution_model(const plan::ResolvedPlan& plan, double host_speed, Reader& read) {
  ExecutionModel model;
  const std::string member = execution_member(plan);
  model.training = plan.mode == plan::Mode::kTraining;
  model.captured = plan.execution == Execution::kGraphs;
  model.fuses = plan.execution != Execution::kEager;
  model.autocast = plan::is_mixed(plan.precision);
  model.wide_streams =
      model.autocast && !model.fuses && plan.year >= read("framework", member, "wide_autocast_since");
  model.flash_attention = plan.flash_attention;
  model.fused_optimizer = plan.fused_optimizer || model.fuses;
  const bool half = plan::activation_bytes(plan.precision).value <= 2;
  model.channels_last = plan.channels_last || (half && model.fuses) ||
                        (half && plan.year >= read("framework", member, "channels_last_since"));
  model.fused_convolution_bias = model.fuses;
  model.fused_convolution_activation =
      model.fuses && read("framework", member, "fused_convolution_activation") > 0.5;
  model.fused_norm =
      half && model.channels_last && plan.year >= read("framework", member, "fused_norm_since");
  model.convolution_epilogue = read("framework", member, "convolution_epilogue") > 0.5;
  model.fused_softmax = read("framework", member, "fused_softmax") > 0.5;
  // The interpreter's share of an operator's cost scales with single-thread speed to the power 0.85.
  const double slow = exact_pow(host_speed, -read("framework", "default", "host_speed_exponent"));
  // Dispatch became cheaper release by release; autocast looks every operator up and casts its inputs.
  const double release = exact_pow(read("framework", member, "operator_yearly"), plan.year - kReferenceYear);
  const double casts = model.autocast ? read("framework", member, "autocast_operator") : 1;
  const double op = read("framework", member, "operator_s") * slow * release * casts;
  const double training = model.training ? read("framework", member, "training_forward") : 1;
  model.forward_operator = {op * training};
  model.backward_operator = {op * read("framework", member, "backward_operator")};
  model.launch = {read("framework", member, "launch_s") * slow};
  model.optimizer_operator = {read("framework", member, "optimizer_operator_s") * slow};
  model.step = {read("framework", member, model.training ? "step_s" : "call_s") * slow};
  model.kernel_latency = {read("framework", member, "kernel_latency_s")};
  model.fused_traffic = model.fuses ? read("framework", member, "fused_traffic") : 1;
  return model;
}

Traffic traffic(Reader& read, const std::string& framework) {
  const auto op = [&](const char* name) { return read("traffic", framework, name); };
  Traffic t;
  t.batch_norm_inference = op("batch_norm_inference");
  t.batch_norm_forward = op("batch_norm_forward");
  t.batch_norm_backward = op("batch_norm_backward");
  t.layer_norm_forward = op("layer_norm_forward");
  t.layer_norm_backward = op("layer_norm_backward");
  t.rms_norm_forward = op("rms_norm_forward");
  t.rms_norm_backward = op("rms_norm_backward");
  t.activation_forward = op("activation_forward");
  t.activation_backward = op("activation_backward");
  t.add = op("add");
  t.multiply_forward = op("multiply_forward");
  t.multiply_backward = op("multiply_backward");
  t.layout_change = op("layout_change");
  t.concat = op("concat");
  t.pool = op("pool");
  t.softmax = op("softmax");
  t.depthwise = op("depthwise");
  t.depthwise_weight_gradient = op("depthwise_weight_gradient");
  t.autocast = op("autocast");
  t.totals_forward = op("totals_forward");
  t.totals_backward = op("totals_backward");
  t.relative_scores = op("relative_scores");
  return t;
}

}  // namespace

std::string execution_member(const plan::ResolvedPlan& plan) {
  return lower_case(plan.framework) + "-" + std::string(plan::name(plan.execution));
}

ProductPeak product_peak(const hardware::GpuPart& gpu, Precision precision) {
  const hardware::PeakRates& peak = gpu.peak;
  const FlopsPerSecond none{};
  const auto matrix = [&](FlopsPerSecond rate) {
    const bool half = peak.fp16_matrix_fp16_accumulate.value > 1.5 * peak.fp16_matrix.value;
    return ProductPeak{rate, true, half};
  };
  switch (precision) {
    case Precision::kFp64:
      return peak.fp64_matrix > none ? matrix(peak.fp64_matrix) : ProductPeak{peak.fp64, false, false};
    case Precision::kFp32:
      return peak.fp32_matrix > peak.fp32 ? matrix(peak.fp32_matrix) : ProductPeak{peak.fp32, false, false};
    case Precision::kTf32:
      return peak.tf32_matrix > none ? matrix(peak.tf32_matrix) : ProductPeak{peak.fp32, false, false};
    case Precision::kAmpBf16:
    case Precision::kBf16:
      if (peak.bf16_matrix > none) return matrix(peak.bf16_matrix);
      return {peak.fp32, false, false};
    case Precision::kFp8:
      if (peak.fp8_matrix > none) return matrix(peak.fp8_matrix);
      break;
    case Precision::kInt8:
      if (peak.int8_matrix > none) return matrix(peak.int8_matrix);
      if (peak.int8_vector > none) return {peak.int8_vector, false, false};
      break;
    default:
      break;
  }
  if (peak.fp16_matrix > none) return matrix(peak.fp16_matrix);
  return {std::max(peak.fp16_vector, peak.fp32), false, false};
}

double thread_speed(const hardware::CpuPart& cpu, const hardware::Profile& profile) {
  const double ipc = profile.value("cpu", lower_case(cpu.generation), "instructions_per_clock");
  return cpu.turbo_clock.value / 3.5e9 * ipc;
}

GpuModel gpu_model(const hardware::GpuPart& gpu, const hardware::CpuPart& host,
                   const plan::ResolvedPlan& plan, const hardware::Profile& profile) {
  GpuModel model;
  Reader read(profile, model.constants);
  const std::string architecture = lower_case(gpu.architecture);
  const ProductPeak peak = product_peak(gpu, plan.precision);
  const double sustained = read("gpu", gpu.id, "sustained_clock");

  model.id = gpu.id;
  model.multiprocessors = std::max(1, gpu.multiprocessors);
  model.matrix_units = peak.matrix_units;
  model.peak = peak.rate;
  const bool narrow = plan.precision == Precision::kFp8 || plan.precision == Precision::kInt8;
  const char* reached = !peak.matrix_units ? "vector_products"
                        : peak.half_rate   ? "matrix_products_half_rate"
                        : narrow           ? "matrix_products_fp8"
                                           : "matrix_products";
  const bool bare = lower_case(plan.framework) == "library";  // one call, not a training run
  const double held = bare ? 1 : read("architecture", architecture, "sustained_products");
  // What a training framework reaches of a bare library call; ordinary lanes, and matrix units at half their
  // rate, are fed as well by either.
  const char* efficiency =
      plan.precision == Precision::kTf32 ? "product_efficiency_tf32" : "product_efficiency";
  const bool starves = peak.matrix_units && (!peak.half_rate || plan.precision == Precision::kTf32);
  const double framework = starves ? read("framework", execution_member(plan), efficiency) : 1;
  model.product_rate =
      peak.rate * (read("architecture", architecture, reached) * sustained * held * framework);
  model.burst_rate = model.product_rate / held;
  // Some accelerators' data sheets give matrix rates only; their vector engines are taken as a sixteenth of
  // that.
  const FlopsPerSecond lanes = gpu.peak.fp32.value > 0 ? gpu.peak.fp32 : peak.rate / 16;
  model.vector_rate = lanes * (read("architecture", architecture, "vector") * sustained);
  model.memory_rate = gpu.memory_bandwidth * read("memory", lower_case(gpu.memory_kind), "achieved");
  model.element_bytes = plan::activation_bytes(plan.precision).value;
  model.parameter_bytes = plan::parameter_bytes(plan.precision).value;
  model.compute_parameter_bytes = model.element_bytes;
  model.product_bytes = narrow ? 1 : model.element_bytes;
  const double bytes_per_clock = gpu.boost_clock.value * sustained;
  model.k_prologue =
      read("architecture", architecture, peak.matrix_units ? "k_prologue" : "vector_k_prologue");
  model.feed_rate = {bytes_per_clock *
                     read("architecture", architecture, peak.matrix_units ? "feed" : "vector_feed")};
  // Some frameworks pad a vocabulary of any size to whole tiles.
  if (peak.matrix_units && read("framework", execution_member(plan), "padded_vocabulary") < 0.5)
    model.unaligned_products = read("architecture", architecture, "unaligned_products");
  model.product_reads = read("architecture", architecture, "product_reads");
  model.exposed_prologue = read("architecture", architecture, "exposed_prologue");
  model.half_flight = read("architecture", architecture, "half_flight");
  model.l2 = gpu.l2;
  model.resident_writes = gpu.l2 * read("architecture", architecture, "resident_writes");
  model.resident_rate = {bytes_per_clock * model.multiprocessors *
                         read("architecture", architecture, "resident_feed")};
  model.split_latency = {read("architecture", architecture, "split_latency_s")};
  model.convolution_forward = read("architecture", architecture, "convolution_forward");
  model.convolution_gradient = read("architecture", architecture, "convolution_gradient");
  model.convolution_weight_gradient = read("architecture", architecture, "convolution_weight_gradient");
  model.grouped_forward = read("architecture", architecture, "grouped_forward");
  model.grouped_gradient = read("architecture", architecture, "grouped_gradient");
  model.depthwise_lanes = read("architecture", architecture, "depthwise_lanes");
  // Eight-bit sums leave no room for transformed values.
  if (!peak.matrix_units && plan.precision != Precision::kFp64 && plan.precision != Precision::kInt8) {
    model.winograd = read("architecture", architecture, "winograd");
    model.fourier = read("architecture", architecture, "fourier");
  }
  model.flash_forward = read("architecture", architecture, "flash_forward");
  model.flash_backward = read("architecture", architecture, "flash_backward");
  model.flash_rows = read("architecture", architecture, "flash_rows");
  model.flash_tail = read("architecture", architecture, "flash_tail");
  model.recurrent_step = {read("architecture", architecture, "recurrent_step_s")};
  model.resident_step = {read("architecture", architecture, "resident_step_s")};
  model.traffic = traffic(read, lower_case(plan.framework));
  model.execution = execution_model(plan, thread_speed(host, profile), read);
  if (!peak.matrix_units) model.execution.channels_last = true;  // plain lanes read either layout
  return model;
}

}  // namespace rigcast::cost
