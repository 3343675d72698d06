/// Speech recognition. RNN-T (Graves 2012, arXiv:1211.3711, in the form of the MLPerf training reference): an
/// LSTM encoder that joins neighbouring frames after its second layer, an LSTM over the text, and a joint
/// network on every pair of a frame and a symbol, which is where most of the memory goes. wav2vec 2.0
/// (Baevski et al. 2020, arXiv:2006.11477): strided convolutions over the waveform, a transformer, and a
/// contrastive loss of masked frames against quantised ones; `hourglass` runs inner layers on shortened
/// sequences (Nawrot et al. 2021, arXiv:2110.13711, as in NVIDIA DeepLearningExamples). A sample of it is one
/// bundle of utterances, and its tokens are the masked frames, which are what its loss and its publishers
/// count.

#include <algorithm>

#include "workload/family.h"
#include "workload/transformer.h"

namespace rigcast::workload {
namespace {

void build_rnnt(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t frames = read.integer("frames", 410), symbols = read.integer("symbols", 56);
  const std::int64_t features = read.integer("features", 240), hidden = read.integer("hidden", 1024);
  const std::int64_t predictor = read.integer("predictor", 512), joint = read.integer("joint", 512);
  const std::int64_t vocab = read.integer("vocab", 1024);
  const std::int64_t before = read.integer("layers_before", 2), after = read.integer("layers_after", 3);
  if (before > 100 || after > 100) read.error("layers_before", "at most 100 layers before and after");
  if (frames < 2) read.error("frames", "\"frames\" must be at least 2: two are joined");
  if (!read.ok()) return;
  RecurrentOptions options;
  options.hidden = hidden;
  Tensor x = builder.sample({frames, features});
  for (std::int64_t i = 0; i < before; ++i)
    x = builder.dropout(builder.recurrent(x, "encoder.before" + std::to_string(i), options));
  const std::int64_t joined = frames / 2;
  x = builder.copy(x, "encoder.join_frames", {joined, 2 * hidden});
  for (std::int64_t i = 0; i < after; ++i)
    x = builder.dropout(builder.recurrent(x, "encoder.after" + std::to_string(i), options));
  options.hidden = predictor;
  Tensor y = builder.embedding(builder.sample({symbols}), "prediction.embedding", vocab, predictor);
  for (int i = 0; i < 2; ++i)
    y = builder.dropout(builder.recurrent(y, "prediction.lstm" + std::to_string(i), options));
  const Tensor f = builder.linear(x, "joint.encoder", joint),
               g = builder.linear(y, "joint.prediction", joint);
  Tensor pairs = builder.add_operator("joint.sum", Elementwise{}, {f, g}, {joined * symbols, joint});
  pairs = builder.dropout(builder.activation(pairs, Function::kRelu));
  builder.loss({builder.linear(pairs, "joint.output", vocab)});
  network.dataset.unit = "sequence";
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(frames * features + symbols);
  network.optimizer = "lamb";
}

struct Recogniser {
  std::int64_t utterances = 1, frames = 1, hidden = 1, heads = 1, ffn = 1;
  std::int64_t tokens() const { return utterances * frames; }
};

/// Post-norm layer on utterances of `frames`; windows of other utterances are other heads.
Tensor encoder_layer(NetworkBuilder& builder, const Tensor& x, const Recogniser& d) {
  if (x.broken) return x;
  Attention core;
  core.heads = core.kv_heads = d.heads * d.utterances;
  core.qk_dim = core.v_dim = d.hidden / d.heads;
  core.queries = core.keys = d.frames;
  core.mask = true;
  const Tensor query = builder.linear(x, "query", d.hidden), key = builder.linear(x, "key", d.hidden),
               value = builder.linear(x, "value", d.hidden);
  Tensor y = builder.attention({query, key, value}, "core", core);
  y = builder.linear(builder.reshape(y, x.shape), "output", d.hidden);
  const Tensor mid = residual(builder, x, y, true, "norm1");
  return residual(builder, mid, feed_forward(builder, mid, {d.ffn, Function::kGelu, false, true, true}), true,
                  "norm2");
}

/// Seven strided convolutions over the waveform: a frame of 25 ms every 20 ms.
Tensor waveform_features(NetworkBuilder& builder, std::int64_t utterances, std::int64_t samples) {
  constexpr std::int64_t kKernels[] = {10, 3, 3, 3, 3, 2, 2}, kStrides[] = {5, 2, 2, 2, 2, 2, 2};
  Tensor x = builder.sample({1, utterances, samples});
  for (int i = 0; i < 7; ++i) {
    ConvolutionOptions options;
    options.out_channels = 512;
    options.kernel = {1, 1, kKernels[i]};
    options.stride = {1, 1, kStrides[i]};
    options.bias = false;
    const std::string name = "features.conv" + std::to_string(i);
    x = builder.convolution(x, name, options);
    if (i == 0) x = builder.norm(x, "features.norm", NormKind::kGroup);
    x = builder.activation(x, Function::kGelu);
  }
  return x;
}

/// Logits of the masked frames against the quantised frame and `negatives` others.
Tensor contrast(NetworkBuilder& builder, const Tensor& features, const Tensor& context, std::int64_t masked) {
  NetworkBuilder::Scope scope(builder, "contrast");
  constexpr std::int64_t kWidth = 256, kCodes = 640, kNegatives = 100;
  if (features.broken || context.broken) return context;
  const Tensor source = builder.copy(features, "masked_features", {masked, features.shape[1]});
  const Tensor codes = builder.softmax(builder.linear(source, "codes", kCodes), "gumbel");
  Tensor target = builder.linear(codes, "codebook", kWidth / 2, false);  // of two groups, half the width each
  target = builder.linear(builder.reshape(builder.copy(target, "groups", {masked, kWidth}), {masked, kWidth}),
                          "project_codes", kWidth);
  const Tensor predicted =
      builder.linear(builder.copy(context, "masked_context", {masked, context.shape[1]}), "project", kWidth);
  const Tensor others = builder.copy(target, "negatives", {masked * (kNegatives + 1), kWidth});
  const Tensor product =
      builder.add_operator("similarity", Elementwise{true}, {others, predicted}, others.shape);
  return builder.copy(product, "sum", {masked, kNegatives + 1});
}

void build_wav2vec2(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t layers = read.required("layers");
  Recogniser d{};
  d.hidden = read.required("hidden");
  d.heads = read.required("heads");
  d.ffn = read.integer("ffn", 4 * d.hidden);
  d.utterances = read.integer("utterances", 6);
  const std::int64_t samples = read.integer("samples", 233333);
  const std::int64_t inner = read.integer("hourglass_layers", 0, 0), factor = read.integer("hourglass", 1);
  if (read.integer("kv_heads", d.heads) != d.heads)
    read.error("kv_heads", "\"kv_heads\" must be \"heads\" here");
  if (read.ok() && d.hidden % d.heads != 0) read.error("heads", "\"heads\" must divide \"hidden\"");
  if (layers > 10000 || inner > layers)
    read.error("layers", "at most 10000, and no fewer than the inner ones");
  if (samples < 1000 * factor) read.error("samples", "an utterance is too short");
  if (!read.ok()) return;
  Tensor x = waveform_features(builder, d.utterances, samples);
  if (x.broken) return;
  d.frames = x.shape[2] / factor * factor;
  const std::int64_t masked = std::max<std::int64_t>(1, d.tokens() * 49 / 100);
  x = builder.norm(builder.copy(x, "tokens", {d.tokens(), 512}), "norm", NormKind::kLayer);
  const Tensor features = builder.dropout(x, "dropout_features");
  x = builder.activation(builder.dropout(builder.linear(x, "project_in", d.hidden)), Function::kMask, "mask");
  ConvolutionOptions position;
  position.out_channels = d.hidden;
  position.kernel = {1, 1, 128};
  position.padding = {0, 0, 64};
  position.groups = 16;
  Tensor y = builder.copy(x, "channels_first", {d.hidden, d.utterances, d.frames});
  y = builder.activation(builder.convolution(y, "position", position), Function::kGelu);
  y = builder.copy(y, "tokens_first", x.shape);
  x = builder.dropout(builder.norm(builder.add({x, y}), "encoder_norm", NormKind::kLayer));
  const std::int64_t outer = (layers - inner) / 2;
  Tensor full = x;
  for (std::int64_t i = 0; i < layers; ++i) {
    if (inner > 0 && i == outer) {
      full = x;
      d.frames /= factor;
      x = builder.linear(builder.copy(x, "shorten", {d.tokens(), factor * d.hidden}), "shorten_project",
                         d.hidden);
    }
    if (inner > 0 && i == outer + inner) {
      d.frames = full.shape[0] / d.utterances;
      x = builder.add({full, builder.resize(x, "lengthen", full.shape)});
    }
    NetworkBuilder::Scope scope(builder, "layer." + std::to_string(i));
    x = encoder_layer(builder, x, d);
  }
  builder.loss({contrast(builder, features, x, masked)});
  set_token_dataset(network, masked, 1);
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(d.utterances * samples);
  network.dataset.decode = "none";
  network.optimizer = "adam";
}

}  // namespace

Family rnnt_family() {
  return {"rnn-t",
          {{"frames", false, "of a sample, as the encoder reads them"},
           {"symbols", false, "of its text"},
           {"features", false, "values a frame"},
           {"hidden", false, "width of the encoder"},
           {"layers_before", false, "encoder layers before two frames are joined"},
           {"layers_after", false, "and after"},
           {"predictor", false, "width of the text's layers"},
           {"joint", false, "width of the joint network"},
           {"vocab", false, "symbols scored, blank included"}},
          build_rnnt};
}

Family wav2vec2_family() {
  return {"wav2vec2",
          {{"layers", true, "transformer layers"},
           {"hidden", true, "width"},
           {"heads", true, "attention heads"},
           {"kv_heads", false, "as heads"},
           {"ffn", false, "inner width of the feed-forward layers"},
           {"utterances", false, "of a bundle, which is a sample"},
           {"samples", false, "audio samples an utterance"},
           {"hourglass", false, "frames taken together in the inner layers"},
           {"hourglass_layers", false, "how many layers those are"}},
          build_wav2vec2};
}

}  // namespace rigcast::workload
