/// VGG (Simonyan and Zisserman 2014, arXiv:1409.1556), configurations A, B, D, E.

#include <algorithm>

#include "workload/family.h"

namespace rigcast::workload {
namespace {

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.choice("layers", {11, 13, 16, 19});
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  const bool batch_norm = read.flag("batch_norm");
  if (!read.ok()) return;
  const std::int64_t late = layers == 11 ? 2 : layers == 13 ? 2 : layers == 16 ? 3 : 4;
  const std::int64_t early = layers == 11 ? 1 : 2;
  const std::int64_t convs[5] = {early, early, late, late, late};
  const std::int64_t widths[5] = {64, 128, 256, 512, 512};
  Tensor x = builder.sample(image);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    NetworkBuilder::Scope scope(builder, "stage" + std::to_string(stage + 1));
    for (std::int64_t i = 0; i < convs[stage]; ++i) {
      const std::string number = std::to_string(i + 1);
      x = builder.conv(x, "conv" + number, widths[stage], 3, 1, 1, true);
      if (batch_norm) x = builder.norm(x, "bn" + number, NormKind::kBatch);
      x = builder.activation(x, Function::kRelu, "relu" + number);
    }
    x = builder.max_pool(x, "maxpool", 2, 2);
  }
  if (x.broken) return;
  if (x.shape[1] != 7 || x.shape[2] != 7) {
    Pool pool{true, false, std::max<std::int64_t>(1, x.shape[1] * x.shape[2] / 49)};
    x = builder.add_operator("avgpool", pool, {x}, {512, 7, 7});
  }
  x = builder.reshape(x, {512 * 7 * 7});
  for (const char* name : {"fc1", "fc2"}) {
    x = builder.activation(builder.linear(x, name, 4096), Function::kRelu);
    x = builder.dropout(x);
  }
  builder.loss({builder.linear(x, "fc3", classes)});
  set_image_dataset(network, image);
}

}  // namespace

Family vgg_family() {
  return {"vgg",
          {{"layers", true, "11, 13, 16 or 19"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"},
           {"batch_norm", false, "after each convolution"}},
          build};
}

}  // namespace rigcast::workload
