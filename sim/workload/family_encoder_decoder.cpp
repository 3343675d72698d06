/// Encoder-decoder transformers: the original (Vaswani et al. 2017, arXiv:1706.03762: fixed positions, norm
/// after each sub-layer), BART (Lewis et al. 2019, arXiv:1910.13461: learned positions, normed embeddings)
/// and T5 (Raffel et al. 2019, arXiv:1910.10683: RMS norm before each sub-layer, no biases, one table of
/// relative position biases a stack). A sample is a pair of `seq_len` source and `tgt_seq` target tokens.

#include <algorithm>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

constexpr std::int64_t kRelativeBuckets = 32;

struct Dimensions {
  std::int64_t layers, decoder_layers, hidden, heads, head_dim, ffn, vocab, source, target, positions;
  Function function;
  bool gated, before, bias, embedding_norm, tied;
  NormKind norm;
  std::string position;
};

class Stack {
 public:
  Stack(NetworkBuilder& builder, const Dimensions& dimensions) : builder_(builder), d_(dimensions) {}

  Tensor embed(const Tensor& tokens, bool owner) {
    NetworkBuilder::Scope scope(builder_, "embeddings");
    Tensor x = owner ? builder_.embedding(tokens, "word", d_.vocab, d_.hidden)
                     : shared_embedding(builder_, tokens, "word", d_.vocab, d_.hidden);
    if (d_.position == "learned") {
      x = builder_.add(
          {x, builder_.embedding(tokens, "position", std::max(d_.positions, tokens.shape[0]), d_.hidden)});
    } else if (d_.position == "sinusoidal") {
      x = builder_.activation(x, Function::kOther, "position");
    }
    if (d_.embedding_norm) x = builder_.norm(x, "norm", d_.norm);
    return builder_.dropout(x);
  }

  /// Self-attention, attention to `memory` if there is one, feed-forward.
  Tensor layer(Tensor x, const Tensor* memory, bool first) {
    x = sub_layer(x, "self", [&](const Tensor& in) { return attend(in, nullptr, memory != nullptr, first); });
    if (memory) x = sub_layer(x, "cross", [&](const Tensor& in) { return attend(in, memory, false, false); });
    return sub_layer(x, "mlp", [&](const Tensor& in) {
      return feed_forward(builder_, in, {d_.ffn, d_.function, d_.gated, d_.bias, true});
    });
  }

  Tensor finish(const Tensor& x) {
    return d_.before ? builder_.dropout(builder_.norm(x, "norm", d_.norm)) : x;
  }

 private:
  template <class Function>
  Tensor sub_layer(const Tensor& x, std::string_view name, Function&& function) {
    NetworkBuilder::Scope scope(builder_, name);
    if (d_.before) return residual(builder_, x, function(builder_.norm(x, "norm", d_.norm)), true, "");
    return residual(builder_, x, function(x), true, "norm", d_.norm);
  }

  Tensor attend(const Tensor& x, const Tensor* memory, bool causal, bool owns_positions) {
    AttentionBlock block;
    block.heads = block.kv_heads = d_.heads;
    block.head_dim = d_.head_dim;
    block.qkv_bias = block.out_bias = d_.bias;
    block.causal = causal;
    block.mask = true;
    const Tensor y = attention_block(builder_, x, memory, block);
    if (owns_positions && d_.position == "relative") {
      builder_.own(y, static_cast<double>(kRelativeBuckets * d_.heads));
    }
    return y;
  }

  NetworkBuilder& builder_;
  const Dimensions& d_;
};

Dimensions read_dimensions(const DimensionReader& read) {
  Dimensions d{};
  d.layers = read.required("layers");
  d.decoder_layers = read.integer("decoder_layers", d.layers);
  d.hidden = read.required("hidden");
  d.heads = read.required("heads");
  d.head_dim = read.integer("head_dim", std::max<std::int64_t>(1, d.hidden / d.heads));
  d.ffn = read.integer("ffn", 4 * d.hidden);
  d.vocab = read.integer("vocab", 32128);
  d.source = read.seq_len(128);
  d.target = read.integer("tgt_seq", d.source);
  d.positions = read.integer("positions", std::max(d.source, d.target));
  d.function = read.text("function", {"gelu", "relu"}) == "relu" ? Function::kRelu : Function::kGelu;
  d.gated = read.flag("gated_mlp");
  d.norm = read.text("norm", {"layer", "rms"}) == "rms" ? NormKind::kRms : NormKind::kLayer;
  d.before = read.flag("norm_first", d.norm == NormKind::kRms);
  d.bias = read.flag("bias", d.norm == NormKind::kLayer);
  d.embedding_norm = read.flag("embedding_norm");
  d.tied = read.flag("tied_embeddings", true);
  d.position = read.text("position", {"sinusoidal", "learned", "relative"});
  if (read.integer("kv_heads", d.heads) != d.heads)
    read.error("kv_heads", "\"kv_heads\" must be \"heads\" here");
  if (d.layers > 10000 || d.decoder_layers > 10000) read.error("layers", "\"layers\" must be at most 10000");
  return d;
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const Dimensions d = read_dimensions(read);
  if (!read.ok()) return;
  Stack stack(builder, d);
  Tensor memory;
  {
    NetworkBuilder::Scope scope(builder, "encoder");
    memory = stack.embed(builder.sample({d.source}), true);
    for (std::int64_t i = 0; i < d.layers; ++i) {
      NetworkBuilder::Scope inner(builder, "layer." + std::to_string(i));
      memory = stack.layer(memory, nullptr, i == 0);
    }
    memory = stack.finish(memory);
  }
  Tensor x;
  {
    NetworkBuilder::Scope scope(builder, "decoder");
    x = stack.embed(builder.sample({d.target}), false);
    for (std::int64_t i = 0; i < d.decoder_layers; ++i) {
      NetworkBuilder::Scope inner(builder, "layer." + std::to_string(i));
      x = stack.layer(x, &memory, i == 0);
    }
    x = stack.finish(x);
  }
  builder.loss({builder.linear(x, "head", d.vocab, false, d.tied)});
  set_token_dataset(network, d.source, 3);
  network.dataset.decoded_bytes += 16.0 * static_cast<double>(d.target);
  network.optimizer = "adam";
}

}  // namespace

Family encoder_decoder_family() {
  return {"encoder-decoder",
          {{"layers", true, "encoder layers"},
           {"hidden", true, "width"},
           {"heads", true, "attention heads"},
           {"decoder_layers", false, "as layers"},
           {"kv_heads", false, "as heads"},
           {"head_dim", false, "width of a head"},
           {"ffn", false, "inner width of the feed-forward layers"},
           {"vocab", false, "joint vocabulary"},
           {"tgt_seq", false, "target tokens; the source has the plan's seq_len"},
           {"position", false, "sinusoidal, learned or relative"},
           {"positions", false, "rows of the learned position tables"},
           {"norm", false, "layer or rms"},
           {"norm_first", false, "norm before each sub-layer"},
           {"bias", false, "biases of the products"},
           {"embedding_norm", false, "norm after the embedding"},
           {"function", false, "gelu or relu"},
           {"gated_mlp", false, "gated feed-forward layers"},
           {"tied_embeddings", false, "the head's weight is the embedding"}},
          build};
}

}  // namespace rigcast::workload
