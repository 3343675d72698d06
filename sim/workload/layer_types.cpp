/// What each layer type of a workload file reads and which operators it becomes.

#include "base/text.h"
#include "workload/layers.h"

namespace rigcast::workload {
namespace {

using Inputs = std::vector<Tensor>;
using Apply = decltype(LayerType::apply);

LayerType convolution(std::string_view name, int dimensions, bool transposed) {
  std::vector<LayerAttribute> attributes = {{"out_channels", true},       {"kernel", true}, {"stride"},
                                            {"padding", false, false, 0}, {"dilation"},     {"groups"},
                                            {"bias", false, false, 0}};
  if (transposed) attributes.push_back({"output_padding", false, false, 0});
  return {name, 1, 1, std::move(attributes),
          [dimensions, transposed](NetworkBuilder& builder, const Inputs& in, const LayerReader& read,
                                   std::string_view label) {
            ConvolutionOptions options;
            options.dimensions = dimensions;
            options.out_channels = read.integer("out_channels", 1);
            options.groups = read.integer("groups", 1);
            options.kernel = read.extent("kernel", dimensions, 1);
            options.stride = read.extent("stride", dimensions, 1);
            options.padding = read.extent("padding", dimensions, 0);
            options.dilation = read.extent("dilation", dimensions, 1);
            options.output_padding = read.extent("output_padding", dimensions, 0);
            options.same = read.text("padding", "") == "same";
            options.transposed = transposed;
            options.bias = read.flag("bias", true);
            return builder.convolution(in[0], label, options);
          }};
}

LayerType normalisation(std::string_view name, NormKind kind) {
  std::vector<LayerAttribute> attributes = {{"affine", false, false, 0}};
  if (kind == NormKind::kGroup) attributes.push_back({"groups", true});
  return {name, 1, 1, std::move(attributes),
          [kind](NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
            return builder.norm(in[0], label, kind, read.flag("affine", true));
          }};
}

constexpr std::pair<std::string_view, Function> kFunctions[] = {
    {"relu", Function::kRelu}, {"gelu", Function::kGelu},
    {"silu", Function::kSilu}, {"sigmoid", Function::kSigmoid},
    {"tanh", Function::kTanh}, {"hard-swish", Function::kHardSwish},
    {"exp", Function::kExp},   {"leaky-relu", Function::kLeakyRelu}};

LayerType function(std::string_view name, Function kind) {
  return {name,
          1,
          1,
          {},
          [kind](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
            return builder.activation(in[0], kind, label);
          }};
}

Tensor any_function(NetworkBuilder& builder, const Inputs& in, const LayerReader& read,
                    std::string_view label) {
  const std::string wanted = read.text("function", "");
  std::vector<std::string> names;
  for (const auto& [name, kind] : kFunctions) {
    if (name == wanted) return builder.activation(in[0], kind, label);
    names.emplace_back(name);
  }
  return builder.fail("activation: unknown function \"" + wanted + "\"", did_you_mean(wanted, names));
}

LayerType pool(std::string_view name, bool average) {
  return {
      name,
      1,
      1,
      {{"kernel", true}, {"stride"}, {"padding", false, false, 0}, {"ceil", false, false, 0}},
      [average](NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
        const int dimensions = static_cast<int>(in[0].shape.size()) - 1;
        PoolOptions options;
        options.average = average;
        options.kernel = read.extent("kernel", dimensions, 1);
        options.stride = options.kernel;
        if (!read.numbers("stride").empty()) options.stride = read.extent("stride", dimensions, 1);
        options.padding = read.extent("padding", dimensions, 0);
        options.ceil = read.flag("ceil", false);
        return builder.pool(in[0], label, options);
      }};
}

Tensor adaptive_pool(NetworkBuilder& builder, const Inputs& in, const LayerReader& read,
                     std::string_view label) {
  if (in[0].shape.size() < 2)
    return builder.fail("adaptive-average-pool needs channels and spatial dimensions");
  const int dimensions = static_cast<int>(in[0].shape.size()) - 1;
  const Extent size = read.extent("size", dimensions, 1);
  Pool pool;
  pool.average = true;
  Shape shape{in[0].shape[0]};
  for (int d = 0; d < dimensions; ++d) {
    const std::int64_t out = size[static_cast<std::size_t>(3 - dimensions + d)];
    pool.window *= (in[0].shape[static_cast<std::size_t>(d) + 1] + out - 1) / out;
    shape.push_back(out);
  }
  return builder.add_operator(label, pool, in, std::move(shape));
}

Tensor reshape(NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view) {
  Shape shape;
  for (double extent : read.numbers("shape")) shape.push_back(static_cast<std::int64_t>(extent));
  return builder.reshape(in[0], std::move(shape));
}

Tensor flatten(NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view) {
  return builder.reshape(in[0], {static_cast<std::int64_t>(elements(in[0].shape))});
}

Tensor slice(NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
  Shape shape = in[0].shape;
  const std::size_t axis = shape.size() == 2 ? 1 : 0;  // sequences end in their channels
  const std::int64_t channels = read.integer("channels", 1);
  if (channels > shape[axis]) {
    return builder.fail("\"" + std::string(label) + "\" (slice): \"" + builder.name_of(in[0]) + "\" gives " +
                        to_text(shape) + ", fewer than " + std::to_string(channels) + " channels");
  }
  shape[axis] = channels;
  return builder.slice(in[0], std::move(shape));
}

Tensor transpose(NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
  const Shape& shape = in[0].shape;
  if (shape.size() < 2) return builder.fail("transpose needs two dimensions or more");
  const std::int64_t rest = static_cast<std::int64_t>(elements(shape)) / shape[0];
  return builder.copy(in[0], label, {rest, shape[0]});
}

Tensor resize(NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
  const int dimensions = static_cast<int>(in[0].shape.size()) - 1;
  const Extent scale = read.extent("scale", dimensions, 1);
  Shape shape = in[0].shape;
  for (std::size_t d = 1; d < shape.size(); ++d) shape[d] *= scale[3 - shape.size() + d];
  return builder.resize(in[0], label, std::move(shape));
}

Tensor attention(NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
  const Tensor& x = in[0];
  const Tensor& memory = in.back();
  if (x.shape.size() != 2 || memory.shape.size() != 2) {
    return builder.fail("\"" + std::string(label) + "\" (attention) needs [tokens, width], but \"" +
                        builder.name_of(x) + "\" gives " + to_text(x.shape));
  }
  const std::int64_t width = x.shape[1], heads = read.integer("heads", 1);
  const std::int64_t size = read.integer("head_dim", width / heads);
  if (size * heads != width && read.numbers("head_dim").empty()) {
    return builder.fail("\"" + std::string(label) + "\" (attention): " + std::to_string(heads) +
                        " heads do not divide a width of " + std::to_string(width));
  }
  NetworkBuilder::Scope scope(builder, label);
  Attention core;
  core.heads = heads;
  core.kv_heads = read.integer("kv_heads", heads);
  core.qk_dim = core.v_dim = size;
  core.queries = x.shape[0];
  core.keys = memory.shape[0];
  core.causal = read.flag("causal", false);
  core.window = read.integer("window", 0);
  core.dropout = read.flag("dropout", false);
  const bool bias = read.flag("bias", true);
  Tensor mixed;
  if (in.size() == 1) {
    const Tensor qkv = builder.linear(x, "qkv", (heads + 2 * core.kv_heads) * size, bias);
    mixed = builder.attention({qkv}, "core", core);
  } else {
    const Tensor query = builder.linear(x, "query", heads * size, bias);
    const Tensor keys = builder.linear(memory, "key_value", 2 * core.kv_heads * size, bias);
    mixed = builder.attention({query, keys}, "core", core);
  }
  return builder.linear(mixed, "out", width, bias);
}

LayerType recurrent(std::string_view name, Cell cell) {
  return {name,
          1,
          1,
          {{"hidden", true}, {"layers"}, {"bidirectional", false, false, 0}},
          [cell](NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
            RecurrentOptions options;
            options.cell = cell;
            options.hidden = read.integer("hidden", 1);
            options.directions = read.flag("bidirectional", false) ? 2 : 1;
            Tensor x = in[0];
            for (std::int64_t layer = read.integer("layers", 1); layer > 0; --layer)
              x = builder.recurrent(x, label, options);
            return x;
          }};
}

Tensor matmul(NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
  const Shape &a = in[0].shape, &b = in[1].shape;
  const std::size_t rank = a.size();
  if (rank < 2 || rank > 3 || b.size() != rank || a[rank - 1] != b[rank - 2] || (rank == 3 && a[0] != b[0])) {
    return builder.fail("matmul: \"" + builder.name_of(in[0]) + "\" gives " + to_text(a) + " and \"" +
                        builder.name_of(in[1]) + "\" gives " + to_text(b) +
                        ", expected [..., m, k] and [..., k, n]");
  }
  Shape shape = a;
  shape.back() = b.back();
  return builder.matmul(in, label, {rank == 3 ? a[0] : 1, a[rank - 2], b.back(), a.back()}, std::move(shape));
}

Tensor interaction(NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
  Interaction interaction;
  interaction.width = in[0].shape.back();
  for (const Tensor& x : in) {
    if (x.shape.size() > 2 || x.shape.back() != interaction.width) {
      return builder.fail("interaction: \"" + builder.name_of(in[0]) + "\" gives " + to_text(in[0].shape) +
                          " but \"" + builder.name_of(x) + "\" gives " + to_text(x.shape));
    }
    interaction.features += x.shape.size() == 2 ? x.shape[0] : 1;
  }
  return builder.add_operator(label, interaction, in,
                              {interaction.features * (interaction.features - 1) / 2});
}

std::vector<LayerType> make_table() {
  std::vector<LayerType> table = {
      convolution("conv1d", 1, false),           convolution("conv2d", 2, false),
      convolution("conv3d", 3, false),           convolution("transposed-conv1d", 1, true),
      convolution("transposed-conv2d", 2, true), convolution("transposed-conv3d", 3, true)};
  const auto add = [&](std::string_view name, std::vector<LayerAttribute> attributes, Apply apply,
                       std::size_t least = 1, std::size_t most = 1) {
    table.push_back({name, least, most, std::move(attributes), std::move(apply)});
  };
  add("linear", {{"out", true}, {"bias", false, false, 0}},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
        return builder.linear(in[0], label, read.integer("out", 1), read.flag("bias", true));
      });
  table.push_back(normalisation("batch-norm", NormKind::kBatch));
  table.push_back(normalisation("layer-norm", NormKind::kLayer));
  table.push_back(normalisation("rms-norm", NormKind::kRms));
  table.push_back(normalisation("instance-norm", NormKind::kInstance));
  table.push_back(normalisation("group-norm", NormKind::kGroup));
  for (const auto& [name, kind] : kFunctions) table.push_back(function(name, kind));
  add("activation", {{"function", true, true}}, any_function);
  add("softmax", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.softmax(in[0], label);
      });
  add("dropout", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.dropout(in[0], label);
      });
  add("local-response-norm", {{"size"}},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.activation(in[0], Function::kOther, label);
      });
  table.push_back(pool("max-pool", false));
  table.push_back(pool("average-pool", true));
  add("global-average-pool", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.global_pool(in[0], label);
      });
  add("adaptive-average-pool", {{"size", true}}, adaptive_pool);
  add(
      "add", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.add(in, label);
      },
      2, 0);
  add(
      "multiply", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.multiply(in, label);
      },
      2, 0);
  add(
      "concat", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.concat(in, label);
      },
      2, 0);
  add("flatten", {}, flatten);
  add("reshape", {{"shape", true}}, reshape);
  add("slice", {{"channels", true}}, slice);
  add("transpose", {}, transpose);
  add("copy", {}, [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
    return builder.copy(in[0], label, in[0].shape);
  });
  add("resize", {{"scale", true}}, resize);
  add("embedding", {{"rows", true}, {"width", true}},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader& read, std::string_view label) {
        return builder.embedding(in[0], label, read.integer("rows", 1), read.integer("width", 1));
      });
  add("attention",
      {{"heads", true},
       {"kv_heads"},
       {"head_dim"},
       {"causal", false, false, 0},
       {"window", false, false, 0},
       {"bias", false, false, 0},
       {"dropout", false, false, 0}},
      attention, 1, 2);
  table.push_back(recurrent("lstm", Cell::kLstm));
  table.push_back(recurrent("gru", Cell::kGru));
  table.push_back(recurrent("rnn", Cell::kVanilla));
  add("matmul", {}, matmul, 2, 2);
  add("interaction", {}, interaction, 1, 0);
  add(
      "loss", {},
      [](NetworkBuilder& builder, const Inputs& in, const LayerReader&, std::string_view label) {
        return builder.loss(in, label);
      },
      1, 0);
  return table;
}

}  // namespace

const std::vector<LayerType>& layer_type_table() {
  static const std::vector<LayerType> table = make_table();
  return table;
}

std::vector<std::string> layer_types() {
  std::vector<std::string> names;
  for (const LayerType& type : layer_type_table()) names.emplace_back(type.name);
  return names;
}

}  // namespace rigcast::workload
