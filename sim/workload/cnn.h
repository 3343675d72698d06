#pragma once

/// Parts that several families of convolutional networks share.

#include <array>
#include <vector>

#include "workload/builder.h"

namespace rigcast::workload {

/// Dimensions of the residual networks of torchvision.
struct ResidualNetwork {
  std::array<std::int64_t, 4> blocks = {3, 4, 6, 3};
  bool bottleneck = true;
  std::int64_t groups = 1, group_width = 64;
  bool squeeze_excite = false;
  bool stride_first = false;  ///< bottlenecks stride in their first 1x1 convolution, as first published
  std::array<std::int64_t, 4> stride = {1, 2, 2, 2};
  int frozen_stages = 0;  ///< kept as trained before; the stem goes with the first
};

/// The published depths: 18, 34, 50, 101, 152.
ResidualNetwork residual_network(std::int64_t layers);

/// Stem and the first `stages` stages; the outputs of the stages.
std::vector<Tensor> residual_stages(NetworkBuilder& builder, Tensor x, const ResidualNetwork& network,
                                    int stages = 4);

/// Channels scaled by two small fully connected layers (as 1x1 convolutions) on the globally pooled input.
Tensor squeeze_excite(NetworkBuilder& builder, const Tensor& x, std::string_view name, std::int64_t squeezed,
                      Function inner, Function gate);

/// An inverted bottleneck: 1x1 expansion (none when it changes nothing), depthwise convolution, optional
/// gate, 1x1 projection; the input is added when the shape allows.
struct InvertedBottleneck {
  std::int64_t expanded = 0, out = 0, kernel = 3, stride = 1;
  Function function = Function::kRelu;
  std::int64_t squeezed = 0;  ///< 0: no gate
  Function squeeze_function = Function::kRelu, gate = Function::kSigmoid;
  bool fused = false;  ///< expansion and depthwise as one full convolution
};
Tensor inverted_bottleneck(NetworkBuilder& builder, const Tensor& x, const InvertedBottleneck& options);

/// Nearest multiple of 8, not more than a tenth below (the rule of the MobileNet authors).
std::int64_t multiple_of_8(double channels);

/// Feature pyramid: 1x1 laterals on `maps`, added top down, 3x3 outputs, finest first.
std::vector<Tensor> feature_pyramid(NetworkBuilder& builder, const std::vector<Tensor>& maps,
                                    std::int64_t channels);

}  // namespace rigcast::workload
