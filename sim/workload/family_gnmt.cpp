/// GNMT v2 (Wu et al. 2016, arXiv:1609.08144, in the form of the MLPerf and NVIDIA references): an encoder of
/// LSTM layers, the first in both directions, a decoder whose first layer's output asks the encoder
/// (normalised additive attention) and whose further layers read their input beside the context. No layer's
/// recurrence passes through the attention, so every LSTM layer is one library call. From the third layer on,
/// inputs are added to outputs.

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

/// A batch is padded to its longest sentence: a fifth beyond the mean, though sentences of like length are
/// gathered (buckets of 15 tokens up to 75).
std::int64_t padded(std::int64_t tokens) { return (6 * tokens + 4) / 5; }

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.required("layers"), hidden = read.required("hidden");
  const std::int64_t decoder_layers = read.integer("decoder_layers", layers),
                     vocab = read.integer("vocab", 32320);
  const std::int64_t source_tokens = read.seq_len(28), target_tokens = read.integer("tgt_seq", source_tokens);
  const std::int64_t source = padded(source_tokens), target = padded(target_tokens);
  const std::string cell = read.text("cell", {"LSTM", "lstm", "GRU", "gru"});
  read.integer("max_len", 75);
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
  x = builder.recurrent(builder.dropout(x), "decoder.0.lstm", options);
  const Tensor context = additive_attention(builder, x, memory, hidden);
  for (std::int64_t i = 1; i < decoder_layers; ++i) {
    NetworkBuilder::Scope scope(builder, "decoder." + std::to_string(i));
    const Tensor y = builder.recurrent(builder.concat({builder.dropout(x), context}), "lstm", options);
    x = i >= 2 ? builder.add({y, x}) : y;
  }
  builder.loss({builder.linear(x, "classifier", vocab)});
  set_token_dataset(network, source_tokens + target_tokens, 1, "sentence-pair");
  network.optimizer = "adam";
  network.notes.push_back(
      "tokens count source and target; lengths are means, the references bucket up to 75");
}

}  // namespace

Family gnmt_family() {
  return {"gnmt",
          {{"layers", true, "encoder layers"},
           {"hidden", true, "width"},
           {"vocab", false, "joint vocabulary"},
           {"decoder_layers", false, "as layers"},
           {"tgt_seq", false, "target tokens; the source has the plan's seq_len"},
           {"cell", false, "LSTM or GRU"},
           {"max_len", false, "longest sentence kept; means are shorter"}},
          build};
}

}  // namespace rigcast::workload
