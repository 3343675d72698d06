/// The U-Net of Stable Diffusion 1.x (Rombach et al. 2021, arXiv:2112.10752): residual blocks with a time
/// embedding, each followed on the three finer levels by a transformer block that attends to itself and to
/// the text. One pass over one latent image is a sample; guidance runs two a step.

#include <algorithm>
#include <utility>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

class DiffusionNetwork {
 public:
  DiffusionNetwork(NetworkBuilder& builder, const Tensor& text, std::int64_t heads)
      : builder_(builder), text_(text), heads_(heads) {}

  void set_time(const Tensor& time) { time_ = time; }

  Tensor residual_block(const Tensor& x, std::string_view name, std::int64_t out) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    Tensor y = builder_.conv(norm_silu(x, "norm1"), "conv1", out, 3, 1, 1, true);
    const Tensor time = builder_.linear(builder_.activation(time_, Function::kSilu), "time", out);
    y = builder_.add({y, time}, "add_time");
    y = builder_.conv(norm_silu(y, "norm2"), "conv2", out, 3, 1, 1, true);
    const Tensor shortcut = x.shape[0] == out ? x : builder_.conv(x, "shortcut", out, 1, 1, 1, true);
    return builder_.add({y, shortcut});
  }

  Tensor transformer(const Tensor& x, std::string_view name) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    const std::int64_t channels = x.shape[0], pixels = x.shape[1] * x.shape[2];
    Tensor y = builder_.norm(x, "norm", NormKind::kGroup);
    y = builder_.conv(y, "project_in", channels, 1, 1, 1, true);
    y = builder_.copy(y, "tokens", {pixels, channels});
    AttentionBlock block;
    block.heads = block.kv_heads = heads_;
    block.head_dim = channels / heads_;
    block.qkv_bias = block.dropout = false;
    y = sub_layer(y, "self", [&](const Tensor& in) { return attention_block(builder_, in, nullptr, block); });
    y = sub_layer(y, "cross", [&](const Tensor& in) { return attention_block(builder_, in, &text_, block); });
    y = sub_layer(y, "mlp", [&](const Tensor& in) {
      return feed_forward(builder_, in, {4 * channels, Function::kGelu, true});
    });
    y = builder_.copy(y, "image", x.shape);
    return builder_.add({builder_.conv(y, "project_out", channels, 1, 1, 1, true), x});
  }

  Tensor norm_silu(const Tensor& x, std::string_view name) {
    return builder_.activation(builder_.norm(x, name, NormKind::kGroup), Function::kSilu);
  }

 private:
  template <class Function>
  Tensor sub_layer(const Tensor& x, std::string_view name, Function&& function) {
    NetworkBuilder::Scope scope(builder_, name);
    return residual(builder_, x, function(builder_.norm(x, "norm", NormKind::kLayer)), false, "");
  }

  NetworkBuilder& builder_;
  Tensor text_, time_;
  std::int64_t heads_;
};

struct Dimensions {
  std::vector<std::int64_t> widths;
  std::int64_t blocks;
};

/// The way down and the middle: the maps the way up joins in, the middle's output last.
std::vector<Tensor> way_down(NetworkBuilder& builder, DiffusionNetwork& unet, Tensor x, const Dimensions& d) {
  std::vector<Tensor> maps = {x};
  const std::size_t levels = d.widths.size();
  for (std::size_t level = 0; level < levels; ++level) {
    NetworkBuilder::Scope scope(builder, "down" + std::to_string(level));
    const bool last = level + 1 == levels;
    for (std::int64_t i = 0; i < d.blocks; ++i) {
      x = unet.residual_block(x, "resnet" + std::to_string(i), d.widths[level]);
      if (!last) x = unet.transformer(x, "attention" + std::to_string(i));
      maps.push_back(x);
    }
    if (last) break;
    x = builder.conv(x, "downsample", d.widths[level], 3, 2, 1, true);
    maps.push_back(x);
  }
  NetworkBuilder::Scope scope(builder, "middle");
  x = unet.residual_block(x, "resnet0", d.widths.back());
  maps.push_back(unet.residual_block(unet.transformer(x, "attention"), "resnet1", d.widths.back()));
  return maps;
}

Tensor way_up(NetworkBuilder& builder, DiffusionNetwork& unet, std::vector<Tensor> maps,
              const Dimensions& d) {
  Tensor x = maps.back();
  maps.pop_back();
  const std::size_t levels = d.widths.size();
  for (std::size_t level = levels; level-- > 0;) {
    NetworkBuilder::Scope scope(builder, "up" + std::to_string(level));
    for (std::int64_t i = 0; i <= d.blocks; ++i) {
      x = builder.concat({x, maps.back()});
      maps.pop_back();
      x = unet.residual_block(x, "resnet" + std::to_string(i), d.widths[level]);
      if (level + 1 < levels) x = unet.transformer(x, "attention" + std::to_string(i));
    }
    if (level == 0 || x.broken) continue;
    x = builder.resize(x, "resize", {x.shape[0], 2 * x.shape[1], 2 * x.shape[2]});
    x = builder.conv(x, "upsample", d.widths[level], 3, 1, 1, true);
  }
  return x;
}

/// The picture that guides, brought to the size and width of the first map (ControlNet).
Tensor condition(NetworkBuilder& builder, Tensor x, std::int64_t width) {
  NetworkBuilder::Scope scope(builder, "condition");
  const std::int64_t widths[] = {16, 16, 32, 32, 96, 96, 256};
  for (std::size_t i = 0; i < 7; ++i) {
    const bool down = i > 0 && i % 2 == 0;
    x = builder.conv(x, "conv" + std::to_string(i), widths[i], 3, down ? 2 : 1, 1, true);
    x = builder.activation(x, Function::kSilu);
  }
  return builder.conv(x, "output", width, 3, 1, 1, true);
}

Tensor time_embedding(NetworkBuilder& builder, std::int64_t width) {
  const Tensor time = builder.linear(builder.sample({width}), "time.fc1", 4 * width);
  return builder.linear(builder.activation(time, Function::kSilu), "time.fc2", 4 * width);
}

/// ControlNet (Zhang et al. 2023, arXiv:2302.05543): a second way down whose maps are added through 1x1
/// convolutions.
std::vector<Tensor> control(NetworkBuilder& builder, const Tensor& text, const Tensor& latent,
                            const Shape& image, std::int64_t heads, const Dimensions& d) {
  NetworkBuilder::Scope scope(builder, "control");
  DiffusionNetwork unet(builder, text, heads);
  unet.set_time(time_embedding(builder, d.widths[0]));
  const Tensor picture = condition(builder, builder.sample(image), d.widths[0]);
  const Tensor x = builder.add({builder.conv(latent, "conv_in", d.widths[0], 3, 1, 1, true), picture});
  std::vector<Tensor> maps = way_down(builder, unet, x, d);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (maps[i].broken) continue;
    maps[i] = builder.conv(maps[i], "zero" + std::to_string(i), maps[i].shape[0], 1, 1, 1, true);
  }
  return maps;
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const Shape image = read.image("image", {3, 512, 512});
  const Dimensions d{read.integers("widths", {320, 640, 1280, 1280}), read.integer("blocks", 2)};
  const std::int64_t heads = read.integer("heads", 8), text_len = read.integer("text_len", 77);
  const std::int64_t text_width = read.integer("text_width", 768),
                     latent = read.integer("latent_channels", 4);
  if (d.widths.size() > 6) read.error("widths", "\"widths\" holds at most 6 levels");
  const std::int64_t scale = std::int64_t{8} << (std::min<std::size_t>(d.widths.size(), 6) - 1);
  if (d.blocks > 100) read.error("blocks", "\"blocks\" must be at most 100");
  for (std::int64_t width : d.widths) {
    if (width % heads != 0) read.error("heads", "\"heads\" must divide every width");
  }
  if (image[1] % scale != 0 || image[2] % scale != 0) {
    read.error("image", "the sides of \"image\" must be multiples of " + std::to_string(scale));
  }
  if (!read.ok()) return;
  const Tensor text = builder.sample({text_len, text_width});
  DiffusionNetwork unet(builder, text, heads);
  unet.set_time(time_embedding(builder, d.widths[0]));
  const Tensor noisy = builder.sample({latent, image[1] / 8, image[2] / 8});
  std::vector<Tensor> maps =
      way_down(builder, unet, builder.conv(noisy, "conv_in", d.widths[0], 3, 1, 1, true), d);
  if (read.flag("controlnet")) {
    const std::vector<Tensor> extra = control(builder, text, noisy, image, heads, d);
    for (std::size_t i = 0; i < maps.size(); ++i) maps[i] = builder.add({maps[i], extra[i]}, "add_control");
  }
  Tensor x = way_up(builder, unet, std::move(maps), d);
  x = builder.conv(unet.norm_silu(x, "norm_out"), "conv_out", latent, 3, 1, 1, true);
  builder.loss({x});
  set_image_dataset(network, image);
  network.guided_passes = 2;  // with and without the text, side by side
  network.optimizer = "adamw";
  network.notes.push_back(
      "the U-Net alone: text encoder and autoencoder run once an image, outside the denoising steps");
}

}  // namespace

Family stable_diffusion_family() {
  return {"stable-diffusion",
          {{"image", false, "channels, height, width; latents are an eighth"},
           {"widths", false, "channels of each level"},
           {"blocks", false, "residual blocks a level on the way down"},
           {"heads", false, "attention heads"},
           {"controlnet", false, "with a ControlNet beside it"},
           {"text_len", false, "text tokens"},
           {"text_width", false, "their width"},
           {"latent_channels", false, "channels of a latent"}},
          build};
}

}  // namespace rigcast::workload
