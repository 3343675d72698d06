/// Operators with a spatial window: convolutions and pools. Per dimension, with padding p on both sides and
/// dilation d,
///   output = floor((input + 2p - d (kernel - 1) - 1) / stride) + 1      (ceil for pools that say so)
///   transposed: output = (input - 1) stride - 2p + d (kernel - 1) + output_padding + 1

#include <algorithm>
#include <string>
#include <utility>

#include "workload/builder.h"

namespace rigcast::workload {
namespace {

/// Spatial extents of [channels, ...], right-aligned in depth, height, width; false when the rank is not 2
/// to 4.
bool spatial(const Shape& shape, std::int64_t (&extent)[3]) {
  if (shape.size() < 2 || shape.size() > 4) return false;
  const std::size_t offset = 4 - shape.size();
  for (std::size_t d = 0; d < 3; ++d) extent[d] = d < offset ? 1 : shape[d + 1 - offset];
  return true;
}

Shape with_channels(std::int64_t channels, const std::int64_t (&extent)[3], std::size_t rank) {
  Shape shape{channels};
  for (std::size_t d = 4 - rank; d < 3; ++d) shape.push_back(extent[d]);
  return shape;
}

}  // namespace

Tensor NetworkBuilder::convolution(const Tensor& x, std::string_view name,
                                   const ConvolutionOptions& options) {
  if (x.broken) return x;
  Convolution conv;
  const std::string who = "\"" + prefix_ + std::string(name.empty() ? "conv" : name) + "\"";
  if (x.shape.size() != static_cast<std::size_t>(options.dimensions) + 1 || !spatial(x.shape, conv.input)) {
    return fail(who + " needs channels and " + std::to_string(options.dimensions) +
                " spatial dimensions, but \"" + name_of(x) + "\" gives " + to_text(x.shape));
  }
  conv.in_channels = x.shape[0];
  conv.out_channels = options.out_channels;
  conv.groups = options.groups;
  conv.transposed = options.transposed;
  if (conv.in_channels % conv.groups != 0 || conv.out_channels % conv.groups != 0) {
    return fail(who + ": " + std::to_string(conv.groups) + " groups do not divide the " +
                std::to_string(conv.in_channels) + " channels of \"" + name_of(x) + "\" and the " +
                std::to_string(conv.out_channels) + " it gives");
  }
  const std::size_t unused = 3 - static_cast<std::size_t>(options.dimensions);
  for (std::size_t d = unused; d < 3; ++d) {
    conv.kernel[d] = options.kernel[d];
    conv.stride[d] = options.stride[d];
    conv.dilated = conv.dilated || options.dilation[d] > 1;
    const std::int64_t reach = options.dilation[d] * (conv.kernel[d] - 1);
    if (options.transposed) {
      conv.output[d] = (conv.input[d] - 1) * conv.stride[d] - 2 * options.padding[d] + reach +
                       options.output_padding[d] + 1;
    } else if (options.same) {
      conv.output[d] = (conv.input[d] + conv.stride[d] - 1) / conv.stride[d];
    } else {
      const std::int64_t room = conv.input[d] + 2 * options.padding[d] - reach - 1;
      conv.output[d] = room < 0 ? 0 : room / conv.stride[d] + 1;
    }
    if (conv.output[d] < 1) {
      return fail(who + ": a kernel of " + std::to_string(conv.kernel[d]) + " does not fit into \"" +
                  name_of(x) + "\", " + to_text(x.shape));
    }
  }
  double weights =
      static_cast<double>(conv.out_channels) * static_cast<double>(conv.in_channels / conv.groups);
  for (std::int64_t k : conv.kernel) weights *= static_cast<double>(k);
  if (options.bias) weights += static_cast<double>(conv.out_channels);
  if (options.shared_weight) weights = 0;
  Shape shape = with_channels(conv.out_channels, conv.output, x.shape.size());
  return add_operator(name, conv, {x}, std::move(shape), weights);
}

Tensor NetworkBuilder::conv(const Tensor& x, std::string_view name, std::int64_t out, std::int64_t kernel,
                            std::int64_t stride, std::int64_t groups, bool bias, std::int64_t padding) {
  ConvolutionOptions options;
  options.out_channels = out;
  options.groups = groups;
  options.kernel = {1, kernel, kernel};
  options.stride = {1, stride, stride};
  const std::int64_t around = padding < 0 ? kernel / 2 : padding;
  options.padding = {0, around, around};
  options.bias = bias;
  return convolution(x, name, options);
}

Tensor NetworkBuilder::pool(const Tensor& x, std::string_view name, const PoolOptions& options) {
  if (x.broken) return x;
  std::int64_t input[3], output[3] = {1, 1, 1};
  if (!spatial(x.shape, input)) {
    return fail("\"" + prefix_ + std::string(name) + "\" needs channels and spatial dimensions, but \"" +
                name_of(x) + "\" gives " + to_text(x.shape));
  }
  Pool pool;
  pool.average = options.average;
  for (std::size_t d = 4 - x.shape.size(); d < 3; ++d) {
    const std::int64_t room = input[d] + 2 * options.padding[d] - options.kernel[d];
    const std::int64_t up = options.ceil ? options.stride[d] - 1 : 0;
    if (room < 0) {
      return fail("\"" + prefix_ + std::string(name) + "\": a window of " +
                  std::to_string(options.kernel[d]) + " does not fit into \"" + name_of(x) + "\", " +
                  to_text(x.shape));
    }
    output[d] = (room + up) / options.stride[d] + 1;
    // The last window must start inside the input or its left padding.
    if (options.ceil && (output[d] - 1) * options.stride[d] >= input[d] + options.padding[d]) --output[d];
    pool.window *= options.kernel[d];
  }
  return add_operator(name, pool, {x}, with_channels(x.shape[0], output, x.shape.size()));
}

Tensor NetworkBuilder::max_pool(const Tensor& x, std::string_view name, std::int64_t kernel,
                                std::int64_t stride, std::int64_t padding, bool ceil) {
  return pool(x, name, {false, {1, kernel, kernel}, {1, stride, stride}, {0, padding, padding}, ceil});
}

Tensor NetworkBuilder::average_pool(const Tensor& x, std::string_view name, std::int64_t kernel,
                                    std::int64_t stride, std::int64_t padding) {
  return pool(x, name, {true, {1, kernel, kernel}, {1, stride, stride}, {0, padding, padding}, false});
}

Tensor NetworkBuilder::global_pool(const Tensor& x, std::string_view name) {
  if (x.broken) return x;
  Pool pool;
  pool.average = pool.global = true;
  pool.window = static_cast<std::int64_t>(elements(x.shape)) / x.shape[0];
  return add_operator(name, pool, {x}, {x.shape[0]});
}

Tensor NetworkBuilder::token_mean(const Tensor& x, std::string_view name) {
  if (x.broken) return x;
  Pool pool;
  pool.average = pool.global = true;
  pool.window = x.shape.front();
  return add_operator(name, pool, {x}, {x.shape.back()});
}

}  // namespace rigcast::workload
