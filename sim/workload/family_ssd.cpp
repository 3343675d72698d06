/// SSD (Liu et al. 2015, arXiv:1512.02325) with a ResNet backbone at 300 pixels, as the MLPerf and NVIDIA
/// references build it: the backbone ends after its third stage, whose stride is 1 (38 x 38), five pairs of
/// convolutions make the smaller maps, and every map has a location and a class convolution; 8732 default
/// boxes, 81 classes of COCO.

#include "workload/cnn.h"
#include "workload/family.h"

namespace rigcast::workload {
namespace {

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t backbone = read.choice("backbone", {34, 50, 18, 101, 152});
  const Shape image = read.image("image", {3, 300, 300});
  const std::int64_t classes = read.integer("classes", 81);
  if (!read.ok()) return;
  ResidualNetwork residual = residual_network(backbone);
  residual.stride[2] = 1;
  std::vector<Tensor> maps;
  {
    NetworkBuilder::Scope scope(builder, "backbone");
    maps.push_back(residual_stages(builder, builder.sample(image), residual, 3).back());
  }
  const std::int64_t outputs[5] = {512, 512, 256, 256, backbone == 18 ? 128 : 256};
  const std::int64_t squeezed[5] = {256, 256, 128, 128, 128};
  const Function relu = Function::kRelu;
  for (std::size_t i = 0; i < 5; ++i) {
    NetworkBuilder::Scope scope(builder, "extra" + std::to_string(i + 1));
    Tensor x = builder.conv_norm(maps.back(), "conv1", squeezed[i], 1, 1, &relu);
    const bool strided = i < 3;
    maps.push_back(builder.conv_norm(x, "conv2", outputs[i], 3, strided ? 2 : 1, &relu, 1, strided ? 1 : 0));
  }
  const std::int64_t boxes[6] = {4, 6, 6, 6, 4, 4};
  std::vector<Tensor> locations, scores;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i + 1);
    const Tensor location = builder.conv(maps[i], "loc" + number, boxes[i] * 4, 3, 1, 1, true);
    const Tensor score = builder.conv(maps[i], "conf" + number, boxes[i] * classes, 3, 1, 1, true);
    if (location.broken || score.broken) return;
    const std::int64_t count = boxes[i] * location.shape[1] * location.shape[2];
    locations.push_back(builder.reshape(location, {count, 4}));
    scores.push_back(builder.reshape(score, {count, classes}));
  }
  builder.loss({builder.concat(locations, "locations", 0), builder.concat(scores, "scores", 0)});
  set_image_dataset(network, image);
}

}  // namespace

Family ssd_family() {
  return {"ssd",
          {{"backbone", true, "layers of the ResNet: 34 or 50 (18, 101, 152)"},
           {"image", false, "channels, height, width"},
           {"classes", false, "with the background"}},
          build};
}

}  // namespace rigcast::workload
