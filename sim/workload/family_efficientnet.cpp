/// EfficientNet (Tan and Le 2019, arXiv:1905.11946): the B0 table scaled in width (channels to multiples of
/// 8) and depth (repeats rounded up), and EfficientNetV2 (2021, arXiv:2104.00298). Squeezed channels are a
/// quarter of the block's input; the "wide" variant of some implementations takes a quarter of the expanded
/// channels.

#include <algorithm>
#include <cmath>
#include <vector>

#include "workload/cnn.h"
#include "workload/family.h"

namespace rigcast::workload {
namespace {

struct Stage {
  std::int64_t expansion, kernel, stride, in, out, repeats;
  bool fused = false;
};

struct Variant {
  std::string_view name;
  double width, depth;
  std::int64_t side;
};

const std::vector<Stage> kB0 = {{1, 3, 1, 32, 16, 1},  {6, 3, 2, 16, 24, 2},  {6, 5, 2, 24, 40, 2},
                                {6, 3, 2, 40, 80, 3},  {6, 5, 1, 80, 112, 3}, {6, 5, 2, 112, 192, 4},
                                {6, 3, 1, 192, 320, 1}};
const std::vector<Stage> kV2S = {{1, 3, 1, 24, 24, 2, true}, {4, 3, 2, 24, 48, 4, true},
                                 {4, 3, 2, 48, 64, 4, true}, {4, 3, 2, 64, 128, 6},
                                 {6, 3, 1, 128, 160, 9},     {6, 3, 2, 160, 256, 15}};
const std::vector<Stage> kV2M = {
    {1, 3, 1, 24, 24, 3, true}, {4, 3, 2, 24, 48, 5, true}, {4, 3, 2, 48, 80, 5, true}, {4, 3, 2, 80, 160, 7},
    {6, 3, 1, 160, 176, 14},    {6, 3, 2, 176, 304, 18},    {6, 3, 1, 304, 512, 5}};
const std::vector<Stage> kV2L = {{1, 3, 1, 32, 32, 4, true}, {4, 3, 2, 32, 64, 7, true},
                                 {4, 3, 2, 64, 96, 7, true}, {4, 3, 2, 96, 192, 10},
                                 {6, 3, 1, 192, 224, 19},    {6, 3, 2, 224, 384, 25},
                                 {6, 3, 1, 384, 640, 7}};
constexpr Variant kScaled[] = {{"b0", 1.0, 1.0, 224}, {"b1", 1.0, 1.1, 240}, {"b2", 1.1, 1.2, 260},
                               {"b3", 1.2, 1.4, 300}, {"b4", 1.4, 1.8, 380}, {"b5", 1.6, 2.2, 456},
                               {"b6", 1.8, 2.6, 528}, {"b7", 2.0, 3.1, 600}};

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::string name =
      read.text("variant", {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "v2-s", "v2-m", "v2-l"});
  std::vector<Stage> stages = name == "v2-s" ? kV2S : name == "v2-m" ? kV2M : name == "v2-l" ? kV2L : kB0;
  std::int64_t last = 1280, side = name == "v2-s" ? 300 : 384;
  for (const Variant& variant : kScaled) {
    if (variant.name != name) continue;
    for (Stage& stage : stages) {
      stage.in = multiple_of_8(static_cast<double>(stage.in) * variant.width);
      stage.out = multiple_of_8(static_cast<double>(stage.out) * variant.width);
      stage.repeats =
          static_cast<std::int64_t>(std::ceil(static_cast<double>(stage.repeats) * variant.depth));
    }
    last = 4 * stages.back().out;
    side = variant.side;
  }
  const bool wide = read.flag("wide_squeeze");
  const Shape image = read.image("image", {3, side, side});
  const std::int64_t classes = read.integer("classes", 1000);
  if (!read.ok()) return;
  const Function silu = Function::kSilu;
  Tensor x = builder.conv_norm(builder.sample(image), "stem", stages[0].in, 3, 2, &silu);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const Stage& stage = stages[s];
    for (std::int64_t i = 0; i < stage.repeats; ++i) {
      NetworkBuilder::Scope scope(builder, "stage" + std::to_string(s + 1) + "." + std::to_string(i));
      InvertedBottleneck block;
      const std::int64_t in = i == 0 ? stage.in : stage.out;
      block.expanded = stage.expansion * in;
      block.out = stage.out;
      block.kernel = stage.kernel;
      block.stride = i == 0 ? stage.stride : 1;
      block.function = block.squeeze_function = silu;
      block.squeezed = std::max<std::int64_t>(1, (wide ? block.expanded : in) / 4);
      block.fused = stage.fused;
      x = inverted_bottleneck(builder, x, block);
    }
  }
  x = builder.conv_norm(x, "head", last, 1, 1, &silu);
  x = builder.dropout(builder.global_pool(x));
  builder.loss({builder.linear(x, "fc", classes)});
  set_image_dataset(network, image);
  network.optimizer = "rmsprop";
}

}  // namespace

Family efficientnet_family() {
  return {"efficientnet",
          {{"variant", true, "b0 to b7, v2-s, v2-m or v2-l"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"},
           {"wide_squeeze", false, "squeeze to a quarter of the expanded channels"}},
          build};
}

}  // namespace rigcast::workload
