/// Rows of matrix arithmetic: products, convolutions, recurrent layers, attention. Each becomes the operator
/// it would be in a network.

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "cost/attention.h"
#include "cost/convolution.h"
#include "cost/matrix_product.h"
#include "cost/recurrent.h"
#include "cost/stream.h"
#include "study/micro_kernel.h"

namespace rigcast::study {
namespace {

/// Kernels shorter than this run at the burst rate: the power limiter averages over more.
constexpr Seconds kPowerLag{2e-4};
/// Repeated back to back, kernels of this length meet half of the limiter's effect.
constexpr Seconds kThrottleLag{3e-3};

std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

/// Element `axis` of an array member; the number itself where it is no array; `fallback` where absent.
double along(const Row& row, std::string_view key, std::size_t axis, double fallback) {
  const config::Value* member = row.find(key);
  if (member == nullptr) return fallback;
  if (member->is(config::JsonKind::kNumber)) return member->number;
  if (!member->is(config::JsonKind::kArray) || axis >= member->elements.size()) return fallback;
  return member->elements[axis].number;
}

bool weight_gradient(const std::string& pass) {
  return pass == "weight-gradient" || pass == "bwd_grad_w" || pass == "backward-weights";
}

struct Prepared {
  std::optional<cost::GpuModel> model;
  std::string reason;
};

Prepared prepare(const KernelRow& row) {
  const auto precision = precision_of(row.row);
  if (!precision) return {std::nullopt, "unknown precision: " + row.row.text("precision")};
  return {library_model(row, *row.gpu(), *precision), {}};
}

double bytes_of(std::string_view type, double fallback) {
  if (type == "fp32" || type == "tf32") return 4;
  if (type == "fp64") return 8;
  if (type == "fp16" || type == "bf16") return 2;
  if (type == "fp8" || type == "int8") return 1;
  return fallback;
}

}  // namespace

MicroForecast product_row(const KernelRow& row) {
  const Prepared prepared = prepare(row);
  if (!prepared.model) return unresolved(prepared.reason);
  cost::GpuModel gpu = *prepared.model;
  double m = row.count("m"), n = row.count("n"), k = row.count("k");
  if (!(m >= 1 && n >= 1 && k >= 1)) return unresolved("a product needs m, n and k");
  const double count = row.count("batch") * row.count("groups");
  // Products of one byte an element leave 16 bits; integers leave their sums.
  const double element = bytes_of(row.row.text("precision"), gpu.element_bytes);
  double output = bytes_of(row.row.text("output_dtype"), std::max(2.0, element));
  if (row.row.flag("accumulate").value_or(false)) output *= 2;  // read, added to and written
  // m, n, k of a grouped row are the forward product's; gradients permute them.
  const std::string pass = row.row.text("pass");
  if (pass == "bwd_grad_act" || pass == "data-gradient") std::swap(n, k);
  if (weight_gradient(pass)) {
    std::swap(m, k);
    output = 8;  // gradients are added to 32-bit sums
  }
  const double bytes = count * (element * (m * k + k * n) + output * m * n);
  std::vector<cost::Kernel> list = {cost::product_kernel({m, n, k, count, 1}, gpu, {bytes})};
  const std::string architecture = lower_case(row.gpu()->architecture);
  const double length = list.back().duration() / kThrottleLag;
  gpu.product_rate =
      gpu.product_rate *
      (1 / (1 + row.constant("architecture", architecture, "throttle") * length / (1 + length)));
  list = {cost::product_kernel({m, n, k, count, 1}, gpu, {bytes})};
  // Training libraries are measured as training runs: kernels long enough meet the power limit.
  if (row.says("software", "transformerengine") && list.back().duration() > kPowerLag) {
    cost::GpuModel held = gpu;
    held.product_rate *= row.constant("architecture", architecture, "sustained_products");
    list = {cost::product_kernel({m, n, k, count, 1}, held, {bytes})};
  }
  // A group is a call of its own, on a few streams: the host issues them one by one.
  const double issue = row.count("groups") * row.constant("framework", "library-call", "issue_s");
  if (row.count("groups") > 1 && issue > list.back().duration().value) {
    list.back().host = {issue};
    list.back().latency += Seconds{issue} - list.back().duration();
  }
  // Serving libraries take 16-bit activations to fp8 products: largest value, scale, cast.
  if (element == 1 && (row.says("software", "trtllm") || row.says("software", "vllm")))
    list.push_back(cost::stream_kernel({3 * m * k}, 3, gpu));
  return forecast_of(row, list, {2 * m * n * k * count});
}

MicroForecast convolution_row(const KernelRow& row) {
  const Prepared prepared = prepare(row);
  if (!prepared.model) return unresolved(prepared.reason);
  cost::GpuModel gpu = *prepared.model;
  const Row& r = row.row;
  const double batch = row.count("N");
  workload::Operator op;
  workload::Convolution conv;
  conv.in_channels = whole(row.count("C"));
  conv.out_channels = whole(row.count("K"));
  conv.groups = whole(row.count("groups"));
  if (conv.in_channels < 1 || conv.out_channels < 1 || conv.groups < 1 || conv.in_channels % conv.groups != 0)
    return unresolved("channels do not fit the groups");
  const char* sizes[2] = {"H", "W"};
  const char* kernels[2] = {"R", "S"};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double stride = along(r, "stride", axis, 1), padding = along(r, "padding", axis, 0);
    const double dilation = along(r, "dilation", axis, 1);
    const double kernel = row.count(kernels[axis]), reach = (kernel - 1) * dilation + 1;
    if (!(stride >= 1)) return unresolved("a stride below 1");
    conv.input[axis + 1] = whole(row.count(sizes[axis]));
    conv.kernel[axis + 1] = whole(kernel);
    conv.stride[axis + 1] = whole(stride);
    conv.output[axis + 1] = whole((row.count(sizes[axis]) + 2 * padding - reach) / stride) + 1;
    if (conv.output[axis + 1] < 1) return unresolved("the kernel is larger than the input");
  }
  const auto product = [](const std::int64_t(&size)[3]) {
    return static_cast<double>(size[0] * size[1] * size[2]);
  };
  op.input_elements = product(conv.input) * static_cast<double>(conv.in_channels);
  op.output_elements = product(conv.output) * static_cast<double>(conv.out_channels);
  op.parameters =
      static_cast<double>(conv.in_channels / conv.groups * conv.out_channels) * product(conv.kernel);
  op.attributes = conv;
  // Benchmarks hand tensors over as the kernel wants them, unless they say otherwise.
  gpu.execution.channels_last = lower_case(r.text("layout", "nhwc")) == "nhwc";
  // The library's releases of 2017 and 2018 sum weight gradients more slowly than later ones.
  if (row.says("software", "deepbench"))
    gpu.convolution_weight_gradient *= row.constant("framework", "cudnn-7", "weight_gradient");
  // Matrix units take channels by eights; nobody pads them here, so other shapes run on ordinary lanes.
  if (gpu.matrix_units && gpu.element_bytes <= 2 &&
      (conv.in_channels % 8 != 0 || conv.out_channels % 8 != 0)) {
    const cost::GpuModel lanes = library_model(row, *row.gpu(), plan::Precision::kFp32);
    const double element = gpu.element_bytes;
    gpu = lanes;
    gpu.element_bytes = gpu.compute_parameter_bytes = gpu.product_bytes = element;
    gpu.winograd = gpu.fourier = 0;
    gpu.product_rate *=
        row.constant("architecture", lower_case(row.gpu()->architecture), "unpadded_convolution");
  }
  const std::string pass = r.text("pass", "forward");
  std::vector<cost::Kernel> list;
  if (pass == "forward")
    cost::convolution_forward(op, conv, batch, gpu, list);
  else
    cost::convolution_backward(op, conv, batch, gpu, !weight_gradient(pass), weight_gradient(pass), list);
  return forecast_of(
      row, list, {2 * op.output_elements * batch * op.parameters / static_cast<double>(conv.out_channels)});
}

MicroForecast recurrent_row(const KernelRow& row) {
  const Prepared prepared = prepare(row);
  if (!prepared.model) return unresolved(prepared.reason);
  const std::string cell = row.row.text("op", "lstm");
  workload::Recurrent r;
  r.cell = cell == "lstm"  ? workload::Cell::kLstm
           : cell == "gru" ? workload::Cell::kGru
                           : workload::Cell::kVanilla;
  r.hidden = whole(row.count("hidden"));
  r.input = whole(row.row.number("input").value_or(0));  // none stated: only the recurrent products are timed
  r.steps = whole(row.count("timesteps"));
  if (r.hidden < 1 || r.steps < 1) return unresolved("a recurrent layer needs hidden and timesteps");
  const double batch = row.count("batch");
  workload::Operator op;
  op.attributes = r;
  std::vector<cost::Kernel> list;
  if (row.row.text("pass", "forward") == "forward")
    cost::recurrent_forward(op, r, batch, *prepared.model, list);
  else
    cost::recurrent_backward(op, r, batch, *prepared.model, list);
  const double gates = workload::gates(r.cell);
  return forecast_of(
      row, list, {4 * gates * batch * row.count("hidden") * row.count("hidden") * row.count("timesteps")});
}

MicroForecast attention_row(const KernelRow& row) {
  const Prepared prepared = prepare(row);
  if (!prepared.model) return unresolved(prepared.reason);
  const double batch = row.count("batch"), keys = row.count("seq_len");
  const double head_dim = row.row.number("head_dim").value_or(64);
  workload::Attention a;
  a.heads = whole(row.count("heads"));
  a.kv_heads = whole(row.row.number("kv_heads").value_or(row.count("heads")));
  a.qk_dim = whole(row.row.number("qk_head_dim").value_or(head_dim));
  a.v_dim = whole(row.row.number("v_head_dim").value_or(static_cast<double>(a.qk_dim)));
  a.queries = a.keys = whole(keys);
  a.causal = row.row.flag("causal").value_or(false);
  a.dropout = false;
  const double query_width = static_cast<double>(a.heads * a.qk_dim),
               value_width = static_cast<double>(a.heads * a.v_dim);
  workload::Operator op;
  op.input_elements = keys * (query_width + static_cast<double>(a.kv_heads * (a.qk_dim + a.v_dim)));
  op.output_elements = keys * value_width;
  op.attributes = a;
  const bool forward = row.row.text("pass", "forward") == "forward";
  std::vector<cost::Kernel> list;
  if (forward)
    cost::attention_forward(op, a, batch, *prepared.model, list);
  else
    cost::attention_backward(op, a, batch, *prepared.model, list);
  // Publishers count every query with every key, causal or not, and five products backward for two forward.
  const double counted = 2 * batch * keys * keys * (query_width + value_width) * (forward ? 1 : 2.5);
  return forecast_of(row, list, {counted});
}

}  // namespace rigcast::study
