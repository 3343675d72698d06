/// DenseNet (Huang et al. 2016, arXiv:1608.06993): every layer reads all earlier outputs of its block.

#include <array>

#include "workload/family.h"

namespace rigcast::workload {
namespace {

Tensor norm_relu_conv(NetworkBuilder& builder, const Tensor& x, std::string_view number, std::int64_t out,
                      std::int64_t kernel) {
  Tensor y = builder.norm(x, "norm" + std::string(number), NormKind::kBatch);
  y = builder.activation(y, Function::kRelu, "relu" + std::string(number));
  return builder.conv(y, "conv" + std::string(number), out, kernel);
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.choice("layers", {121, 161, 169, 201});
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  if (!read.ok()) return;
  const std::int64_t growth = layers == 161 ? 48 : 32;
  std::array<std::int64_t, 4> blocks = {6, 12, 24, 16};
  if (layers == 161) blocks = {6, 12, 36, 24};
  if (layers == 169) blocks = {6, 12, 32, 32};
  if (layers == 201) blocks = {6, 12, 48, 32};
  const Function relu = Function::kRelu;
  Tensor x = builder.conv_norm(builder.sample(image), "conv0", 2 * growth, 7, 2, &relu);
  x = builder.max_pool(x, "pool0", 3, 2, 1);
  for (std::size_t b = 0; b < blocks.size() && !x.broken; ++b) {
    std::vector<Tensor> features = {x};
    for (std::int64_t i = 0; i < blocks[b]; ++i) {
      NetworkBuilder::Scope scope(builder, "block" + std::to_string(b + 1) + "." + std::to_string(i));
      const Tensor all = features.size() == 1 ? x : builder.concat(features);
      const Tensor squeezed = norm_relu_conv(builder, all, "1", 4 * growth, 1);
      features.push_back(norm_relu_conv(builder, squeezed, "2", growth, 3));
    }
    x = builder.concat(features, "block" + std::to_string(b + 1) + ".concat");
    if (x.broken || b + 1 == blocks.size()) break;
    NetworkBuilder::Scope scope(builder, "transition" + std::to_string(b + 1));
    x = norm_relu_conv(builder, x, "", x.shape[0] / 2, 1);
    x = builder.average_pool(x, "pool", 2, 2);
  }
  x = builder.activation(builder.norm(x, "norm5", NormKind::kBatch), Function::kRelu);
  builder.loss({builder.linear(builder.global_pool(x), "fc", classes)});
  set_image_dataset(network, image);
}

}  // namespace

Family densenet_family() {
  return {"densenet",
          {{"layers", true, "121, 161, 169 or 201"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"}},
          build};
}

}  // namespace rigcast::workload
