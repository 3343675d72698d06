#include "workload/cnn.h"

#include <algorithm>
#include <string>

namespace rigcast::workload {

Tensor squeeze_excite(NetworkBuilder& builder, const Tensor& x, std::string_view name, std::int64_t squeezed,
                      Function inner, Function gate) {
  if (x.broken) return x;
  NetworkBuilder::Scope scope(builder, name);
  Tensor s = builder.global_pool(x, "avgpool");
  s = builder.linear(s, "fc1", squeezed);
  s = builder.activation(s, inner);
  s = builder.linear(s, "fc2", x.shape[0]);
  s = builder.activation(s, gate);
  return builder.multiply({x, s}, "scale");
}

Tensor inverted_bottleneck(NetworkBuilder& builder, const Tensor& x, const InvertedBottleneck& options) {
  if (x.broken) return x;
  const std::int64_t in = x.shape[0];
  const Function* function = &options.function;
  Tensor y = x;
  if (options.fused) {
    const bool single = options.expanded == in;
    y = builder.conv_norm(y, "conv1", single ? options.out : options.expanded, options.kernel, options.stride,
                          function);
    if (!single) y = builder.conv_norm(y, "conv2", options.out, 1, 1, nullptr);
  } else {
    if (options.expanded != in) y = builder.conv_norm(y, "conv1", options.expanded, 1, 1, function);
    y = builder.conv_norm(y, "conv2", options.expanded, options.kernel, options.stride, function,
                          options.expanded);
    if (options.squeezed > 0) {
      y = squeeze_excite(builder, y, "se", options.squeezed, options.squeeze_function, options.gate);
    }
    y = builder.conv_norm(y, "conv3", options.out, 1, 1, nullptr);
  }
  return options.stride == 1 && in == options.out ? builder.add({y, x}) : y;
}

std::int64_t multiple_of_8(double channels) {
  const std::int64_t rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(channels + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + 8 : rounded;
}

std::vector<Tensor> feature_pyramid(NetworkBuilder& builder, const std::vector<Tensor>& maps,
                                    std::int64_t channels) {
  NetworkBuilder::Scope scope(builder, "fpn");
  std::vector<Tensor> out(maps.size());
  Tensor top;
  for (std::size_t i = maps.size(); i-- > 0;) {
    const std::string level = std::to_string(i);
    Tensor lateral = builder.conv(maps[i], "inner" + level, channels, 1, 1, 1, true);
    if (i + 1 < maps.size())
      lateral = builder.add({lateral, builder.resize(top, "upsample" + level, lateral.shape)});
    top = lateral;
    out[i] = builder.conv(lateral, "layer" + level, channels, 3, 1, 1, true);
  }
  return out;
}

}  // namespace rigcast::workload
