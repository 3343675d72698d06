/// Temporal Fusion Transformer (Lim et al. 2019, arXiv:1912.09363, as in NVIDIA DeepLearningExamples): every
/// variable of every time step is embedded; gated residual networks (GRN) weigh the variables, two LSTMs read
/// past and future, attention looks back, and quantiles of the future come out. Many small products, most of
/// the time goes into element-wise work between them.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

class FusionTransformer {
 public:
  FusionTransformer(NetworkBuilder& builder, std::int64_t hidden) : builder_(builder), hidden_(hidden) {}

  /// Product to twice the width, half of it a gate.
  Tensor gated(const Tensor& x, std::string_view name, std::int64_t out) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    const Tensor both = builder_.linear(x, "both", 2 * out);
    const Tensor half = builder_.slice(both, {x.shape[0], out});
    return builder_.multiply({builder_.activation(half, Function::kSigmoid), half});
  }

  /// norm(skip(x) + gated(W elu(V x + U context))).
  Tensor grn(const Tensor& x, std::string_view name, std::int64_t out, const Tensor* context, bool dropout) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    Tensor y = builder_.linear(x, "in", hidden_);
    if (context) {
      const Tensor c = builder_.linear(*context, "context", hidden_, false);
      y = builder_.add_operator("add_context", Elementwise{}, {y, c}, y.shape);
    }
    y = builder_.linear(builder_.activation(y, Function::kOther), "inner", hidden_);
    if (dropout) y = builder_.dropout(y);
    y = gated(y, "gate", out);
    const Tensor skip = x.shape[1] == out ? x : builder_.linear(x, "skip", out);
    return builder_.norm(builder_.add({y, skip}), "norm", NormKind::kLayer);
  }

  /// Variables [steps, variables x hidden] to [steps, hidden]: one GRN a variable, weighted by a joint one.
  Tensor select(const Tensor& x, std::string_view name, std::int64_t variables, const Tensor* context) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    const std::int64_t steps = x.shape[0];
    const Tensor weights = builder_.softmax(grn(x, "joint", variables, context, false));
    std::vector<Tensor> transformed;
    for (std::int64_t i = 0; i < variables; ++i)
      transformed.push_back(
          grn(builder_.slice(x, {steps, hidden_}), "variable" + std::to_string(i), hidden_, nullptr, true));
    const Tensor stacked = variables > 1 ? builder_.concat(transformed, "stack")
                                         : builder_.copy(transformed[0], "stack", x.shape);
    return builder_.matmul({stacked, weights}, "weigh", {steps, hidden_, 1, variables}, {steps, hidden_});
  }

  Tensor skip_norm(const Tensor& x, const Tensor& skip, std::string_view name) {
    const Tensor y = gated(x, std::string(name) + "_gate", hidden_);
    return builder_.norm(builder_.add({y, skip}), std::string(name) + "_norm", NormKind::kLayer);
  }

 private:
  NetworkBuilder& builder_;
  std::int64_t hidden_;
};

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t hidden = read.required("hidden"), heads = read.integer("heads", 4);
  const std::int64_t steps = read.integer("steps", 192), past = read.integer("past", 168);
  const std::int64_t known = read.integer("known", 3), observed = read.integer("observed", 1);
  const std::int64_t series = read.integer("series", 369), quantiles = read.integer("quantiles", 3);
  if (past >= steps) read.error("past", "\"past\" must be less than \"steps\"");
  if (read.ok() && hidden % heads != 0) read.error("heads", "\"heads\" must divide \"hidden\"");
  if (known > 1000 || observed > 1000) read.error("known", "at most 1000 variables");
  if (!read.ok()) return;
  FusionTransformer tft(builder, hidden);
  const std::int64_t future = steps - past, variables = known + observed;
  const auto embed = [&](std::int64_t count, std::int64_t length, std::string_view name) {
    const Tensor x = builder.sample({length, count});
    return builder.add_operator(name, Elementwise{true}, {x}, {length, count * hidden},
                                static_cast<double>(2 * count * hidden));
  };
  const Tensor identity = builder.embedding(builder.sample({1}), "series", series, hidden);
  const Tensor fixed = tft.select(identity, "static", 1, nullptr);
  std::vector<Tensor> contexts;
  for (int i = 0; i < 4; ++i)
    contexts.push_back(tft.grn(fixed, "context" + std::to_string(i), hidden, nullptr, true));
  const Tensor before =
      tft.select(embed(variables, past, "embed_past"), "select_past", variables, &contexts[0]);
  const Tensor after = tft.select(embed(known, future, "embed_future"), "select_future", known, &contexts[0]);
  RecurrentOptions options;
  options.hidden = hidden;
  const Tensor history = builder.recurrent(before, "past_lstm", options);
  const Tensor prospect = builder.recurrent(after, "future_lstm", options);
  if (history.broken || prospect.broken) return;
  network.operators.back().synchronises = true;  // the reference waits for the device here
  const Tensor features = builder.concat({before, after}, "features", 0);
  Tensor x = tft.skip_norm(builder.concat({history, prospect}, "sequence", 0), features, "input");
  const Tensor kept = builder.slice(x, {future, hidden});
  x = tft.grn(x, "enrich", hidden, &contexts[1], true);
  const Tensor enriched = builder.slice(x, {future, hidden});
  Attention core;
  core.heads = core.kv_heads = heads;
  core.qk_dim = core.v_dim = hidden / heads;
  core.queries = core.keys = steps;
  core.causal = core.mask = true;
  core.dropout = false;
  Tensor y = builder.attention({builder.linear(x, "qkv", 2 * hidden + hidden / heads, false)}, "core", core);
  y = builder.copy(y, "mean_of_heads", {steps, hidden / heads});
  y = builder.dropout(builder.linear(y, "attention_output", hidden, false));
  y = tft.skip_norm(builder.slice(y, {future, hidden}), enriched, "attention");
  y = tft.skip_norm(tft.grn(y, "position_wise", hidden, nullptr, true), kept, "decoder");
  builder.loss({builder.linear(y, "quantiles", quantiles)});
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(steps * (variables + 3));
  network.optimizer = "adam";
}

}  // namespace

Family fusion_transformer_family() {
  return {"temporal-fusion-transformer",
          {{"hidden", true, "width"},
           {"heads", false, "attention heads"},
           {"steps", false, "time steps of a sample"},
           {"past", false, "of them seen"},
           {"known", false, "variables known ahead"},
           {"observed", false, "variables seen only in the past"},
           {"series", false, "time series told apart"},
           {"quantiles", false, "forecast"}},
          build};
}

}  // namespace rigcast::workload
