#include "workload/builder.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace rigcast::workload {
namespace {

bool any_broken(const std::vector<Tensor>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const Tensor& tensor) { return tensor.broken; });
}

/// Beyond any real tensor, and small enough that counts of elements stay exact.
constexpr double kMostElements = 1e15;

Tensor broken() { return {-1, {}, false, true}; }

/// "conv1" -> "bn1", "downsample.0" -> "downsample.0_bn".
std::string norm_name(std::string_view conv) {
  constexpr std::string_view kConv = "conv";
  if (conv.starts_with(kConv)) return "bn" + std::string(conv.substr(kConv.size()));
  return std::string(conv) + "_bn";
}

}  // namespace

double elements(const Shape& shape) {
  double count = 1;
  for (std::int64_t extent : shape) count *= static_cast<double>(extent);
  return count;
}

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

NetworkBuilder::Scope::Scope(NetworkBuilder& builder, std::string_view name)
    : builder_(builder), length_(builder.prefix_.size()) {
  builder.prefix_.append(name).push_back('.');
}

std::string NetworkBuilder::unique(std::string_view name, std::string_view kind) {
  std::string full = prefix_ + std::string(name.empty() ? kind : name);
  int& count = used_[full];
  if (++count == 1) return full;
  std::string numbered;
  do {
    numbered = full + "_" + std::to_string(count++);
  } while (used_.contains(numbered));
  --count;
  used_[numbered] = 1;
  return numbered;
}

std::string NetworkBuilder::name_of(const Tensor& x) const {
  return x.producer < 0 ? "input" : network_.operators[static_cast<std::size_t>(x.producer)].name;
}

Tensor NetworkBuilder::fail(std::string message, std::string hint) {
  diagnostics_.error(origin_, std::move(message), std::move(hint));
  return broken();
}

Tensor NetworkBuilder::add_operator(std::string_view name, Attributes attributes,
                                    const std::vector<Tensor>& inputs, Shape shape, double parameters,
                                    double buffers) {
  if (any_broken(inputs)) return broken();
  if (elements(shape) > kMostElements) {
    return fail("\"" + prefix_ + std::string(name) + "\" would give " + to_text(shape) +
                ", more than 1e15 elements a sample");
  }
  Operator op;
  op.name = unique(name, kind_name(attributes));
  op.attributes = std::move(attributes);
  bool trained = false;
  for (const Tensor& input : inputs) {
    if (input.producer >= 0) op.inputs.push_back(static_cast<std::uint32_t>(input.producer));
    op.input_elements += elements(input.shape);
    trained = trained || input.trained;
  }
  op.first = !trained;
  op.output_elements = elements(shape);
  op.parameters = frozen_ ? 0 : parameters;
  op.buffers = frozen_ ? buffers + parameters : buffers;
  op.repeat = repeat_;
  op.frozen = frozen_;
  op.shape = shape;
  network_.operators.push_back(std::move(op));
  // A weight shared with an earlier operator has no parameters here but is trained all the same: weighted
  // kinds count.
  const Attributes& kept = network_.operators.back().attributes;
  const bool weighted = parameters > 0 || std::holds_alternative<Convolution>(kept) ||
                        std::holds_alternative<Linear>(kept) || std::holds_alternative<Embedding>(kept);
  return {static_cast<std::int32_t>(network_.operators.size() - 1), std::move(shape),
          trained || (weighted && !frozen_), false};
}

void NetworkBuilder::own(const Tensor& x, double parameters) {
  if (x.broken) return;
  RIG_CHECK(x.producer >= 0, "the sample owns no parameters");
  Operator& op = network_.operators[static_cast<std::size_t>(x.producer)];
  (op.frozen ? op.buffers : op.parameters) += parameters;
}

Tensor NetworkBuilder::linear(const Tensor& x, std::string_view name, std::int64_t out, bool bias,
                              bool tied) {
  if (x.broken) return broken();
  if (x.shape.empty() || x.shape.size() > 2) {
    return fail("\"" + prefix_ + std::string(name) + "\" (linear) needs [width] or [tokens, width], but \"" +
                    name_of(x) + "\" gives " + to_text(x.shape),
                "put a flatten or a global-average-pool between them");
  }
  Linear linear;
  linear.in = x.shape.back();
  linear.out = out;
  linear.rows = x.shape.size() == 2 ? x.shape.front() : 1;
  linear.weight_tied = tied;
  Shape shape = x.shape;
  shape.back() = out;
  const double weights = tied ? 0 : static_cast<double>(linear.in) * static_cast<double>(out);
  return add_operator(name, linear, {x}, std::move(shape), weights + (bias ? static_cast<double>(out) : 0));
}

Tensor NetworkBuilder::conv_norm(const Tensor& x, std::string_view name, std::int64_t out,
                                 std::int64_t kernel, std::int64_t stride, const Function* function,
                                 std::int64_t groups, std::int64_t padding) {
  Tensor y = conv(x, name, out, kernel, stride, groups, false, padding);
  const bool frozen = std::exchange(frozen_, frozen_ || frozen_norms_);
  y = norm(y, norm_name(name), NormKind::kBatch);
  frozen_ = frozen;
  return function ? activation(y, *function) : y;
}

Tensor NetworkBuilder::norm(const Tensor& x, std::string_view name, NormKind kind, bool affine) {
  if (x.broken) return broken();
  const bool last = (kind == NormKind::kLayer || kind == NormKind::kRms) && x.shape.size() <= 2;
  const double channels = static_cast<double>(last ? x.shape.back() : x.shape.front());
  const double vectors = kind == NormKind::kRms ? 1 : 2;
  const double statistics = kind == NormKind::kBatch ? 2 * channels + 1 : 0;
  return add_operator(name, Normalisation{kind}, {x}, x.shape, affine ? vectors * channels : 0, statistics);
}

Tensor NetworkBuilder::activation(const Tensor& x, Function function, std::string_view name) {
  return add_operator(name, Activation{function}, {x}, x.shape);
}

Tensor NetworkBuilder::elementwise(const std::vector<Tensor>& inputs, std::string_view name, bool multiply) {
  if (any_broken(inputs)) return broken();
  const char* kind = multiply ? "multiply" : "add";
  if (inputs.size() < 2) return fail(std::string(kind) + " needs two inputs or more");
  // One value per channel (squeeze-and-excite, a time embedding) spreads over the larger input.
  const Tensor* widest = &inputs[0];
  for (const Tensor& input : inputs) {
    if (elements(input.shape) > elements(widest->shape)) widest = &input;
  }
  for (const Tensor& input : inputs) {
    const bool same = input.shape == widest->shape;
    const bool channel = input.shape.size() == 1 && widest->shape.size() > 1 &&
                         (input.shape[0] == widest->shape.front() || input.shape[0] == widest->shape.back());
    if (!same && !channel) {
      return fail(std::string(kind) + ": \"" + name_of(*widest) + "\" gives " + to_text(widest->shape) +
                  " but \"" + name_of(input) + "\" gives " + to_text(input.shape));
    }
  }
  return add_operator(name, Elementwise{multiply}, inputs, widest->shape);
}

Tensor NetworkBuilder::add(const std::vector<Tensor>& inputs, std::string_view name) {
  return elementwise(inputs, name, false);
}

Tensor NetworkBuilder::multiply(const std::vector<Tensor>& inputs, std::string_view name) {
  return elementwise(inputs, name, true);
}

Tensor NetworkBuilder::concat(const std::vector<Tensor>& inputs, std::string_view name, int axis) {
  if (any_broken(inputs)) return broken();
  if (inputs.size() < 2) return fail("concat needs two inputs or more");
  Shape shape = inputs[0].shape;
  const std::size_t along = axis == 0 || shape.size() != 2 ? 0 : 1;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    Shape other = inputs[i].shape;
    bool fits = other.size() == shape.size();
    for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = d == along || other[d] == shape[d];
    if (!fits) {
      return fail("concat: \"" + name_of(inputs[0]) + "\" gives " + to_text(inputs[0].shape) + " but \"" +
                  name_of(inputs[i]) + "\" gives " + to_text(other));
    }
    shape[along] += other[along];
  }
  return add_operator(name, Concat{}, inputs, std::move(shape));
}

Tensor NetworkBuilder::dropout(const Tensor& x, std::string_view name) {
  return add_operator(name, Dropout{}, {x}, x.shape);
}

Tensor NetworkBuilder::softmax(const Tensor& x, std::string_view name) {
  return add_operator(name, Softmax{}, {x}, x.shape);
}

Tensor NetworkBuilder::resize(const Tensor& x, std::string_view name, Shape shape) {
  return add_operator(name, Resize{}, {x}, std::move(shape));
}

Tensor NetworkBuilder::copy(const Tensor& x, std::string_view name, Shape shape) {
  return add_operator(name, Copy{}, {x}, std::move(shape));
}

Tensor NetworkBuilder::reshape(const Tensor& x, Shape shape) {
  if (x.broken) return broken();
  if (elements(shape) != elements(x.shape)) {
    return fail("reshape: \"" + name_of(x) + "\" gives " + to_text(x.shape) + ", which does not fill " +
                to_text(shape));
  }
  Tensor view = x;
  view.shape = std::move(shape);
  return view;
}

Tensor NetworkBuilder::slice(const Tensor& x, Shape shape) {
  RIG_CHECK(x.broken || elements(shape) > 0, "a slice holds elements");
  Tensor view = x;
  view.shape = std::move(shape);
  return view;
}

Tensor NetworkBuilder::embedding(const Tensor& x, std::string_view name, std::int64_t rows,
                                 std::int64_t width, bool sparse) {
  if (x.broken) return broken();
  Embedding embedding;
  embedding.rows = rows;
  embedding.width = width;
  embedding.lookups = static_cast<std::int64_t>(elements(x.shape));
  embedding.sparse_gradient = sparse;
  Shape shape = x.shape;
  shape.push_back(width);
  return add_operator(name, embedding, {x}, std::move(shape),
                      static_cast<double>(rows) * static_cast<double>(width));
}

Tensor NetworkBuilder::attention(const std::vector<Tensor>& inputs, std::string_view name,
                                 const Attention& attention) {
  return add_operator(name, attention, inputs, {attention.queries, attention.heads * attention.v_dim});
}

Tensor NetworkBuilder::recurrent(const Tensor& x, std::string_view name, const RecurrentOptions& options) {
  if (x.broken) return broken();
  if (x.shape.size() != 2) {
    return fail("\"" + prefix_ + std::string(name) + "\" needs [tokens, width], but \"" + name_of(x) +
                "\" gives " + to_text(x.shape));
  }
  Recurrent recurrent;
  recurrent.cell = options.cell;
  recurrent.input = x.shape[1];
  recurrent.hidden = options.hidden;
  recurrent.steps = x.shape[0];
  recurrent.directions = options.directions;
  recurrent.fused = options.fused;
  const double hidden = static_cast<double>(options.hidden);
  const double columns = static_cast<double>(recurrent.input) + hidden + static_cast<double>(options.biases);
  const double parameters = gates(options.cell) * static_cast<double>(options.directions) * hidden * columns;
  return add_operator(name, recurrent, {x}, {x.shape[0], options.hidden * options.directions}, parameters);
}

Tensor NetworkBuilder::matmul(const std::vector<Tensor>& inputs, std::string_view name,
                              const BatchedMatmul& matmul, Shape shape) {
  return add_operator(name, matmul, inputs, std::move(shape));
}

Tensor NetworkBuilder::loss(const std::vector<Tensor>& inputs, std::string_view name) {
  return add_operator(name, Loss{}, inputs, {1});
}

}  // namespace rigcast::workload
