/// HiFi-GAN (Kong et al. 2020, arXiv:2010.05646, its first version): a generator that lengthens mel frames to
/// audio by transposed convolutions, each followed by three residual blocks, and eight discriminators that
/// look at the audio folded by five periods and at three scales. A training step runs the generator once; the
/// discriminators learn from real and from made audio, and judge both once more, frozen, for the generator,
/// whose gradient passes through the made one. A sample is a segment; `seq_len` counts its mel frames, but
/// the reference reports one "frame" a mel channel, and so do its published throughputs.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

constexpr std::int64_t kMel = 80;

ConvolutionOptions line(std::int64_t out, std::int64_t kernel, std::int64_t stride = 1,
                        std::int64_t groups = 1) {
  ConvolutionOptions options;
  options.dimensions = 1;
  options.out_channels = out;
  options.kernel = {1, 1, kernel};
  options.stride = {1, 1, stride};
  options.padding = {0, 0, (kernel - 1) / 2};
  options.groups = groups;
  return options;
}

Tensor residual_block(NetworkBuilder& builder, Tensor x, std::string_view name, std::int64_t kernel) {
  NetworkBuilder::Scope scope(builder, name);
  if (x.broken) return x;
  for (const std::int64_t dilation : {1, 3, 5}) {
    ConvolutionOptions wide = line(x.shape[0], kernel);
    wide.dilation = {1, 1, dilation};
    wide.padding = {0, 0, dilation * (kernel - 1) / 2};
    Tensor y = builder.convolution(builder.activation(x, Function::kLeakyRelu), "dilated", wide);
    y = builder.convolution(builder.activation(y, Function::kLeakyRelu), "plain", line(x.shape[0], kernel));
    x = builder.add({y, x});
  }
  return x;
}

Tensor generator(NetworkBuilder& builder, const Tensor& mel, std::int64_t channels) {
  NetworkBuilder::Scope scope(builder, "generator");
  constexpr std::int64_t kRates[] = {8, 8, 2, 2};
  Tensor x = builder.convolution(mel, "in", line(channels, 7));
  for (std::size_t i = 0; i < 4; ++i) {
    NetworkBuilder::Scope level(builder, "level" + std::to_string(i));
    channels /= 2;
    ConvolutionOptions up = line(channels, 2 * kRates[i], kRates[i]);
    up.transposed = true;
    up.padding = {0, 0, kRates[i] / 2};
    x = builder.convolution(builder.activation(x, Function::kLeakyRelu), "up", up);
    std::vector<Tensor> blocks;
    for (const std::int64_t kernel : {3, 7, 11})
      blocks.push_back(residual_block(builder, x, "kernel" + std::to_string(kernel), kernel));
    x = builder.add(blocks, "mean");
  }
  x = builder.convolution(builder.activation(x, Function::kLeakyRelu), "out", line(1, 7));
  return builder.activation(x, Function::kTanh);
}

/// Eight discriminators on one piece of audio; `shared` ones use weights that others own.
class Discriminators {
 public:
  Discriminators(NetworkBuilder& builder, bool shared) : builder_(builder), shared_(shared) {}

  void run(const Tensor& audio) {
    for (const std::int64_t period : {2, 3, 5, 7, 11}) by_period(audio, period);
    Tensor x = audio;
    for (int scale = 0; scale < 3; ++scale) {
      if (scale > 0) {
        PoolOptions half;
        half.average = true;
        half.kernel = {1, 1, 4};
        half.stride = {1, 1, 2};
        half.padding = {0, 0, 2};
        x = builder_.pool(x, "half" + std::to_string(scale), half);
      }
      by_scale(x, scale);
    }
  }
  const std::vector<Tensor>& maps() const { return maps_; }
  const std::vector<Tensor>& scores() const { return scores_; }

 private:
  Tensor convolution(const Tensor& x, std::string_view name, ConvolutionOptions options) {
    options.shared_weight = shared_;
    return builder_.convolution(x, name, options);
  }

  /// The audio folded into columns of one period each.
  void by_period(const Tensor& audio, std::int64_t period) {
    if (audio.broken) return;
    NetworkBuilder::Scope scope(builder_, "period" + std::to_string(period));
    const std::int64_t length = (audio.shape[1] + period - 1) / period;
    Tensor x = builder_.copy(audio, "fold", {1, length, period});
    constexpr std::int64_t kWidths[] = {32, 128, 512, 1024, 1024};
    for (std::size_t i = 0; i < 5; ++i) {
      ConvolutionOptions options;
      options.out_channels = kWidths[i];
      options.kernel = {1, 5, 1};
      options.padding = {0, 2, 0};
      options.stride = {1, i < 4 ? 3 : 1, 1};
      x = builder_.activation(convolution(x, "conv", options), Function::kLeakyRelu);
      maps_.push_back(x);
    }
    ConvolutionOptions score;
    score.out_channels = 1;
    score.kernel = {1, 3, 1};
    score.padding = {0, 1, 0};
    scores_.push_back(convolution(x, "score", score));
  }

  void by_scale(Tensor x, int scale) {
    NetworkBuilder::Scope scope(builder_, "scale" + std::to_string(scale));
    for (const ConvolutionOptions& options :
         {line(128, 15), line(128, 41, 2, 4), line(256, 41, 2, 16), line(512, 41, 4, 16),
          line(1024, 41, 4, 16), line(1024, 41, 1, 16), line(1024, 5)}) {
      x = builder_.activation(convolution(x, "conv", options), Function::kLeakyRelu);
      maps_.push_back(x);
    }
    scores_.push_back(convolution(x, "score", line(1, 3)));
  }

  NetworkBuilder& builder_;
  bool shared_;
  std::vector<Tensor> maps_, scores_;
};

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t frames = read.seq_len(32), channels = read.integer("hidden", 512);
  if (channels % 16 != 0)
    read.error("hidden", "\"hidden\" must be a multiple of 16: it is halved four times");
  if (frames < 16) read.error("seq_len", "a segment has at least 16 mel frames");
  if (!read.ok()) return;
  const Tensor audio = generator(builder, builder.sample({kMel, frames}), channels);
  if (audio.broken) return;
  builder.set_repeat(2);  // real and made
  Discriminators learning(builder, false), judging(builder, true), reference(builder, true);
  {
    NetworkBuilder::Scope scope(builder, "learn");
    learning.run(audio);
  }
  builder.set_repeat(1);
  builder.set_frozen(true);
  {
    NetworkBuilder::Scope scope(builder, "reference");
    reference.run(builder.sample(audio.shape));
  }
  {
    NetworkBuilder::Scope scope(builder, "judge");
    judging.run(audio);
  }
  builder.set_frozen(false);
  std::vector<Tensor> ends = learning.scores();
  ends.insert(ends.end(), judging.scores().begin(), judging.scores().end());
  for (std::size_t i = 0; i < judging.maps().size(); ++i) {
    const Tensor difference = builder.add({judging.maps()[i], reference.maps()[i]}, "difference");
    if (difference.broken) return;
    ends.push_back(builder.add_operator("mean", Activation{Function::kOther}, {difference}, {1}));
  }
  builder.loss(ends);
  set_token_dataset(network, kMel, 1, "sample");
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(frames * (2 * kMel + 256));
  network.dataset.decode = "none";
  network.optimizer = "adamw";
  network.notes.push_back("a sample's tokens are counted as the reference counts frames: one a mel channel");
}

}  // namespace

Family hifigan_family() {
  return {"hifi-gan", {{"hidden", false, "channels of the generator's first level; they halve"}}, build};
}

}  // namespace rigcast::workload
