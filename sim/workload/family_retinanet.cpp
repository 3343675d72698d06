/// RetinaNet (Lin et al. 2017, arXiv:1708.02002) on a residual network with a feature pyramid of levels 3 to
/// 7: one box head and one class head, whose weights all levels share, with nine anchors a position. As in
/// torchvision the batch norms, the stem and the first stage of the backbone are kept as pretrained.

#include "workload/cnn.h"
#include "workload/family.h"

namespace rigcast::workload {
namespace {

Tensor head(NetworkBuilder& builder, Tensor x, std::string_view name, std::int64_t outputs, bool shared) {
  NetworkBuilder::Scope scope(builder, name);
  ConvolutionOptions options;
  options.kernel = {1, 3, 3};
  options.padding = {0, 1, 1};
  options.out_channels = 256;
  options.shared_weight = shared;
  for (int i = 1; i <= 4; ++i) {
    x = builder.activation(builder.convolution(x, "conv" + std::to_string(i), options), Function::kRelu);
  }
  options.out_channels = outputs;
  return builder.convolution(x, "output", options);
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  ResidualNetwork dimensions = residual_network(read.choice("backbone", {50, 18, 34, 101, 152}));
  dimensions.groups = read.integer("groups", 1);
  dimensions.group_width = read.integer("group_width", 64);
  dimensions.frozen_stages = 1;
  const Shape image = read.image("image", {3, 800, 800});
  const std::int64_t classes = read.integer("classes", 91);
  if (!read.ok()) return;
  std::vector<Tensor> maps;
  {
    NetworkBuilder::Scope scope(builder, "backbone");
    builder.set_frozen_norms(true);
    maps = residual_stages(builder, builder.sample(image), dimensions);
    builder.set_frozen_norms(false);
  }
  std::vector<Tensor> levels = feature_pyramid(builder, {maps[1], maps[2], maps[3]}, 256);
  levels.push_back(builder.conv(levels.back(), "fpn.p6", 256, 3, 2, 1, true));
  levels.push_back(builder.conv(builder.activation(levels.back(), Function::kRelu, "fpn.relu"), "fpn.p7", 256,
                                3, 2, 1, true));
  std::vector<Tensor> scores, boxes;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    NetworkBuilder::Scope scope(builder, "level" + std::to_string(i + 3));
    const Tensor score = head(builder, levels[i], "classes", 9 * classes, i > 0);
    const Tensor box = head(builder, levels[i], "boxes", 9 * 4, i > 0);
    if (score.broken || box.broken) return;
    const std::int64_t anchors = 9 * score.shape[1] * score.shape[2];
    scores.push_back(builder.copy(score, "class_view", {anchors, classes}));
    boxes.push_back(builder.copy(box, "box_view", {anchors, 4}));
  }
  builder.loss({builder.concat(scores, "scores", 0), builder.concat(boxes, "boxes", 0)});
  set_image_dataset(network, image);
  network.optimizer = "adam";
}

}  // namespace

Family retinanet_family() {
  return {"retinanet",
          {{"backbone", true, "layers of the residual network"},
           {"groups", false, "of its 3x3 convolutions"},
           {"group_width", false, "channels a group"},
           {"image", false, "channels, height, width"},
           {"classes", false, "scored"}},
          build};
}

}  // namespace rigcast::workload
