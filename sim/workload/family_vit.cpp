/// Vision transformers (Dosovitskiy et al. 2020, arXiv:2010.11929): patches by a strided convolution, a class
/// token, learned positions, pre-norm encoder. MLP-Mixer (Tolstikhin et al. 2021, arXiv:2105.01601) mixes
/// tokens by perceptrons instead.

#include <algorithm>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

/// [tokens, hidden] of an image cut into square patches.
Tensor patches(NetworkBuilder& builder, const Shape& image, std::int64_t patch, std::int64_t hidden) {
  const Tensor x = builder.conv(builder.sample(image), "patch", hidden, patch, patch, 1, true, 0);
  if (x.broken) return x;
  return builder.copy(x, "tokens", {x.shape[1] * x.shape[2], hidden});
}

void build_vit(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.required("layers"), hidden = read.required("hidden"),
                     heads = read.required("heads");
  const std::int64_t patch = read.required("patch"), ffn = read.integer("ffn", 4 * hidden);
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  if (layers > 10000) read.error("layers", "\"layers\" must be at most 10000");
  if (read.ok() && hidden % heads != 0) read.error("heads", "\"heads\" must divide \"hidden\"");
  if (!read.ok()) return;
  Tensor x = patches(builder, image, patch, hidden);
  if (x.broken) return;
  const std::int64_t tokens = x.shape[0] + 1;
  x = builder.add_operator("class_token", Concat{}, {x}, {tokens, hidden}, static_cast<double>(hidden));
  x = builder.add_operator("position", Elementwise{}, {x}, x.shape, static_cast<double>(tokens * hidden));
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, "layer." + std::to_string(i));
    AttentionBlock attention;
    attention.heads = attention.kv_heads = heads;
    attention.head_dim = hidden / heads;
    attention.fused_qkv = true;
    attention.dropout = false;
    const Tensor normed = builder.norm(x, "norm1", NormKind::kLayer);
    x = residual(builder, x, attention_block(builder, normed, nullptr, attention), false, "");
    x = residual(builder, x, feed_forward(builder, builder.norm(x, "norm2", NormKind::kLayer), {ffn}), false,
                 "");
  }
  x = builder.norm(x, "norm", NormKind::kLayer);
  builder.loss({builder.linear(builder.slice(x, {1, hidden}), "head", classes)});
  set_image_dataset(network, image);
  network.optimizer = "adamw";
}

void build_mixer(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.required("layers"), hidden = read.required("hidden"),
                     patch = read.required("patch");
  const std::int64_t token_ffn = read.integer("token_ffn", std::max<std::int64_t>(1, hidden / 2));
  const std::int64_t ffn = read.integer("ffn", 4 * hidden);
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  if (layers > 10000) read.error("layers", "\"layers\" must be at most 10000");
  if (!read.ok()) return;
  Tensor x = patches(builder, image, patch, hidden);
  if (x.broken) return;
  const std::int64_t tokens = x.shape[0];
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, "layer." + std::to_string(i));
    Tensor y = builder.copy(builder.norm(x, "norm1", NormKind::kLayer), "transpose", {hidden, tokens});
    {
      NetworkBuilder::Scope inner(builder, "token_mlp");
      y = feed_forward(builder, y, {token_ffn});
    }
    x = builder.add({builder.copy(y, "transpose_back", {tokens, hidden}), x});
    x = residual(builder, x, feed_forward(builder, builder.norm(x, "norm2", NormKind::kLayer), {ffn}), false,
                 "");
  }
  x = builder.token_mean(builder.norm(x, "norm", NormKind::kLayer), "mean");
  builder.loss({builder.linear(x, "head", classes)});
  set_image_dataset(network, image);
  network.optimizer = "adamw";
}

}  // namespace

Family vit_family() {
  return {"vit",
          {{"layers", true, "encoder layers"},
           {"hidden", true, "width"},
           {"heads", true, "attention heads"},
           {"patch", true, "side of a patch"},
           {"ffn", false, "inner width of the feed-forward layers"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"}},
          build_vit};
}

Family mixer_family() {
  return {"mixer",
          {{"layers", true, "mixer layers"},
           {"hidden", true, "width"},
           {"patch", true, "side of a patch"},
           {"token_ffn", false, "inner width of the token perceptrons"},
           {"ffn", false, "inner width of the channel perceptrons"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"}},
          build_mixer};
}

}  // namespace rigcast::workload
