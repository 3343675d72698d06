/// The shipped networks against what is published: parameters exactly, multiply-accumulates exactly or within
/// a percent, activations as profilers count them.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "config/load.h"

namespace {

using rigcast::Diagnostics;
using rigcast::workload::Network;
using rigcast::workload::Shaping;

const rigcast::config::Library& library() {
  static const rigcast::config::Library loaded = [] {
    Diagnostics diagnostics;
    return rigcast::config::load_library({}, std::nullopt, diagnostics);
  }();
  return loaded;
}

Network load(const std::string& name, std::optional<std::int64_t> seq_len = {}) {
  Diagnostics diagnostics;
  auto network = rigcast::config::load_network(library(), name, Shaping{seq_len}, nullptr, diagnostics);
  for (const auto& entry : diagnostics.entries()) MESSAGE(to_text(entry));
  REQUIRE(network.has_value());
  return *std::move(network);
}

double weighted_outputs(const Network& network) {
  double sum = 0;
  for (const auto& op : network.operators) {
    const auto kind = rigcast::workload::kind_name(op.attributes);
    if (kind.starts_with("conv") || kind == "linear") sum += op.output_elements;
  }
  return sum;
}

}  // namespace

TEST_CASE("parameters equal the published counts exactly") {
  struct Row {
    const char* name;
    double parameters;
  };
  // torchvision's model documentation; published checkpoints (safetensors totals) for language models.
  const Row rows[] = {
      {"alexnet", 61100840},
      {"vgg11", 132863336},
      {"vgg13", 133047848},
      {"vgg16", 138357544},
      {"vgg19", 143667240},
      {"resnet18", 11689512},
      {"resnet34", 21797672},
      {"resnet50", 25557032},
      {"resnet101", 44549160},
      {"resnet152", 60192808},
      {"resnext50-32x4d", 25028904},
      {"resnext101-32x8d", 88791336},
      {"wide-resnet50-2", 68883240},
      {"wide-resnet101-2", 126886696},
      {"densenet121", 7978856},
      {"densenet161", 28681000},
      {"densenet169", 14149480},
      {"densenet201", 20013928},
      {"googlenet", 6624904},
      {"inception-v3", 23834568},
      {"inception-v4", 42679816},
      {"inception-resnet-v2", 55843464},
      {"mobilenet-v2", 3504872},
      {"mobilenet-v3-large", 5483032},
      {"mobilenet-v3-small", 2542856},
      {"mnasnet-100", 4383312},
      {"efficientnet-b0", 5288548},
      {"efficientnet-b1", 7794184},
      {"efficientnet-b2", 9109994},
      {"efficientnet-b3", 12233232},
      {"efficientnet-b4", 19341616},
      {"efficientnet-b5", 30389784},
      {"tf-efficientnet-b6", 43040704},
      {"tf-efficientnet-b7", 66347960},
      {"efficientnet-v2-s", 21458488},
      {"efficientnet-v2-m", 54139356},
      {"efficientnet-v2-l", 118515272},
      {"vit-base-patch16-224", 86567656},
      {"vit-base-patch32-224", 88224232},
      {"vit-large-patch16-224", 304326632},
      {"swin-tiny-patch4-window7-224", 28288354},
      {"swin-small-patch4-window7-224", 49606258},
      {"swin-base-patch4-window7-224", 87768224},
      {"convnext-tiny", 28589128},
      {"convnext-small", 50223688},
      {"convnext-base", 88591464},
      {"convnext-large", 197767336},
      {"mixer-b16-224", 59880472},
      {"lenet5", 61706},
      {"gpt2", 124439808},
      {"gpt2-medium", 354823168},
      {"gpt2-large", 774030080},
      {"gpt2-xl", 1557611200},
      {"llama-2-7b", 6738415616},
      {"llama-2-13b", 13015864320},
      {"llama-2-70b", 68976648192},
      {"llama-3-8b", 8030261248},
      {"llama-3-70b", 70553706496},
      {"llama-3-405b", 405853388800},
      {"mistral-7b", 7241732096},
      {"mixtral-8x7b", 46702792704},
      {"qwen2.5-7b", 7615616512},
      {"qwen3-32b", 32762123264},
      {"qwen3-235b-a22b", 235093634560},
      {"gpt-oss-20b", 20914757184},
      {"gpt-oss-120b", 116829156672},
      {"moonlight-16b", 15960110208},
      {"deepseek-v3", 671026419200},
      {"t5-small", 60506624},
      {"t5-base", 222903552},
      {"t5-large", 737668096},
      {"bart-large", 406291456},
      {"stable-diffusion-1.5", 859520964},
      {"stable-diffusion-1.5-controlnet", 859520964.0 + 361279120},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(load(row.name).parameters() == row.parameters);
  }
}

TEST_CASE("parameters agree with rounded published counts") {
  struct Row {
    const char* name;
    double millions, tolerance;
  };
  const Row rows[] = {
      {"se-resnet50", 28.09, 0.01},  // pytorch-image-models
      {"vit-small-patch16-224", 22.05, 0.01},
      {"vit-huge-patch14-224", 632.05, 0.01},
      {"transformer-xl-base", 192, 0.5},  // NVIDIA DeepLearningExamples
      {"waveglow", 268, 0.5},
      {"tacotron2", 28.2, 0.05},
      {"unet2d", 31.03, 0.01},      // 31,030,658 with two classes
      {"gpt-3-175b", 174600, 100},  // Brown et al. table 2.1, with their padded vocabulary
      {"gpt-j-6b", 6053, 3},        // 6,053,381,344 of the model card with its untrained position bias rows
      {"convnextv2-tiny", 28.64, 0.01},
      {"jasper-10x5", 333, 0.5},       // Li et al. 2019
      {"quartznet-15x5", 18.9, 0.05},  // Kriman et al. 2019
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(load(row.name).parameters() / 1e6 ==
          doctest::Approx(row.millions).epsilon(row.tolerance / row.millions));
  }
}

TEST_CASE("frozen parts of a detector are no parameters") {
  // torchvision maskrcnn_resnet50_fpn: 44,401,393 with 91 classes, batch norm affines not counted (they are
  // buffers there). With 81: ten classes fewer, each 1024 + 1 scores, 4 (1024 + 1) boxes and 256 + 1 mask
  // weights.
  const Network network = load("maskrcnn-r50-fpn");
  double kept = 0;
  for (const auto& op : network.operators) {
    if (op.frozen && rigcast::workload::kind_name(op.attributes) == "conv2d") kept += op.buffers;
  }
  CHECK(network.parameters() + kept == 44401393 - 10 * (5 * 1025 + 257));
}

TEST_CASE("multiply-accumulates agree with profilers") {
  struct Row {
    const char* name;
    double macs, tolerance;
  };
  const Row rows[] = {
      {"resnet50", 4089184256, 0},  // fvcore and torchvision
      {"resnet18", 1814073344, 0},
      {"vgg16", 15470264320, 0},
      {"alexnet", 714188480, 0},
      {"densenet121", 2834161664, 0},
      {"mobilenet-v2", 300774272, 0},
      {"resnext101-32x8d", 16414015488, 0},
      {"inception-v3", 5713216096, 0},
      {"inception-v4", 12.28e9, 0.01},  // pytorch-image-models benchmark tables from here
      {"inception-resnet-v2", 13.18e9, 0.01},
      {"vit-base-patch16-224", 17.58e9, 0.01},
      {"vit-large-patch16-224", 61.60e9, 0.01},
      {"vit-huge-patch14-224", 167.40e9, 0.01},
      {"swin-tiny-patch4-window7-224", 4.51e9, 0.01},
      {"swin-base-patch4-window7-224", 15.47e9, 0.01},
      {"convnext-tiny", 4.47e9, 0.01},
      {"convnext-large", 34.40e9, 0.01},
      {"mixer-b16-224", 12.62e9, 0.01},
      {"efficientnet-v2-s", 5.35e9, 0.01},
      {"wide-resnet50-2", 11.43e9, 0.01},
      {"densenet201", 4.34e9, 0.015},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const double macs = forward_macs(load(row.name));
    if (row.tolerance == 0) CHECK(macs == row.macs);
    if (row.tolerance > 0) CHECK(macs == doctest::Approx(row.macs).epsilon(row.tolerance));
  }
}

TEST_CASE("activations are the outputs of convolutions and products, as profilers count them") {
  // pytorch-image-models benchmark tables, millions of scalars an image.
  CHECK(weighted_outputs(load("resnet50")) / 1e6 == doctest::Approx(11.11).epsilon(0.001));
  CHECK(weighted_outputs(load("resnet152")) / 1e6 == doctest::Approx(22.56).epsilon(0.001));
  CHECK(weighted_outputs(load("vgg16")) / 1e6 == doctest::Approx(13.56).epsilon(0.001));
  CHECK(weighted_outputs(load("efficientnet-b0")) / 1e6 == doctest::Approx(6.75).epsilon(0.001));
  CHECK(weighted_outputs(load("inception-v4")) / 1e6 == doctest::Approx(15.09).epsilon(0.001));
}

TEST_CASE("every shipped workload builds into a well-formed network") {
  REQUIRE(library().workloads.size() > 100);
  for (const auto& [name, source] : library().workloads) {
    CAPTURE(name);
    const Network network = load(name);
    CHECK(network.name == name);
    CHECK_FALSE(network.source.empty());
    CHECK(forward_macs(network) > 0);
    CHECK(network.dataset.decoded_bytes > 0);
    REQUIRE_FALSE(network.operators.empty());
    CHECK(std::holds_alternative<rigcast::workload::Loss>(network.operators.back().attributes));
    std::set<std::string> names;
    for (std::size_t i = 0; i < network.operators.size(); ++i) {
      const auto& op = network.operators[i];
      CAPTURE(op.name);
      CHECK(names.insert(op.name).second);
      CHECK(op.parameters >= 0);
      CHECK(op.output_elements > 0);
      double elements = 1;
      for (std::int64_t extent : op.shape) elements *= static_cast<double>(extent);
      CHECK(elements == op.output_elements);
      for (std::uint32_t input : op.inputs) CHECK(input < i);
    }
  }
}

TEST_CASE("a plan's sequence length reshapes token models and nothing else") {
  CHECK(load("llama-2-7b", 512).tokens_per_sample == 512);
  CHECK(load("bert-large", 384).tokens_per_sample == 384);
  CHECK(load("resnet50", 512).tokens_per_sample == 0);
  // Products grow with the length, attention with its square: 6 N + attention of half of 4 T^2 d a layer.
  const double d = 4096, layers = 32, weights = layers * (4 * d * d + 3 * d * 11008) + d * 32000;
  for (double length : {512.0, 2048.0}) {
    const double attention = layers * d * length * (length + 1);  // two products of T (T + 1) / 2 pairs
    CHECK(forward_macs(load("llama-2-7b", static_cast<std::int64_t>(length))) ==
          length * weights + attention);
  }
}
