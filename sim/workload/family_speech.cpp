/// Speech synthesis. Tacotron 2 (Shen et al. 2017, arXiv:1712.05884): characters to mel frames with
/// location-sensitive attention; the decoder takes one step a frame, each a handful of small kernels.
/// WaveGlow (Prenger et al. 2018, arXiv:1811.00002): mel frames to audio by twelve invertible flows over
/// groups of eight samples.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

constexpr std::int64_t kMel = 80;

ConvolutionOptions conv1d(std::int64_t out, std::int64_t kernel, std::int64_t dilation = 1,
                          bool bias = true) {
  ConvolutionOptions options;
  options.dimensions = 1;
  options.out_channels = out;
  options.kernel = {1, 1, kernel};
  options.dilation = {1, 1, dilation};
  options.padding = {0, 0, dilation * (kernel - 1) / 2};
  options.bias = bias;
  return options;
}

Tensor conv_block(NetworkBuilder& builder, Tensor x, std::string_view name, std::int64_t out,
                  const Function* function) {
  NetworkBuilder::Scope scope(builder, name);
  x = builder.norm(builder.convolution(x, "conv", conv1d(out, 5)), "bn", NormKind::kBatch);
  if (function) x = builder.activation(x, *function);
  return builder.dropout(x);
}

/// One frame: attention LSTM, location-sensitive attention, decoder LSTM, projections; repeated `frames`
/// times.
Tensor decoder_steps(NetworkBuilder& builder, const Tensor& memory, const Tensor& keys, const Tensor& prenet,
                     std::int64_t frames) {
  NetworkBuilder::Scope scope(builder, "decoder");
  builder.set_repeat(static_cast<double>(frames));
  const std::int64_t text = memory.shape[0];
  RecurrentOptions options;
  options.hidden = 1024;
  options.fused = false;
  Tensor x =
      builder.add_operator("attention_input", Concat{},
                           {builder.slice(prenet, {1, 256}), builder.slice(memory, {1, 512})}, {1, 768});
  const Tensor attention_state = builder.dropout(builder.recurrent(x, "attention_lstm", options));
  const Tensor query = builder.linear(attention_state, "query", 128, false);
  const Tensor weights = builder.sample({2, text});  // earlier and accumulated attention
  Tensor location = builder.convolution(weights, "location_conv", conv1d(32, 31, 1, false));
  location = builder.linear(builder.copy(location, "transpose", {text, 32}), "location", 128, false);
  Tensor energy = builder.add_operator("sum", Elementwise{}, {query, location, keys}, {text, 128});
  energy = builder.linear(builder.activation(energy, Function::kTanh), "score", 1, false);
  const Tensor probabilities = builder.softmax(builder.reshape(energy, {1, text}));
  const Tensor context = builder.matmul({probabilities, memory}, "context", {1, 1, 512, text}, {1, 512});
  x = builder.concat({attention_state, context});
  x = builder.concat({builder.dropout(builder.recurrent(x, "lstm", options)), context});
  const Tensor mel = builder.linear(x, "mel", kMel), gate = builder.linear(x, "gate", 1);
  builder.set_repeat(1);
  return builder.add_operator("collect", Copy{}, {mel, gate}, {kMel, frames});
}

void build_tacotron2(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t text = read.integer("text_len", 100), symbols = read.integer("vocab", 148);
  const std::int64_t frames = read.seq_len(570);
  if (!read.ok()) return;
  const Function relu = Function::kRelu, tanh = Function::kTanh;
  Tensor x = builder.embedding(builder.sample({text}), "embedding", symbols, 512);
  x = builder.copy(x, "transpose", {512, text});
  for (int i = 0; i < 3; ++i) x = conv_block(builder, x, "encoder.conv" + std::to_string(i), 512, &relu);
  RecurrentOptions options;
  options.hidden = 256;
  options.directions = 2;
  const Tensor memory =
      builder.recurrent(builder.copy(x, "encoder.transpose", {text, 512}), "encoder.lstm", options);
  const Tensor keys = builder.linear(memory, "decoder.memory", 128, false);
  Tensor prenet = builder.sample({frames, kMel});
  for (const char* name : {"prenet.fc1", "prenet.fc2"}) {
    prenet = builder.dropout(builder.activation(builder.linear(prenet, name, 256, false), Function::kRelu));
  }
  const Tensor mel = decoder_steps(builder, memory, keys, prenet, frames);
  Tensor y = mel;
  for (int i = 0; i < 5; ++i) {
    y = conv_block(builder, y, "postnet.conv" + std::to_string(i), i == 4 ? kMel : 512,
                   i == 4 ? nullptr : &tanh);
  }
  builder.loss({mel, builder.add({y, mel})});
  set_token_dataset(network, frames, 1, "sample");
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(frames * kMel + text);
  network.dataset.decode = "audio";
  network.optimizer = "adam";
}

/// The coupling network of a flow: dilated gated convolutions conditioned on the mel frames.
Tensor coupling(NetworkBuilder& builder, const Tensor& half, const Tensor& mel, std::int64_t channels,
                std::int64_t layers) {
  if (half.broken) return half;
  const std::int64_t groups = half.shape[1];
  Tensor x = builder.convolution(half, "start", conv1d(channels, 1));
  const Tensor condition = builder.convolution(mel, "condition", conv1d(2 * channels * layers, 1));
  Tensor skip;
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, std::to_string(i));
    const bool last = i + 1 == layers;
    Tensor y = builder.convolution(x, "in", conv1d(2 * channels, 3, std::int64_t{1} << i));
    y = builder.add({y, builder.slice(condition, {2 * channels, groups})});
    const Tensor part = builder.slice(y, {channels, groups});
    y = builder.multiply(
        {builder.activation(part, Function::kTanh), builder.activation(part, Function::kSigmoid)});
    y = builder.convolution(y, "res_skip", conv1d(last ? channels : 2 * channels, 1));
    const Tensor out = builder.slice(y, {channels, groups});
    if (!last) x = builder.add({x, out}, "residual");
    skip = i == 0 ? out : builder.add({skip, out}, "skip");
  }
  return builder.convolution(skip, "end", conv1d(2 * half.shape[0], 1));
}

void build_waveglow(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t samples = read.seq_len(8000), flows = read.integer("flows", 12),
                     layers = read.integer("layers", 8);
  const std::int64_t channels = read.integer("hidden", 512), group = 8, hop = 256;
  if (flows > 12)
    read.error("flows", "\"flows\" must be at most 12: two of eight channels leave at every fourth");
  if (layers > 16) read.error("layers", "\"layers\" must be at most 16");
  if (samples < 2 * hop) read.error("seq_len", "a segment has at least 512 samples");
  if (!read.ok()) return;
  const std::int64_t frames = samples / hop + 1, groups = samples / group;
  ConvolutionOptions up = conv1d(kMel, 1024);
  up.transposed = true;
  up.stride = {1, 1, hop};
  up.padding = {0, 0, 0};
  Tensor mel = builder.convolution(builder.sample({kMel, frames}), "upsample", up);
  mel = builder.copy(mel, "group_mel", {kMel * group, groups});
  Tensor audio = builder.copy(builder.sample({samples}), "group_audio", {group, groups});
  std::vector<Tensor> outputs;
  for (std::int64_t flow = 0; flow < flows && !audio.broken; ++flow) {
    NetworkBuilder::Scope scope(builder, "flow" + std::to_string(flow));
    if (flow % 4 == 0 && flow > 0) {
      outputs.push_back(builder.slice(audio, {2, groups}));
      audio = builder.slice(audio, {audio.shape[0] - 2, groups});
    }
    const std::int64_t width = audio.shape[0];
    audio = builder.convolution(audio, "invertible", conv1d(width, 1, 1, false));
    const Tensor half = builder.slice(audio, {width / 2, groups});
    const Tensor affine = coupling(builder, half, mel, channels, layers);
    if (affine.broken) return;
    const Tensor scale = builder.activation(builder.slice(affine, {width / 2, groups}), Function::kExp);
    const Tensor moved =
        builder.add({builder.multiply({scale, half}), builder.slice(affine, {width / 2, groups})});
    audio = builder.concat({half, moved}, "join", 0);
  }
  outputs.push_back(audio);
  builder.loss(outputs);
  set_token_dataset(network, samples, 1, "sample");
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(samples + kMel * frames);
  network.dataset.decode = "audio";
  network.optimizer = "adam";
}

}  // namespace

Family tacotron2_family() {
  return {"tacotron2",
          {{"text_len", false, "characters a sample; the plan's seq_len counts mel frames"},
           {"vocab", false, "characters"}},
          build_tacotron2};
}

Family waveglow_family() {
  return {"waveglow",
          {{"flows", false, "invertible flows; the plan's seq_len counts audio samples"},
           {"layers", false, "layers of a coupling network"},
           {"hidden", false, "its channels"}},
          build_waveglow};
}

}  // namespace rigcast::workload
