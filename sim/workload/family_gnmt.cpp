/// GNMT v2 (Wu et al. 2016, arXiv:1609.08144, in the form of the MLPerf and NVIDIA references): an encoder of
/// LSTM layers, the first in both directions, a decoder whose first layer's output asks the encoder
/// (normalised additive attention) and whose further layers read their input beside the context. No layer's
/// recurrence passes through the attention, so every LSTM layer is one library call, unless the decoder is
/// written as a loop over the target's tokens. From the third layer on, inputs are added to outputs.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

/// Scores tanh(query + key) . v for every pair, softmax, weighted sum of the keys' inputs.
Tensor additive_attention(NetworkBuilder& builder, const Tensor& query, const Tensor& memory,
                          std::int64_t hidden) {
  NetworkBuilder::Scope scope(builder, "attention");
  const std::int64_t queries = query.shape[0], keys = memory.shape[0];
  const Tensor q = builder.linear(query, "query", hidden, false),
               k = builder.linear(memory, "key", hidden, false);
  Tensor pairs = builder.add_operator("sum", Elementwise{}, {q, k}, {queries * keys, hidden},
                                      static_cast<double>(hidden));
  pairs = builder.activation(pairs, Function::kTanh);
  Tensor scores = builder.reshape(builder.linear(pairs, "score", 1, false), {queries, keys});
  scores = builder.softmax(scores);
  return builder.matmul({scores, memory}, "context", {1, queries, memory.shape[1], keys},
                        {queries, memory.shape[1]});
}

constexpr std::int64_t kBuckets = 5;

/// Batches are gathered from five buckets, by the longer sentence of a pair, and padded to the bucket's end:
/// half a bucket beyond the longer sentence, three quarters beyond the mean of both. (With buckets of ten,
/// 48.9 tokens a pair take 1.32 times that: the logs of lambdal/deeplearning-benchmark.)
std::int64_t padded(std::int64_t tokens, std::int64_t longest) {
  return tokens + (3 * longest / kBuckets + 2) / 4;
}

/// The longest sentences of training data that publishers keep have 50 tokens, 75 in MLPerf; the means
/// follow.
std::int64_t mean_tokens(std::int64_t longest) { return longest > 50 ? 27 : 25; }

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.required("layers"), hidden = read.required("hidden");
  const std::int64_t decoder_layers = read.integer("decoder_layers", layers),
                     vocab = read.integer("vocab", 32320);
  const std::int64_t longest = read.integer("max_len", 50);
  const std::int64_t source_tokens = read.seq_len(mean_tokens(longest)),
                     target_tokens = read.integer("tgt_seq", source_tokens);
  const std::int64_t source = padded(source_tokens, longest), target = padded(target_tokens, longest);
  const std::string cell = read.text("cell", {"LSTM", "lstm", "GRU", "gru"});
  const bool stepwise = read.flag("stepwise_decoder");
  if (layers > 1000 || decoder_layers > 1000) read.error("layers", "\"layers\" must be at most 1000");
  if (!read.ok()) return;
  RecurrentOptions options;
  options.cell = cell == "GRU" || cell == "gru" ? Cell::kGru : Cell::kLstm;
  options.hidden = hidden;
  const double table = static_cast<double>(vocab) * static_cast<double>(hidden);

  Tensor x = builder.dropout(builder.embedding(builder.sample({source}), "encoder.embedding", vocab, hidden));
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, "encoder." + std::to_string(i));
    options.directions = i == 0 ? 2 : 1;
    const Tensor y = builder.recurrent(x, "lstm", options);
    x = builder.dropout(i >= 2 ? builder.add({y, x}) : y);
  }
  const Tensor memory = x;
  options.directions = 1;
  x = builder.embedding(builder.sample({target}), "decoder.embedding", vocab, hidden);
  builder.own(x, -table);  // shared with the encoder's
  const Tensor looked_up = x;
  if (stepwise) {
    options.fused = false;
    builder.set_repeat(static_cast<double>(target));
    x = builder.slice(x, {1, hidden});
  }
  x = builder.recurrent(builder.dropout(x), "decoder.0.lstm", options);
  const Tensor context = additive_attention(builder, x, memory, hidden);
  for (std::int64_t i = 1; i < decoder_layers; ++i) {
    NetworkBuilder::Scope scope(builder, "decoder." + std::to_string(i));
    const Tensor y = builder.recurrent(builder.concat({builder.dropout(x), context}), "lstm", options);
    x = i >= 2 ? builder.add({y, x}) : y;
  }
  if (stepwise) {
    builder.set_repeat(1);
    x = builder.add_operator("decoder.collect", Copy{}, {x}, looked_up.shape);
  }
  builder.loss({builder.linear(x, "classifier", vocab)});
  set_token_dataset(network, source_tokens + target_tokens, 1, "sentence-pair");
  network.optimizer = "adam";
  network.notes.push_back(
      "tokens count source and target; lengths are means, batches are padded to the ends of buckets");
}

}  // namespace

Family gnmt_family() {
  return {"gnmt",
          {{"layers", true, "encoder layers"},
           {"hidden", true, "width"},
           {"vocab", false, "joint vocabulary"},
           {"decoder_layers", false, "as layers"},
           {"tgt_seq", false, "target tokens; the source has the plan's seq_len"},
           {"stepwise_decoder", false, "true: the decoder is a loop over the target's tokens"},
           {"cell", false, "LSTM or GRU"},
           {"max_len", false, "longest sentence kept; means are shorter"}},
          build};
}

}  // namespace rigcast::workload
