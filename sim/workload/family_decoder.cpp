/// Causal language models: GPT (learned positions, layer norm, GELU, biases), Llama (rotary positions, RMS
/// norm, gated SiLU, no biases), mixtures of experts with shared experts and leading dense layers, and
/// multi-head latent attention (DeepSeek-V2, arXiv:2405.04434: keys and values from a narrow latent vector, a
/// rotary part shared by all heads). Experts are grouped products; routing is taken as balanced: each expert
/// gets tokens x topk / experts rows.

#include <algorithm>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

struct Dimensions {
  std::int64_t seq, layers, hidden, heads, kv_heads, head_dim, ffn, vocab, positions;
  bool gated, bias, qkv_bias, qk_norm, parallel, tied, dropout, embedding_norm, sinks, router_bias;
  NormKind norm;
  std::string position;
  std::int64_t window, window_every, window_phase;
  std::int64_t experts, topk, moe_ffn, shared_experts, dense_layers;
  bool latent;
  std::int64_t q_lora, kv_lora, nope, rope, v_head;
};

Tensor latent_attention(NetworkBuilder& builder, const Tensor& x, const Dimensions& d) {
  const std::int64_t qk = d.nope + d.rope;
  Tensor query = x;
  if (d.q_lora > 0) {
    query = builder.linear(x, "query_down", d.q_lora, false);
    query = builder.norm(query, "query_norm", NormKind::kRms);
  }
  query = builder.linear(query, "query_up", d.heads * qk, false);
  const Tensor down = builder.linear(x, "kv_down", d.kv_lora + d.rope, false);
  const Tensor latent = builder.norm(builder.slice(down, {d.seq, d.kv_lora}), "kv_norm", NormKind::kRms);
  const Tensor up = builder.linear(latent, "kv_up", d.heads * (d.nope + d.v_head), false);
  const Tensor query_rotary =
      builder.activation(builder.slice(query, {d.seq, d.heads * d.rope}), Function::kRotary, "query_rotary");
  const Tensor key_rotary =
      builder.activation(builder.slice(down, {d.seq, d.rope}), Function::kRotary, "key_rotary");
  const Tensor key =
      builder.add_operator("key_join", Concat{}, {builder.slice(up, {d.seq, d.heads * d.nope}), key_rotary},
                           {d.seq, d.heads * qk});
  const Tensor joined_query =
      builder.add_operator("query_join", Concat{}, {query, query_rotary}, {d.seq, d.heads * qk});
  Attention core;
  core.heads = core.kv_heads = d.heads;
  core.qk_dim = qk;
  core.v_dim = d.v_head;
  core.queries = core.keys = d.seq;
  core.causal = true;
  core.dropout = false;
  const Tensor value = builder.slice(up, {d.seq, d.heads * d.v_head});
  return builder.linear(builder.attention({joined_query, key, value}, "core", core), "output", d.hidden,
                        false);
}

Tensor grouped_linear(NetworkBuilder& builder, const Tensor& x, std::string_view name, std::int64_t out,
                      const Dimensions& d) {
  Linear linear;
  linear.rows = x.shape[0];
  linear.in = x.shape[1];
  linear.out = out;
  linear.experts = d.experts;
  const double inputs = static_cast<double>(linear.in) + (d.bias ? 1 : 0);
  const double weights = static_cast<double>(d.experts) * inputs * static_cast<double>(out);
  return builder.add_operator(name, linear, {x}, {x.shape[0], out}, weights);
}

Tensor mixture(NetworkBuilder& builder, const Tensor& x, const Dimensions& d) {
  NetworkBuilder::Scope scope(builder, "moe");
  const std::int64_t rows = d.seq * d.topk;
  const Tensor router = builder.softmax(builder.linear(x, "router", d.experts, d.router_bias), "route");
  Tensor y = builder.add_operator("dispatch", Copy{}, {x, router}, {rows, d.hidden});
  if (y.broken) return y;
  const Function function = d.gated ? Function::kSilu : Function::kGelu;
  if (d.gated) {
    const Tensor half =
        builder.slice(grouped_linear(builder, y, "gate_up", 2 * d.moe_ffn, d), {rows, d.moe_ffn});
    y = builder.multiply({builder.activation(half, function), half}, "gate");
  } else {
    y = builder.activation(grouped_linear(builder, y, "up", d.moe_ffn, d), function);
  }
  y = grouped_linear(builder, y, "down", d.hidden, d);
  y = builder.add_operator("combine", Copy{}, {y, router}, {d.seq, d.hidden});
  if (d.shared_experts > 0) {
    NetworkBuilder::Scope inner(builder, "shared");
    y = builder.add({y, feed_forward(builder, x, {d.shared_experts * d.moe_ffn, function, d.gated, d.bias})});
  }
  return y;
}

Tensor layer(NetworkBuilder& builder, Tensor x, const Dimensions& d, std::int64_t index) {
  const auto attend = [&](const Tensor& in) {
    NetworkBuilder::Scope scope(builder, "attention");
    if (d.latent) return latent_attention(builder, in, d);
    AttentionBlock block;
    block.heads = d.heads;
    block.kv_heads = d.kv_heads;
    block.head_dim = d.head_dim;
    block.fused_qkv = block.causal = true;
    block.qkv_bias = d.bias || d.qkv_bias;
    block.out_bias = d.bias;
    block.rotary = d.position == "rope";
    block.mask = d.position == "alibi";
    block.qk_norm = d.qk_norm;
    block.dropout = d.dropout;
    block.sinks = d.sinks;
    if (d.window > 0 && index % d.window_every == d.window_phase) block.window = d.window;
    return attention_block(builder, in, nullptr, block);
  };
  const auto transform = [&](const Tensor& in) {
    if (d.experts > 0 && index >= d.dense_layers) return mixture(builder, in, d);
    NetworkBuilder::Scope scope(builder, "mlp");
    return feed_forward(builder, in, {d.ffn, d.gated ? Function::kSilu : Function::kGelu, d.gated, d.bias});
  };
  if (d.parallel) {
    const Tensor normed = builder.norm(x, "norm", d.norm);
    const Tensor attended = attend(normed), transformed = transform(normed);
    return builder.add({builder.add({attended, transformed}), x});
  }
  x = residual(builder, x, attend(builder.norm(x, "attention_norm", d.norm)), d.dropout, "");
  return residual(builder, x, transform(builder.norm(x, "mlp_norm", d.norm)), d.dropout, "");
}

Dimensions read_dimensions(const DimensionReader& read) {
  Dimensions d{};
  d.seq = read.seq_len(1024);
  d.layers = read.required("layers");
  d.hidden = read.required("hidden");
  d.heads = read.required("heads");
  d.kv_heads = read.integer("kv_heads", d.heads);
  d.head_dim = read.integer("head_dim", std::max<std::int64_t>(1, d.hidden / d.heads));
  d.gated = read.flag("gated_mlp");
  d.ffn = read.integer("ffn", 4 * d.hidden);
  d.vocab = read.integer("vocab", 50257);
  d.norm = read.text("norm", {"layer", "rms"}) == "rms" ? NormKind::kRms : NormKind::kLayer;
  d.position = read.text("position", {"learned", "rope", "alibi", "none"});
  d.positions = read.integer("positions", d.seq);
  d.bias = read.flag("bias", d.norm == NormKind::kLayer);
  d.qkv_bias = read.flag("qkv_bias");
  d.qk_norm = read.flag("qk_norm");
  d.dropout = read.flag("dropout", d.norm == NormKind::kLayer && d.position == "learned");
  d.embedding_norm = read.flag("embedding_norm");
  d.sinks = read.flag("attention_sinks");
  d.router_bias = read.flag("router_bias", d.bias);
  d.parallel = read.flag("parallel_blocks");
  d.tied = read.flag("tied_embeddings");
  d.window = read.integer("sliding_window", 0, 0);
  d.window_every = read.integer("sliding_every", 1);
  d.window_phase = 0;
  d.experts = read.integer("experts", 0, 0);
  d.topk = read.integer("topk", 2);
  d.moe_ffn = read.integer("moe_ffn", d.ffn);
  d.shared_experts = read.integer("shared_experts", 0, 0);
  d.dense_layers = read.integer("dense_layers", 0, 0);
  d.latent = read.text("attention", {"heads", "mla"}) == "mla";
  d.q_lora = read.integer("q_lora", 0, 0);
  d.kv_lora = read.integer("kv_lora", 512);
  d.nope = read.integer("qk_nope_dim", 128);
  d.rope = read.integer("qk_rope_dim", 64);
  d.v_head = read.integer("v_head_dim", 128);
  if (d.heads % d.kv_heads != 0) {
    read.error("kv_heads", std::to_string(d.kv_heads) + " \"kv_heads\" do not divide " +
                               std::to_string(d.heads) + " \"heads\"");
  }
  if (d.layers > 10000) read.error("layers", "\"layers\" must be at most 10000");
  if (d.experts > 0 && d.topk > d.experts) read.error("topk", "\"topk\" exceeds \"experts\"");
  return d;
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const Dimensions d = read_dimensions(read);
  if (!read.ok()) return;
  const Tensor tokens = builder.sample({d.seq});
  Tensor x = builder.embedding(tokens, "embedding", d.vocab, d.hidden);
  if (d.position == "learned") {
    x = builder.add({x, builder.embedding(tokens, "position", std::max(d.positions, d.seq), d.hidden)});
  }
  if (d.embedding_norm) x = builder.norm(x, "embedding_norm", d.norm);
  if (d.dropout) x = builder.dropout(x);
  for (std::int64_t i = 0; i < d.layers; ++i) {
    NetworkBuilder::Scope scope(builder, "layer." + std::to_string(i));
    x = layer(builder, x, d, i);
  }
  x = builder.norm(x, "norm", d.norm);
  builder.loss({builder.linear(x, "head", d.vocab, read.flag("head_bias"), d.tied)});
  set_token_dataset(network, d.seq, 2);
  network.optimizer = "adam";
  if (d.experts > 0) network.notes.push_back("experts are taken as evenly loaded");
}

}  // namespace

Family decoder_family() {
  return {"decoder",
          {{"layers", true, "decoder layers"},
           {"hidden", true, "width"},
           {"heads", true, "attention heads"},
           {"kv_heads", false, "heads of keys and values (grouped-query attention)"},
           {"head_dim", false, "width of a head"},
           {"ffn", false, "inner width of the feed-forward layers"},
           {"vocab", false, "vocabulary"},
           {"gated_mlp", false, "gated feed-forward layers"},
           {"norm", false, "layer or rms"},
           {"position", false, "learned, rope, alibi or none"},
           {"positions", false, "rows of the learned position table"},
           {"tied_embeddings", false, "the head's weight is the embedding"},
           {"parallel_blocks", false, "attention and feed-forward from the same norm"},
           {"bias", false, "biases of the products; with layer norm they are usual"},
           {"qkv_bias", false, "biases of queries, keys and values only"},
           {"head_bias", false, "bias of the vocabulary scores"},
           {"qk_norm", false, "norm of each head's queries and keys"},
           {"embedding_norm", false, "norm after the embedding"},
           {"dropout", false, "in training"},
           {"sliding_window", false, "keys a query sees"},
           {"sliding_every", false, "every n-th layer has the window"},
           {"attention_sinks", false, "one learned score a head in the softmax"},
           {"experts", false, "experts a layer"},
           {"router_bias", false, "bias of the scores that choose experts"},
           {"topk", false, "experts a token"},
           {"moe_ffn", false, "inner width of an expert"},
           {"shared_experts", false, "experts every token passes"},
           {"dense_layers", false, "leading layers without experts"},
           {"attention", false, "heads or mla (latent)"},
           {"q_lora", false, "latent width of queries; 0: none"},
           {"kv_lora", false, "latent width of keys and values"},
           {"qk_nope_dim", false, "head width without positions"},
           {"qk_rope_dim", false, "head width with rotary positions"},
           {"v_head_dim", false, "head width of values"}},
          build};
}

}  // namespace rigcast::workload
