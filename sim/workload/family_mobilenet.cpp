/// MobileNetV2 (Sandler et al. 2018, arXiv:1801.04381), MobileNetV3 (Howard et al. 2019, arXiv:1905.02244)
/// and MnasNet (Tan et al. 2018, arXiv:1807.11626), with the tables of torchvision.

#include <algorithm>
#include <vector>

#include "workload/cnn.h"
#include "workload/family.h"

namespace rigcast::workload {
namespace {

constexpr Function kRelu = Function::kRelu, kSwish = Function::kHardSwish;

struct Row {
  std::int64_t kernel, expanded, out;
  bool squeeze, swish;
  std::int64_t stride;
};

const std::vector<Row> kLarge = {
    {3, 16, 16, false, false, 1}, {3, 64, 24, false, false, 2}, {3, 72, 24, false, false, 1},
    {5, 72, 40, true, false, 2},  {5, 120, 40, true, false, 1}, {5, 120, 40, true, false, 1},
    {3, 240, 80, false, true, 2}, {3, 200, 80, false, true, 1}, {3, 184, 80, false, true, 1},
    {3, 184, 80, false, true, 1}, {3, 480, 112, true, true, 1}, {3, 672, 112, true, true, 1},
    {5, 672, 160, true, true, 2}, {5, 960, 160, true, true, 1}, {5, 960, 160, true, true, 1}};
const std::vector<Row> kSmall = {
    {3, 16, 16, true, false, 2}, {3, 72, 24, false, false, 2}, {3, 88, 24, false, false, 1},
    {5, 96, 40, true, true, 2},  {5, 240, 40, true, true, 1},  {5, 240, 40, true, true, 1},
    {5, 120, 48, true, true, 1}, {5, 144, 48, true, true, 1},  {5, 288, 96, true, true, 2},
    {5, 576, 96, true, true, 1}, {5, 576, 96, true, true, 1}};

struct Group {
  std::int64_t expansion, kernel, stride, out, repeats;
};

const std::vector<Group> kV2 = {{1, 3, 1, 16, 1}, {6, 3, 2, 24, 2},  {6, 3, 2, 32, 3}, {6, 3, 2, 64, 4},
                                {6, 3, 1, 96, 3}, {6, 3, 2, 160, 3}, {6, 3, 1, 320, 1}};
const std::vector<Group> kMnas = {{1, 3, 1, 16, 1}, {3, 3, 2, 24, 3},  {3, 5, 2, 40, 3}, {6, 5, 2, 80, 3},
                                  {6, 3, 1, 96, 2}, {6, 5, 2, 192, 4}, {6, 3, 1, 320, 1}};

Tensor build_groups(NetworkBuilder& builder, Tensor x, const std::vector<Group>& groups, double width) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::int64_t i = 0; i < groups[g].repeats && !x.broken; ++i) {
      NetworkBuilder::Scope scope(builder, "stage" + std::to_string(g + 1) + "." + std::to_string(i));
      InvertedBottleneck block;
      block.expanded = groups[g].expansion * x.shape[0];
      block.out = multiple_of_8(static_cast<double>(groups[g].out) * width);
      block.kernel = groups[g].kernel;
      block.stride = i == 0 ? groups[g].stride : 1;
      x = inverted_bottleneck(builder, x, block);
    }
  }
  return x;
}

Tensor build_v3(NetworkBuilder& builder, Tensor x, const std::vector<Row>& rows, double width) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    NetworkBuilder::Scope scope(builder, "block" + std::to_string(i + 1));
    InvertedBottleneck block;
    block.expanded = multiple_of_8(static_cast<double>(rows[i].expanded) * width);
    block.out = multiple_of_8(static_cast<double>(rows[i].out) * width);
    block.kernel = rows[i].kernel;
    block.stride = rows[i].stride;
    block.function = rows[i].swish ? kSwish : kRelu;
    if (rows[i].squeeze) block.squeezed = multiple_of_8(static_cast<double>(block.expanded) / 4);
    x = inverted_bottleneck(builder, x, block);
  }
  return x;
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::string variant = read.text("variant", {"v2", "v3-large", "v3-small", "mnasnet"});
  const double width = read.number("width", 1);
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  if (width > 16) read.error("width", "\"width\" must be at most 16");
  if (!read.ok()) return;
  const bool v3 = variant.starts_with("v3");
  const Function* function = v3 ? &kSwish : &kRelu;
  const std::int64_t stem = read.integer("stem", multiple_of_8((v3 ? 16 : 32) * width));
  Tensor x = builder.conv_norm(builder.sample(image), "stem", stem, 3, 2, function);
  if (v3) {
    const bool large = variant == "v3-large";
    x = build_v3(builder, x, large ? kLarge : kSmall, width);
    x = builder.conv_norm(x, "head", multiple_of_8((large ? 960 : 576) * width), 1, 1, function);
    x = builder.linear(builder.global_pool(x), "fc1",
                       multiple_of_8((large ? 1280 : 1024) * std::max(1.0, width)));
    x = builder.activation(x, kSwish);
  } else {
    x = build_groups(builder, x, variant == "v2" ? kV2 : kMnas, width);
    const std::int64_t last = variant == "v2" ? multiple_of_8(1280 * std::max(1.0, width)) : 1280;
    x = builder.conv_norm(x, "head", last, 1, 1, function);
    x = builder.global_pool(x);
  }
  builder.loss({builder.linear(builder.dropout(x), "fc", classes)});
  set_image_dataset(network, image);
  network.optimizer = "rmsprop";
}

}  // namespace

Family mobilenet_family() {
  return {"mobilenet",
          {{"variant", true, "v2, v3-large, v3-small or mnasnet"},
           {"width", false, "multiplier of the channels"},
           {"stem", false, "channels of the first convolution"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"}},
          build};
}

}  // namespace rigcast::workload
