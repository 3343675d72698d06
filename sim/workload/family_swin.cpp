/// Swin (Liu et al. 2021, arXiv:2103.14030): attention inside windows of window x window tokens, every second
/// block on a shifted grid, four tokens merged into one between stages. Windows are independent, so the
/// attention operator has heads x windows heads. Extents that windows do not divide are padded, as the
/// implementations do; much of the time goes into copies: windows cut and joined, the grid rolled and back,
/// masks spread. Whole branches are dropped at random in training (stochastic depth).

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

struct Stage {
  std::int64_t height, width, channels, heads, window;
};

/// The grid moved along both sides: one copy a side.
Tensor rolled(NetworkBuilder& builder, const Tensor& x, std::string_view name) {
  const std::string text(name);
  return builder.copy(builder.copy(x, text + "_rows", x.shape), text + "_columns", x.shape);
}

/// V2: scores of unit vectors, scaled, biased and masked one after the other; no fused kernel does that.
Tensor cosine_attention(NetworkBuilder& builder, const Tensor& qkv, const Stage& stage, const Attention& core,
                        bool shifted) {
  if (qkv.broken) return qkv;
  const std::int64_t tokens = qkv.shape[0], keys = core.keys;
  const auto unit = [&](std::string_view name) {
    return builder.norm(builder.slice(qkv, {tokens, stage.channels}), name, NormKind::kRms, false);
  };
  const Tensor query = unit("query_unit"), key = unit("key_unit");
  Tensor scores = builder.matmul({query, key}, "scores", {core.heads, keys, keys, core.qk_dim},
                                 {core.heads, keys * keys});
  scores = builder.activation(scores, Function::kOther, "scale");
  scores = builder.activation(scores, Function::kMask, "bias");
  if (shifted) scores = builder.activation(scores, Function::kMask, "mask");
  const Tensor value = builder.slice(qkv, {tokens, stage.channels});
  return builder.matmul({builder.softmax(scores), value}, "mix", {core.heads, keys, core.v_dim, keys},
                        {tokens, stage.channels});
}

Tensor window_attention(NetworkBuilder& builder, const Tensor& x, const Stage& stage, bool shifted,
                        bool cosine) {
  const std::int64_t window = stage.window, tokens = x.shape[0];
  const std::int64_t windows = ceil_div(stage.height, window) * ceil_div(stage.width, window);
  const std::int64_t padded = windows * window * window;
  Tensor y = builder.norm(x, "norm1", NormKind::kLayer);
  if (shifted) y = rolled(builder, y, "shift");
  y = builder.copy(y, "pad", {padded, stage.channels});
  y = builder.copy(y, "partition", {padded, stage.channels});
  const Tensor qkv = builder.linear(y, "qkv", 3 * stage.channels);
  Attention core;
  core.heads = core.kv_heads = stage.heads * windows;
  core.qk_dim = core.v_dim = stage.channels / stage.heads;
  core.queries = core.keys = window * window;
  core.mask = true;
  core.dropout = false;
  if (cosine) {
    y = cosine_attention(builder, qkv, stage, core, shifted);
  } else {
    if (shifted) {
      // Mask of the window and bias of the head, spread over heads and windows, added, then cast and padded
      // for the kernel.
      const Tensor mask = builder.copy(builder.sample({core.heads, core.keys * core.keys}), "spread_mask",
                                       {core.heads, core.keys * core.keys});
      const Tensor sum = builder.copy(mask, "add_bias", mask.shape);
      builder.copy(sum, "align_mask", mask.shape);
    }
    y = builder.attention({qkv}, "core", core);
    y = builder.reshape(y, {padded, stage.channels});
  }
  builder.own(y, static_cast<double>((2 * window - 1) * (2 * window - 1) * stage.heads));
  y = builder.linear(y, "output", stage.channels);
  y = builder.copy(y, "merge_windows", {tokens, stage.channels});
  if (shifted) y = rolled(builder, y, "shift_back");
  return builder.add({builder.dropout(y, "drop_path"), x});
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t hidden = read.required("hidden"), window = read.integer("window", 7),
                     patch = read.integer("patch", 4);
  const std::vector<std::int64_t> depths = read.integers("depths", {2, 2, 6, 2});
  const std::vector<std::int64_t> heads = read.integers("heads", {3, 6, 12, 24});
  const Shape image = read.image("image", {3, 224, 224});
  const std::int64_t classes = read.integer("classes", 1000);
  const bool cosine = read.flag("cosine_attention");
  if (heads.size() != depths.size())
    read.error("heads", "\"heads\" needs one number a stage, like \"depths\"");
  if (depths.size() > 8) read.error("depths", "\"depths\" holds at most 8 stages");
  for (std::size_t s = 0; read.ok() && s < heads.size(); ++s) {
    if ((hidden << s) % heads[s] != 0) read.error("heads", "\"heads\" must divide the width of each stage");
    if (depths[s] > 10000) read.error("depths", "a stage has at most 10000 blocks");
  }
  if (!read.ok()) return;
  Tensor x = builder.conv(builder.sample(image), "patch", hidden, patch, patch, 1, true, 0);
  if (x.broken) return;
  Stage stage{x.shape[1], x.shape[2], hidden, 1, window};
  x = builder.copy(x, "tokens", {stage.height * stage.width, hidden});
  x = builder.norm(x, "patch_norm", NormKind::kLayer);
  for (std::size_t s = 0; s < depths.size(); ++s) {
    NetworkBuilder::Scope outer(builder, "stage" + std::to_string(s + 1));
    stage.heads = heads[s];
    if (s > 0) {
      stage.height = ceil_div(stage.height, 2);
      stage.width = ceil_div(stage.width, 2);
      x = builder.copy(x, "gather", {stage.height * stage.width, 4 * stage.channels});
      x = builder.norm(x, "merge_norm", NormKind::kLayer);
      stage.channels *= 2;
      x = builder.linear(x, "merge", stage.channels, false);
    }
    const bool single = stage.height <= window && stage.width <= window;
    for (std::int64_t i = 0; i < depths[s]; ++i) {
      NetworkBuilder::Scope scope(builder, std::to_string(i));
      x = window_attention(builder, x, stage, i % 2 == 1 && !single, cosine);
      const Tensor normed = builder.norm(x, "norm2", NormKind::kLayer);
      x = residual(builder, x, feed_forward(builder, normed, {4 * stage.channels}), true, "");
    }
  }
  x = builder.token_mean(builder.norm(x, "norm", NormKind::kLayer), "mean");
  builder.loss({builder.linear(x, "head", classes)});
  set_image_dataset(network, image);
  network.optimizer = "adamw";
}

}  // namespace

Family swin_family() {
  return {"swin",
          {{"depths", true, "blocks of each stage"},
           {"hidden", true, "width of the first stage"},
           {"heads", false, "attention heads of each stage"},
           {"window", false, "side of a window in tokens"},
           {"patch", false, "side of a patch"},
           {"cosine_attention", false, "scores of unit vectors (V2)"},
           {"image", false, "channels, height, width"},
           {"classes", false, "of the classifier"}},
          build};
}

}  // namespace rigcast::workload
