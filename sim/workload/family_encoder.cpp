/// Bidirectional encoders: BERT (Devlin et al. 2018, arXiv:1810.04805) and ELECTRA (Clark et al. 2020,
/// arXiv:2003.10555). Heads: "pretraining" predicts the masked positions only (gathered first; 15 % of the
/// tokens, at most `masked`: 20 of 128, 80 of 512 in the reference) and the next sentence; "squad" marks
/// answer spans; "classification" uses the pooler; "none" ends at the pooler. Left out, 384 tokens mean squad
/// and everything else pretraining, the lengths at which these are run. ELECTRA trains a small masked-token
/// generator with shared word embeddings beside the discriminator.

#include <algorithm>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

struct Dimensions {
  std::int64_t layers, hidden, heads, ffn;
};

Tensor embed(NetworkBuilder& builder, const Tensor& tokens, const Dimensions& size, std::int64_t vocab,
             std::int64_t width, std::int64_t positions, bool shared) {
  NetworkBuilder::Scope scope(builder, "embeddings");
  const auto lookup = [&](std::string_view name, std::int64_t rows) {
    return shared ? shared_embedding(builder, tokens, name, rows, width)
                  : builder.embedding(tokens, name, rows, width);
  };
  const Tensor word = lookup("word", vocab), position = lookup("position", positions),
               type = lookup("token_type", 2);
  Tensor x = builder.add({builder.add({word, position}), type});
  x = builder.dropout(builder.norm(x, "norm", NormKind::kLayer));
  return width == size.hidden ? x : builder.linear(x, "project", size.hidden);
}

Tensor encode(NetworkBuilder& builder, Tensor x, const Dimensions& size, std::int64_t head_dim) {
  for (std::int64_t i = 0; i < size.layers; ++i) {
    NetworkBuilder::Scope scope(builder, "layer." + std::to_string(i));
    AttentionBlock attention;
    attention.heads = attention.kv_heads = size.heads;
    attention.head_dim = head_dim;
    attention.mask = true;
    x = residual(builder, x, attention_block(builder, x, nullptr, attention), true, "attention_norm");
    x = residual(builder, x, feed_forward(builder, x, {size.ffn}), true, "output_norm");
  }
  return x;
}

/// Vocabulary scores at the masked positions, with the word embeddings as weights.
Tensor masked_head(NetworkBuilder& builder, const Tensor& x, std::int64_t masked, std::int64_t width,
                   std::int64_t vocab) {
  NetworkBuilder::Scope scope(builder, "mlm");
  Tensor y = builder.copy(x, "gather", {masked, x.shape[1]});
  y = builder.activation(builder.linear(y, "transform", width), Function::kGelu);
  y = builder.norm(y, "norm", NormKind::kLayer);
  return builder.linear(y, "decoder", vocab, true, true);
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t seq = read.seq_len(128);
  Dimensions size{read.required("layers"), read.required("hidden"), read.required("heads"), 0};
  size.ffn = read.integer("ffn", 4 * size.hidden);
  const std::int64_t head_dim = read.integer("head_dim", std::max<std::int64_t>(1, size.hidden / size.heads));
  const std::int64_t vocab = read.integer("vocab", 30522);
  const std::int64_t positions = read.integer("positions", std::max<std::int64_t>(512, seq));
  const std::int64_t masked = read.integer("masked", std::max<std::int64_t>(1, seq * 5 / 32));
  std::string head = read.text("head", {"auto", "pretraining", "squad", "classification", "none"});
  if (head == "auto") head = seq == 384 ? "squad" : "pretraining";
  const std::int64_t kv_heads = read.integer("kv_heads", size.heads);
  if (kv_heads != size.heads) read.error("kv_heads", "an encoder's \"kv_heads\" must be its \"heads\"");
  const bool electra = read.has("generator.layers");
  Dimensions generator{read.integer("generator.layers", 1), read.integer("generator.hidden", 1),
                       read.integer("generator.heads", 1), 0};
  generator.ffn = read.integer("generator.ffn", 4 * generator.hidden);
  if (size.layers > 10000 || generator.layers > 10000)
    read.error("layers", "\"layers\" must be at most 10000");
  if (masked > seq) read.error("masked", "\"masked\" exceeds the sequence");
  if (!read.ok()) return;

  const Tensor tokens = builder.sample({seq});
  std::vector<Tensor> ends;
  const bool two = electra && head == "pretraining";
  if (two) {
    NetworkBuilder::Scope scope(builder, "generator");
    Tensor x = embed(builder, tokens, generator, vocab, size.hidden, positions, false);
    x = encode(builder, x, generator, generator.hidden / generator.heads);
    ends.push_back(masked_head(builder, x, masked, size.hidden, vocab));
    // The sampled tokens that replace the masked ones.
    builder.softmax(ends.back(), "sample");
  }
  Tensor x = embed(builder, tokens, size, vocab, size.hidden, positions, two);
  x = encode(builder, x, size, head_dim);
  if (electra && head == "pretraining") {
    NetworkBuilder::Scope scope(builder, "discriminator");
    Tensor y = builder.activation(builder.linear(x, "dense", size.hidden), Function::kGelu);
    ends.push_back(builder.linear(y, "prediction", 1));
  } else if (head == "squad") {
    ends.push_back(builder.linear(x, "span", 2));
  } else {
    if (head == "pretraining") ends.push_back(masked_head(builder, x, masked, size.hidden, vocab));
    const Tensor first = builder.slice(x, {1, size.hidden});
    Tensor pooled = builder.activation(builder.linear(first, "pooler", size.hidden), Function::kTanh);
    if (head == "classification") pooled = builder.dropout(pooled);
    if (head == "pretraining" || head == "classification") pooled = builder.linear(pooled, "classifier", 2);
    ends.push_back(pooled);
  }
  builder.loss(ends);
  set_token_dataset(network, seq, 4);
  network.optimizer = head == "pretraining" ? "lamb" : "adam";
  network.notes.push_back(
      "head: " + head +
      (head == "pretraining" ? ", " + std::to_string(masked) + " masked positions" : std::string{}));
}

}  // namespace

Family encoder_family() {
  return {"encoder",
          {{"layers", true, "encoder layers"},
           {"hidden", true, "width"},
           {"heads", true, "attention heads"},
           {"kv_heads", false, "as heads"},
           {"head_dim", false, "width of a head"},
           {"ffn", false, "inner width of the feed-forward layers"},
           {"vocab", false, "vocabulary"},
           {"positions", false, "rows of the position table"},
           {"head", false, "auto, pretraining, squad, classification or none"},
           {"masked", false, "positions the masked head predicts"},
           {"generator.layers", false, "ELECTRA's generator"},
           {"generator.hidden", false, "ELECTRA's generator"},
           {"generator.heads", false, "ELECTRA's generator"},
           {"generator.ffn", false, "ELECTRA's generator"}},
          build};
}

}  // namespace rigcast::workload
