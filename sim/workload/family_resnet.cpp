/// Residual networks (He et al. 2015, arXiv:1512.03385) as torchvision builds them: "v1.5", the stride on the
/// 3x3 convolution of a bottleneck; with `stride_first` on the 1x1 before it, as first published ("v1").
/// ResNeXt (arXiv:1611.05431) and Wide ResNet (arXiv:1605.07146) change the width of the 3x3 convolution,
/// width = planes x group_width / 64 x groups; SE-ResNet (arXiv:1709.01507) gates each block's output.

#include "workload/cnn.h"
#include "workload/family.h"

namespace rigcast::workload {
namespace {

constexpr Function kRelu = Function::kRelu;

Tensor block(NetworkBuilder& builder, const Tensor& x, const ResidualNetwork& network, std::int64_t planes,
             std::int64_t stride) {
  const std::int64_t expansion = network.bottleneck ? 4 : 1;
  Tensor y;
  if (network.bottleneck) {
    const std::int64_t width = planes * network.group_width / 64 * network.groups;
    const std::int64_t first = network.stride_first ? stride : 1;
    y = builder.conv_norm(x, "conv1", width, 1, first, &kRelu);
    y = builder.conv_norm(y, "conv2", width, 3, stride / first, &kRelu, network.groups);
    y = builder.conv_norm(y, "conv3", planes * expansion, 1, 1, nullptr);
  } else {
    y = builder.conv_norm(x, "conv1", planes, 3, stride, &kRelu);
    y = builder.conv_norm(y, "conv2", planes, 3, 1, nullptr);
  }
  if (network.squeeze_excite) {
    y = squeeze_excite(builder, y, "se", planes * expansion / 16, Function::kRelu, Function::kSigmoid);
  }
  Tensor shortcut = x;
  if (stride != 1 || x.shape.empty() || x.shape[0] != planes * expansion) {
    shortcut = builder.conv_norm(x, "downsample", planes * expansion, 1, stride, nullptr);
  }
  return builder.activation(builder.add({y, shortcut}), Function::kRelu);
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  ResidualNetwork dimensions = residual_network(read.choice("layers", {18, 34, 50, 101, 152}));
  dimensions.groups = read.integer("groups", 1);
  dimensions.group_width = read.integer("group_width", 64);
  dimensions.squeeze_excite = read.flag("squeeze_excite");
  dimensions.stride_first = read.flag("stride_first");
  if (!dimensions.bottleneck && (dimensions.groups != 1 || dimensions.group_width != 64)) {
    read.error("groups", "only networks of 50 layers and more have grouped or wide convolutions");
  }
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  if (!read.ok()) return;
  Tensor x = residual_stages(builder, builder.sample(image), dimensions).back();
  x = builder.linear(builder.global_pool(x), "fc", classes);
  builder.loss({x});
  set_image_dataset(network, image);
}

}  // namespace

ResidualNetwork residual_network(std::int64_t layers) {
  ResidualNetwork network;
  network.bottleneck = layers >= 50;
  if (layers == 18) network.blocks = {2, 2, 2, 2};
  if (layers == 101) network.blocks = {3, 4, 23, 3};
  if (layers == 152) network.blocks = {3, 8, 36, 3};
  return network;
}

std::vector<Tensor> residual_stages(NetworkBuilder& builder, Tensor x, const ResidualNetwork& network,
                                    int stages) {
  builder.set_frozen(network.frozen_stages > 0);
  x = builder.conv_norm(x, "conv1", 64, 7, 2, &kRelu);
  x = builder.max_pool(x, "maxpool", 3, 2, 1);
  std::vector<Tensor> outputs;
  for (int stage = 0; stage < stages; ++stage) {
    const auto s = static_cast<std::size_t>(stage);
    builder.set_frozen(stage < network.frozen_stages);
    for (std::int64_t i = 0; i < network.blocks[s]; ++i) {
      NetworkBuilder::Scope scope(builder, "layer" + std::to_string(stage + 1) + "." + std::to_string(i));
      x = block(builder, x, network, std::int64_t{64} << stage, i == 0 ? network.stride[s] : 1);
    }
    outputs.push_back(x);
  }
  builder.set_frozen(false);
  return outputs;
}

Family resnet_family() {
  return {"resnet",
          {{"layers", true, "18, 34, 50, 101 or 152"},
           {"groups", false, "of the 3x3 convolutions (ResNeXt)"},
           {"group_width", false, "channels a group at the first stage; wide networks: 128"},
           {"squeeze_excite", false, "gate each block"},
           {"stride_first", false, "bottlenecks stride in their first 1x1 convolution (v1)"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"}},
          build};
}

}  // namespace rigcast::workload
