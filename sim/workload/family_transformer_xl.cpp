/// Transformer-XL (Dai et al. 2019, arXiv:1901.02860), as the reference trains it on WikiText-103. Each layer
/// attends to the current segment and a memory of the layer's earlier hidden states: queries, keys and values
/// are projected for memory and segment together, scores are a content and a position product plus a shift,
/// no biases in the projections. The vocabulary is split at `cutoffs`; cluster i has embedding width hidden /
/// div_value^i, tied with the output. With div_value 1 there is one table and no projection. The adaptive
/// softmax scores the head for every token and a tail only for the tokens that fall into it; without it every
/// token is scored against the whole vocabulary.

#include <algorithm>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

/// Share of a text's running words in the clusters of cutoffs 19997, 39997, 199997 (vocabulary sorted by
/// frequency): a judgement from the usual coverage of English encyclopedic text by its 20, 40 and 200
/// thousand commonest words.
constexpr double kClusterShare[] = {0.92, 0.04, 0.03, 0.01};

struct Cluster {
  std::int64_t rows, width;
  double share;
};

std::vector<Cluster> clusters(const DimensionReader& read, std::int64_t vocab, std::int64_t hidden) {
  const std::int64_t divisor = read.integer("div_value", 1);
  if (!read.flag("adaptive_softmax", true)) return {{vocab, hidden, 1}};
  const std::vector<std::int64_t> cutoffs = read.integers("cutoffs", {19997, 39997, 199997});
  std::vector<Cluster> list;
  std::int64_t begin = 0, width = hidden;
  for (std::size_t i = 0; i <= cutoffs.size(); ++i) {
    const std::int64_t end = i < cutoffs.size() ? cutoffs[i] : vocab;
    if (end <= begin) {
      read.error("cutoffs",
                 "\"cutoffs\" must rise and stay below the vocabulary of " + std::to_string(vocab));
      return list;
    }
    if (width < 1) {
      read.error("div_value", "\"div_value\" leaves the last cluster without width");
      return list;
    }
    list.push_back({end - begin, width, i < 4 ? kClusterShare[i] : 0.01});
    begin = end;
    width /= divisor;
  }
  return list;
}

Tensor embed(NetworkBuilder& builder, const Tensor& tokens, const std::vector<Cluster>& parts,
             std::int64_t hidden, bool split) {
  NetworkBuilder::Scope scope(builder, "embedding");
  const std::int64_t seq = tokens.shape[0];
  if (!split) {
    std::int64_t rows = 0;
    for (const Cluster& part : parts) rows += part.rows;
    return builder.activation(builder.embedding(tokens, "word", rows, hidden), Function::kOther, "scale");
  }
  std::vector<Tensor> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string number = std::to_string(i);
    const auto found =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(parts[i].share * static_cast<double>(seq) + 0.5));
    const Tensor rows =
        builder.embedding(builder.slice(tokens, {found}), "word" + number, parts[i].rows, parts[i].width);
    pieces.push_back(builder.linear(rows, "projection" + number, hidden, false));
  }
  return builder.add_operator("scatter", Copy{}, pieces, {seq, hidden});
}

void decoder_layer(NetworkBuilder& builder, Tensor& x, std::int64_t memory, std::int64_t heads,
                   std::int64_t head_dim, std::int64_t ffn, bool dropout) {
  const std::int64_t seq = x.shape[0], hidden = x.shape[1], keys = seq + memory, width = heads * head_dim;
  Attention core;
  core.heads = core.kv_heads = heads;
  core.qk_dim = core.v_dim = head_dim;
  core.queries = seq;
  core.keys = keys;
  core.causal = core.relative_position = core.mask = true;
  core.dropout = dropout;
  const Tensor joined = builder.copy(x, "memory", {keys, hidden});
  const Tensor qkv = builder.linear(joined, "qkv", 3 * width, false);
  // Positions are projected once for the whole batch; a rank's share of the reference batch is 32.
  const Tensor positions = builder.sample({std::max<std::int64_t>(1, keys / 32), hidden});
  const Tensor r = builder.linear(positions, "position", width, false);
  const Tensor query = builder.slice(qkv, {seq, width}), key = builder.slice(qkv, {keys, width});
  const Tensor content = builder.activation(query, Function::kOther, "content_bias");
  const Tensor relative = builder.activation(query, Function::kOther, "position_bias");
  const Tensor mixed = builder.attention({content, relative, key, key, r}, "core", core);
  x = residual(builder, x, builder.linear(mixed, "output", hidden, false), true, "attention_norm");
  x = residual(builder, x, feed_forward(builder, x, {ffn, Function::kRelu, false, true, true}), true,
               "output_norm");
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t seq = read.seq_len(192);
  const std::int64_t layers = read.required("layers"), hidden = read.required("hidden"),
                     heads = read.required("heads");
  const std::int64_t head_dim = read.integer("head_dim", std::max<std::int64_t>(1, hidden / heads));
  const std::int64_t ffn = read.integer("ffn", 4 * hidden), vocab = read.integer("vocab", 267735);
  const std::int64_t memory = read.integer("memory", seq, 0);
  const bool dropout = read.flag("attention_dropout");
  if (read.integer("kv_heads", heads) != heads)
    read.error("kv_heads", "Transformer-XL's \"kv_heads\" must be its \"heads\"");
  if (layers > 10000) read.error("layers", "\"layers\" must be at most 10000");
  const std::vector<Cluster> parts = clusters(read, vocab, hidden);
  if (!read.ok()) return;
  const bool split = parts.back().width != hidden;
  const Tensor tokens = builder.sample({seq});
  Tensor x = builder.dropout(embed(builder, tokens, parts, hidden, split));
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, "layer." + std::to_string(i));
    decoder_layer(builder, x, memory, heads, head_dim, ffn, dropout);
  }
  // The two position biases are shared by all layers.
  builder.own(x, 2.0 * static_cast<double>(heads) * static_cast<double>(head_dim));
  x = builder.dropout(x);
  std::vector<Tensor> ends;
  NetworkBuilder::Scope scope(builder, "softmax");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string number = std::to_string(i);
    const bool head = i == 0;
    Tensor rows = x;
    if (!head) {
      const auto found = static_cast<std::int64_t>(parts[i].share * static_cast<double>(seq) + 0.5);
      rows = builder.copy(x, "select" + number, {std::max<std::int64_t>(1, found), hidden});
      network.operators.back().synchronises = true;  // how many tokens a cluster has decides the shapes
    }
    // Tail projections are tied with the embedding's; the head has its own.
    if (split) rows = builder.linear(rows, "projection" + number, parts[i].width, false, !head);
    const std::int64_t classes = parts[i].rows + (head ? static_cast<std::int64_t>(parts.size()) - 1 : 0);
    Tensor scores = builder.linear(rows, "scores" + number, classes, true, true);
    if (head) builder.own(scores, static_cast<double>((parts.size() - 1)) * static_cast<double>(hidden));
    ends.push_back(builder.softmax(scores, "log" + number));
  }
  builder.loss(ends);
  set_token_dataset(network, seq, 2);
  network.optimizer = "lamb";
}

}  // namespace

Family transformer_xl_family() {
  return {"transformer-xl",
          {{"layers", true, "decoder layers"},
           {"hidden", true, "width"},
           {"heads", true, "attention heads"},
           {"kv_heads", false, "as heads"},
           {"head_dim", false, "width of a head"},
           {"ffn", false, "inner width of the feed-forward layers"},
           {"vocab", false, "vocabulary"},
           {"memory", false, "earlier tokens each layer attends to"},
           {"cutoffs", false, "where the sorted vocabulary is split"},
           {"adaptive_softmax", false, "false: one table, every token scored against the whole vocabulary"},
           {"div_value", false, "how much narrower each cluster's embedding is"},
           {"attention_dropout", false, "dropout on the probabilities"}},
          build};
}

}  // namespace rigcast::workload
