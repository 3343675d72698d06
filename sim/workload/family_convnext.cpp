/// ConvNeXt (Liu et al. 2022, arXiv:2201.03545): 7x7 depthwise convolution, layer norm, two products over the
/// channels and a learned scale. Version 2 (arXiv:2301.00808) drops the scale and normalises responses
/// between the products.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

Tensor block(NetworkBuilder& builder, const Tensor& x, bool response_norm) {
  const std::int64_t channels = x.shape[0], pixels = x.shape[1] * x.shape[2];
  Tensor y = builder.conv(x, "depthwise", channels, 7, 1, channels, true);
  if (y.broken) return y;
  // Channels last from here: a view of the convolution's output.
  y = builder.norm(builder.reshape(y, {pixels, channels}), "norm", NormKind::kLayer);
  y = builder.activation(builder.linear(y, "up", 4 * channels), Function::kGelu);
  if (response_norm) {
    // Responses over their mean, times a weight, plus what they were.
    const double width = 4.0 * static_cast<double>(channels);
    const Tensor normed =
        builder.add_operator("response_norm", Normalisation{NormKind::kGroup}, {y}, y.shape, width);
    const Tensor scaled = builder.add_operator("response_scale", Elementwise{true}, {normed}, y.shape, width);
    y = builder.add({scaled, y});
  }
  y = builder.linear(y, "down", channels);
  if (!response_norm) {
    y = builder.add_operator("scale", Elementwise{true}, {y}, y.shape, static_cast<double>(channels));
  }
  return builder.add({builder.reshape(y, x.shape), x});
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::vector<std::int64_t> depths = read.integers("depths", {3, 3, 9, 3});
  const std::vector<std::int64_t> widths = read.integers("widths", {96, 192, 384, 768});
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  const bool response_norm = read.flag("response_norm");
  if (depths.size() != widths.size())
    read.error("widths", "\"widths\" needs one number a stage, like \"depths\"");
  for (std::int64_t depth : depths) {
    if (depth > 10000) read.error("depths", "a stage has at most 10000 blocks");
  }
  if (!read.ok()) return;
  Tensor x = builder.conv(builder.sample(image), "stem", widths[0], 4, 4, 1, true, 0);
  x = builder.norm(x, "stem_norm", NormKind::kLayer);
  for (std::size_t s = 0; s < depths.size() && !x.broken; ++s) {
    NetworkBuilder::Scope outer(builder, "stage" + std::to_string(s + 1));
    if (s > 0) {
      x = builder.norm(x, "downsample_norm", NormKind::kLayer);
      x = builder.conv(x, "downsample", widths[s], 2, 2, 1, true, 0);
    }
    for (std::int64_t i = 0; i < depths[s] && !x.broken; ++i) {
      NetworkBuilder::Scope scope(builder, std::to_string(i));
      x = block(builder, x, response_norm);
    }
  }
  x = builder.norm(builder.global_pool(x), "norm", NormKind::kLayer);
  builder.loss({builder.linear(x, "head", classes)});
  set_image_dataset(network, image);
  network.optimizer = "adamw";
}

}  // namespace

Family convnext_family() {
  return {"convnext",
          {{"depths", true, "blocks of each stage"},
           {"widths", true, "channels of each stage"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"},
           {"response_norm", false, "version 2"}},
          build};
}

}  // namespace rigcast::workload
