/// U-Net (Ronneberger et al. 2015, arXiv:1505.04597; Cicek et al. 2016, arXiv:1606.06650 in three
/// dimensions): two convolutions a level on the way down and up, a transposed convolution between levels on
/// the way up, and the maps of the way down joined in, cropped where the convolutions are not padded.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

struct Style {
  int dimensions = 2;
  bool padded = true, strided = false;
  std::string norm;
};

ConvolutionOptions window(const Style& style, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  ConvolutionOptions options;
  options.dimensions = style.dimensions;
  options.out_channels = out;
  for (std::size_t d = 3 - static_cast<std::size_t>(style.dimensions); d < 3; ++d) {
    options.kernel[d] = kernel;
    options.stride[d] = stride;
  }
  return options;
}

Tensor unit(NetworkBuilder& builder, const Tensor& x, const Style& style, const std::string& number,
            std::int64_t out, std::int64_t stride) {
  ConvolutionOptions options = window(style, out, 3, stride);
  if (style.padded) {
    for (std::size_t d = 3 - static_cast<std::size_t>(style.dimensions); d < 3; ++d) options.padding[d] = 1;
  }
  options.bias = style.norm == "none";
  Tensor y = builder.convolution(x, "conv" + number, options);
  if (style.norm == "batch") y = builder.norm(y, "norm" + number, NormKind::kBatch);
  if (style.norm == "instance") y = builder.norm(y, "norm" + number, NormKind::kInstance);
  return builder.activation(y, Function::kRelu, "relu" + number);
}

Tensor up(NetworkBuilder& builder, const Tensor& x, const Tensor& skip, const Style& style,
          std::int64_t out) {
  ConvolutionOptions options = window(style, out, 2, 2);
  options.transposed = true;
  Tensor y = builder.convolution(x, "up", options);
  if (y.broken || skip.broken) return y;
  Shape crop = y.shape;
  crop[0] = skip.shape[0];
  for (std::size_t d = 1; d < crop.size(); ++d) {
    if (crop[d] > skip.shape[d]) {
      return builder.fail(
          "the way up gives " + to_text(y.shape) + " where the way down had " + to_text(skip.shape),
          "choose extents that halve evenly at every level");
    }
  }
  y = builder.concat({builder.slice(skip, crop), y});
  return unit(builder, unit(builder, y, style, "1", out, 1), style, "2", out, 1);
}

/// [channels, ...] from `image`, `volume`, or `channels` with an `image` of spatial sizes only.
Shape sample_shape(const DimensionReader& read) {
  if (!read.has("channels")) {
    return read.has("volume") ? read.image("volume", {1, 128, 128, 128}) : read.image("image", {1, 572, 572});
  }
  Shape shape = read.integers("image", {128, 128, 128});
  if (shape.size() != 2 && shape.size() != 3) {
    read.error("image", "beside \"channels\", \"image\" must be two or three spatial sizes");
    return {1, 128, 128};
  }
  shape.insert(shape.begin(), read.integer("channels", 1));
  return shape;
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  Style style;
  const Shape sample = sample_shape(read);
  style.dimensions = static_cast<int>(sample.size()) - 1;
  const std::int64_t base = read.integer("base", 64), depth = read.integer("depth", 4);
  const std::int64_t classes = read.integer("classes", 2);
  style.norm = read.text("norm", {"none", "batch", "instance"});
  style.padded = read.text("padding", {"same", "valid"}) == "same";
  style.strided = read.flag("strided");
  std::vector<std::int64_t> widths;
  if (depth > 16) read.error("depth", "\"depth\" must be at most 16");
  for (std::int64_t level = 0; read.ok() && level <= depth; ++level) widths.push_back(base << level);
  widths = read.integers("widths", widths);
  if (!read.ok()) return;
  Tensor x = builder.sample(sample);
  std::vector<Tensor> skips;
  for (std::size_t level = 0; level < widths.size(); ++level) {
    NetworkBuilder::Scope scope(builder,
                                level + 1 == widths.size() ? "bottom" : "down" + std::to_string(level + 1));
    if (level > 0 && !style.strided) {
      PoolOptions pool;
      pool.kernel = pool.stride = window(style, 1, 2, 2).kernel;
      x = builder.pool(x, "maxpool", pool);
    }
    x = unit(builder, x, style, "1", widths[level], level > 0 && style.strided ? 2 : 1);
    x = unit(builder, x, style, "2", widths[level], 1);
    skips.push_back(x);
  }
  for (std::size_t level = widths.size() - 1; level-- > 0;) {
    NetworkBuilder::Scope scope(builder, "up" + std::to_string(level + 1));
    x = up(builder, x, skips[level], style, widths[level]);
  }
  builder.loss({builder.convolution(x, "output", window(style, classes, 1, 1))});
  set_image_dataset(network, sample, style.dimensions == 3 ? "volume" : "image");
  network.optimizer = "adam";
}

}  // namespace

Family unet_family() {
  return {"unet",
          {{"image", false, "channels, height, width: two dimensions"},
           {"volume", false, "channels, depth, height, width: three dimensions"},
           {"channels", false, "of the sample; image then holds spatial sizes only"},
           {"base", false, "channels of the first level; they double"},
           {"depth", false, "levels below the first"},
           {"widths", false, "channels of every level, in place of base and depth"},
           {"classes", false, "channels of the output"},
           {"norm", false, "none, batch or instance"},
           {"padding", false, "same or valid"},
           {"strided", false, "strided convolutions in place of pools"}},
          build};
}

}  // namespace rigcast::workload
