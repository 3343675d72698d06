#include "workload/transformer.h"

namespace rigcast::workload {

Tensor attention_block(NetworkBuilder& builder, const Tensor& x, const Tensor* memory,
                       const AttentionBlock& options) {
  if (x.broken || (memory && memory->broken)) return x.broken ? x : *memory;
  const std::int64_t tokens = x.shape[0], width = x.shape[1];
  const std::int64_t query_width = options.heads * options.head_dim,
                     key_width = options.kv_heads * options.head_dim;
  const Tensor& source = memory ? *memory : x;
  const std::int64_t keys = source.shape[0];
  Attention core;
  core.heads = options.heads;
  core.kv_heads = options.kv_heads;
  core.qk_dim = core.v_dim = options.head_dim;
  core.queries = tokens;
  core.keys = keys;
  core.causal = options.causal;
  core.window = options.window;
  core.dropout = options.dropout;
  core.mask = options.mask;
  Tensor query, key, value;
  if (options.fused_qkv && !memory) {
    const Tensor qkv = builder.linear(x, "qkv", query_width + 2 * key_width, options.qkv_bias);
    query = builder.slice(qkv, {tokens, query_width});
    key = value = builder.slice(qkv, {keys, key_width});
  } else {
    query = builder.linear(x, "query", query_width, options.qkv_bias);
    key = builder.linear(source, "key", key_width, options.qkv_bias);
    value = builder.linear(source, "value", key_width, options.qkv_bias);
  }
  if (options.qk_norm) {
    const double size = static_cast<double>(options.head_dim);
    query = builder.add_operator("query_norm", Normalisation{NormKind::kRms}, {query}, query.shape, size);
    key = builder.add_operator("key_norm", Normalisation{NormKind::kRms}, {key}, key.shape, size);
  }
  if (options.rotary) {
    query = builder.activation(query, Function::kRotary, "query_rotary");
    key = builder.activation(key, Function::kRotary, "key_rotary");
  }
  const Tensor mixed = builder.attention({query, key, value}, "core", core);
  if (options.sinks) builder.own(mixed, static_cast<double>(options.heads));
  return builder.linear(mixed, "output", width, options.out_bias);
}

Tensor feed_forward(NetworkBuilder& builder, const Tensor& x, const FeedForward& options) {
  if (x.broken) return x;
  const std::int64_t tokens = x.shape[0], width = x.shape[1];
  Tensor y;
  if (options.gated) {
    const Tensor both = builder.linear(x, "gate_up", 2 * options.width, options.bias);
    const Tensor half = builder.slice(both, {tokens, options.width});
    y = builder.multiply({builder.activation(half, options.function), half}, "gate");
  } else {
    y = builder.activation(builder.linear(x, "up", options.width, options.bias), options.function);
  }
  if (options.inner_dropout) y = builder.dropout(y, "inner_dropout");
  return builder.linear(y, "down", width, options.bias);
}

Tensor residual(NetworkBuilder& builder, const Tensor& x, const Tensor& branch, bool dropout,
                std::string_view norm, NormKind kind) {
  const Tensor sum = builder.add({dropout ? builder.dropout(branch) : branch, x});
  return norm.empty() ? sum : builder.norm(sum, norm, kind);
}

Tensor shared_embedding(NetworkBuilder& builder, const Tensor& indices, std::string_view name,
                        std::int64_t rows, std::int64_t width) {
  const Tensor table = builder.embedding(indices, name, rows, width);
  builder.own(table, -static_cast<double>(rows) * static_cast<double>(width));
  return table;
}

}  // namespace rigcast::workload
