/// Mask R-CNN (He et al. 2017, arXiv:1703.06870) with a feature pyramid, at one fixed shape: batches are
/// padded to their largest image, and 800 x 1216 is near the mean of COCO at sides 800 to 1333. Training
/// draws 512 proposals an image and masks for the quarter that are positive. Choosing boxes is hundreds of
/// small calls for every image of a batch, one image after the other, whose results the host reads: sorting,
/// clipping and suppression on five levels, matching and sampling, then targets and crops of a quarter of the
/// masks in training, or suppression class by class in inference (facebookresearch/maskrcnn-benchmark).

#include <algorithm>

#include "workload/cnn.h"
#include "workload/family.h"

namespace rigcast::workload {
namespace {

constexpr double kProposalCalls =
    120;  ///< for one image, until its regions stand: some 20 a level and to join them
constexpr std::int64_t kCallElements = 4096;
constexpr double kSelectionCalls = 280;  ///< until boxes and mask targets, or results of 80 classes, stand

/// `calls` small calls for each image, after which the host knows the result.
Tensor chosen(NetworkBuilder& builder, Network& network, const char* name, const Tensor& boxes,
              double calls) {
  const Tensor result = builder.add_operator(name, Copy{}, {boxes}, {kCallElements});
  Operator& op = network.operators.back();
  op.one_by_one = true;
  op.synchronises = true;
  op.repeat = calls;
  op.input_elements = static_cast<double>(kCallElements);  // of a call
  return result;
}

struct Proposals {
  Tensor scores, boxes;
};

/// The region proposal head on one level; weights belong to the first.
Proposals region_head(NetworkBuilder& builder, const Tensor& x, bool shared) {
  ConvolutionOptions options;
  options.kernel = {1, 3, 3};
  options.padding = {0, 1, 1};
  options.out_channels = 256;
  options.shared_weight = shared;
  const Tensor y = builder.activation(builder.convolution(x, "conv", options), Function::kRelu);
  options.kernel = {1, 1, 1};
  options.padding = {0, 0, 0};
  options.out_channels = 3;
  const Tensor scores = builder.activation(builder.convolution(y, "scores", options), Function::kSigmoid);
  options.out_channels = 12;
  return {scores, builder.convolution(y, "boxes", options)};
}

Tensor mask_head(NetworkBuilder& builder, const std::vector<Tensor>& levels, const Tensor& regions,
                 std::int64_t count, std::int64_t classes) {
  NetworkBuilder::Scope scope(builder, "mask");
  std::vector<Tensor> inputs = levels;
  inputs.push_back(regions);
  // Regions stand in the depth dimension, so that one convolution is over all of them.
  Tensor x = builder.add_operator("roi_align", Resize{}, inputs, {256, count, 14, 14});
  ConvolutionOptions options;
  options.dimensions = 3;
  options.kernel = {1, 3, 3};
  options.padding = {0, 1, 1};
  options.out_channels = 256;
  for (int i = 1; i <= 4; ++i) {
    x = builder.activation(builder.convolution(x, "conv" + std::to_string(i), options), Function::kRelu);
  }
  options.transposed = true;
  options.kernel = options.stride = {1, 2, 2};
  options.padding = {0, 0, 0};
  x = builder.activation(builder.convolution(x, "up", options), Function::kRelu);
  options.transposed = false;
  options.kernel = options.stride = {1, 1, 1};
  options.out_channels = classes;
  return builder.convolution(x, "output", options);
}

/// From `image`, or the short side and the mean padded long side of `image_min_max`.
Shape image_shape(const DimensionReader& read) {
  const std::vector<std::int64_t> sides = read.integers("image_min_max", {800, 1333});
  if (sides.size() != 2) {
    read.error("image_min_max", "\"image_min_max\" must be two numbers");
    return {3, 800, 1216};
  }
  const auto multiple_of_32 = [](std::int64_t side) { return std::max<std::int64_t>(32, side / 32 * 32); };
  // 1216 of 1333: where the longer sides of COCO batches lie.
  const Shape mean = {3, multiple_of_32(sides[0]), multiple_of_32(sides[1] * 1216 / 1333)};
  return read.has("image_min_max") ? mean : read.image("image", {3, 800, 1216});
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  ResidualNetwork dimensions = residual_network(read.choice("backbone", {50, 101, 152, 18, 34}));
  dimensions.frozen_stages = 1;
  const Shape image = image_shape(read);
  const std::int64_t classes = read.integer("classes", 81), proposals = read.integer("proposals", 512);
  const std::int64_t masks = read.integer("mask_proposals", std::max<std::int64_t>(1, proposals / 4));
  if (!read.ok()) return;
  std::vector<Tensor> maps;
  {
    NetworkBuilder::Scope scope(builder, "backbone");
    builder.set_frozen_norms(true);
    maps = residual_stages(builder, builder.sample(image), dimensions);
    builder.set_frozen_norms(false);
  }
  const std::vector<Tensor> levels = feature_pyramid(builder, maps, 256);
  std::vector<Tensor> pyramid = levels, outputs;
  pyramid.push_back(builder.max_pool(levels.back(), "fpn.p6", 1, 2));
  std::int64_t anchors = 0;
  for (std::size_t i = 0; i < pyramid.size(); ++i) {
    NetworkBuilder::Scope scope(builder, "rpn.level" + std::to_string(i + 2));
    const Proposals found = region_head(builder, pyramid[i], i > 0);
    if (found.scores.broken) return;
    anchors += static_cast<std::int64_t>(elements(found.scores.shape));
    outputs.push_back(found.scores);
    outputs.push_back(found.boxes);
  }
  const Tensor sorted = builder.add_operator("rpn.select", Copy{}, outputs, {anchors, 5});
  const Tensor regions = chosen(builder, network, "rpn.choose", sorted, kProposalCalls);
  std::vector<Tensor> inputs = levels;
  inputs.push_back(regions);
  inputs.push_back(chosen(builder, network, "box.choose", regions, kSelectionCalls));
  Tensor box = builder.add_operator("box.roi_align", Resize{}, inputs, {proposals, 256 * 7 * 7});
  box = builder.activation(builder.linear(box, "box.fc1", 1024), Function::kRelu);
  box = builder.activation(builder.linear(box, "box.fc2", 1024), Function::kRelu);
  outputs.push_back(builder.linear(box, "box.scores", classes));
  outputs.push_back(builder.linear(box, "box.boxes", 4 * classes));
  outputs.push_back(mask_head(builder, levels, regions, masks, classes));
  builder.loss(outputs);
  set_image_dataset(network, image);
  network.notes.push_back("one fixed image shape, " + to_text(image) +
                          ", stands for the varying shapes of the data set");
}

}  // namespace

Family mask_rcnn_family() {
  return {"mask-rcnn",
          {{"backbone", true, "layers of the residual network"},
           {"image", false, "channels, height, width"},
           {"image_min_max", false, "short and long side; in place of image"},
           {"classes", false, "with the background"},
           {"proposals", false, "regions an image in training"},
           {"mask_proposals", false, "of them with masks"}},
          build};
}

}  // namespace rigcast::workload
