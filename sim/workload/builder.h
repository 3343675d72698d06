#pragma once

/// Builds a Network operator by operator, with shape inference. Layer lists and families both go through it,
/// so a shape that does not fit is reported in the same words everywhere.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "workload/network.h"

namespace rigcast::workload {

using Shape = std::vector<std::int64_t>;
using Extent = std::array<std::int64_t,
                          3>;  ///< depth, height, width; unused leading dimensions keep their neutral value

/// What flows between operators: an output, or the sample itself.
struct Tensor {
  std::int32_t producer = -1;  ///< operator index; -1: the sample
  Shape shape;
  bool trained = false;  ///< some parameter lies before it: its gradient is needed
  bool broken = false;   ///< an error was reported for it; what reads it is broken too, silently
};

struct ConvolutionOptions {
  int dimensions = 2;
  std::int64_t out_channels = 0, groups = 1;
  Extent kernel = {1, 1, 1}, stride = {1, 1, 1}, padding = {0, 0, 0}, dilation = {1, 1, 1},
         output_padding = {0, 0, 0};
  bool same = false;  ///< padding such that output = ceil(input / stride)
  bool transposed = false;
  bool bias = true;
  bool shared_weight = false;  ///< another operator owns the weight: no parameters
};

struct PoolOptions {
  bool average = false;
  Extent kernel = {1, 1, 1}, stride = {1, 1, 1}, padding = {0, 0, 0};
  bool ceil = false;
};

struct RecurrentOptions {
  Cell cell = Cell::kLstm;
  std::int64_t hidden = 0, directions = 1;
  bool fused = true;
  int biases = 2;  ///< bias vectors a gate: cuDNN keeps two
};

class NetworkBuilder {
 public:
  NetworkBuilder(Network& network, Diagnostics& diagnostics) : network_(network), diagnostics_(diagnostics) {}

  /// Prefix of names while it lives: "layer1.0".
  class Scope {
   public:
    Scope(NetworkBuilder& builder, std::string_view name);
    ~Scope() { builder_.prefix_.resize(length_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    NetworkBuilder& builder_;
    std::size_t length_;
  };

  /// Where the user wrote what is being built.
  void set_origin(Origin origin) { origin_ = std::move(origin); }
  /// Operators from here on run this many times a sample.
  void set_repeat(double repeat) { repeat_ = repeat; }
  /// Operators from here on keep their weights: their parameters count as buffers.
  void set_frozen(bool frozen) { frozen_ = frozen; }
  /// The batch norms of conv_norm keep theirs.
  void set_frozen_norms(bool frozen) { frozen_norms_ = frozen; }

  Tensor sample(Shape shape) const { return {-1, std::move(shape), false, false}; }

  Tensor convolution(const Tensor& x, std::string_view name, const ConvolutionOptions& options);
  /// Square two-dimensional convolution, padding kernel / 2 unless given.
  Tensor conv(const Tensor& x, std::string_view name, std::int64_t out, std::int64_t kernel,
              std::int64_t stride = 1, std::int64_t groups = 1, bool bias = false, std::int64_t padding = -1);
  /// conv, batch norm "bn..." and a function; names of the torchvision kind: conv1, bn1.
  Tensor conv_norm(const Tensor& x, std::string_view name, std::int64_t out, std::int64_t kernel,
                   std::int64_t stride, const Function* function, std::int64_t groups = 1,
                   std::int64_t padding = -1);
  /// On the last dimension. A tied weight is another operator's.
  Tensor linear(const Tensor& x, std::string_view name, std::int64_t out, bool bias = true,
                bool tied = false);
  Tensor norm(const Tensor& x, std::string_view name, NormKind kind, bool affine = true);
  Tensor activation(const Tensor& x, Function function, std::string_view name = {});
  Tensor add(const std::vector<Tensor>& inputs, std::string_view name = "add");
  Tensor multiply(const std::vector<Tensor>& inputs, std::string_view name = "multiply");
  /// Along the channels (first dimension); sequences of two dimensions along the width unless `axis` is 0.
  Tensor concat(const std::vector<Tensor>& inputs, std::string_view name = "concat", int axis = -1);
  Tensor dropout(const Tensor& x, std::string_view name = "dropout");
  Tensor softmax(const Tensor& x, std::string_view name = "softmax");
  Tensor pool(const Tensor& x, std::string_view name, const PoolOptions& options);
  Tensor max_pool(const Tensor& x, std::string_view name, std::int64_t kernel, std::int64_t stride,
                  std::int64_t padding = 0, bool ceil = false);
  Tensor average_pool(const Tensor& x, std::string_view name, std::int64_t kernel, std::int64_t stride,
                      std::int64_t padding = 0);
  /// [channels, ...] -> [channels].
  Tensor global_pool(const Tensor& x, std::string_view name = "avgpool");
  /// [tokens, width] -> [width].
  Tensor token_mean(const Tensor& x, std::string_view name);
  Tensor resize(const Tensor& x, std::string_view name, Shape shape);
  /// Moves its bytes into another shape.
  Tensor copy(const Tensor& x, std::string_view name, Shape shape);
  /// A view: no operator, the same elements.
  Tensor reshape(const Tensor& x, Shape shape);
  /// The first `count` rows or channels: a view.
  Tensor slice(const Tensor& x, Shape shape);
  /// Indices of any shape -> shape + [width]; `lookups` all of them.
  Tensor embedding(const Tensor& x, std::string_view name, std::int64_t rows, std::int64_t width,
                   bool sparse = false);
  /// The products and the softmax alone; `inputs` are query, key and value tensors.
  Tensor attention(const std::vector<Tensor>& inputs, std::string_view name, const Attention& attention);
  Tensor recurrent(const Tensor& x, std::string_view name, const RecurrentOptions& options);
  /// `count` products [m, k] x [k, n] of two activations.
  Tensor matmul(const std::vector<Tensor>& inputs, std::string_view name, const BatchedMatmul& matmul,
                Shape shape);
  Tensor loss(const std::vector<Tensor>& inputs, std::string_view name = "loss");
  /// Anything else: counted as given.
  Tensor add_operator(std::string_view name, Attributes attributes, const std::vector<Tensor>& inputs,
                      Shape shape, double parameters = 0, double buffers = 0);

  /// Adds parameters that belong to the operator that made `x` (position tables, class tokens, biases).
  void own(const Tensor& x, double parameters);
  /// An operator's name, or "input".
  std::string name_of(const Tensor& x) const;
  /// Reports an error of the user at the current origin and gives a broken tensor.
  Tensor fail(std::string message, std::string hint = {});

 private:
  friend class Scope;
  std::string unique(std::string_view name, std::string_view kind);
  Tensor elementwise(const std::vector<Tensor>& inputs, std::string_view name, bool multiply);

  Network& network_;
  Diagnostics& diagnostics_;
  Origin origin_;
  std::string prefix_;
  std::map<std::string, int, std::less<>> used_;
  double repeat_ = 1;
  bool frozen_ = false, frozen_norms_ = false;
};

double elements(const Shape& shape);
/// "[64, 56, 56]".
std::string to_text(const Shape& shape);

}  // namespace rigcast::workload
