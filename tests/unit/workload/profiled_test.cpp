/// Networks written down layer by layer, and those of the vendor's examples, against what is published of
/// them.

#include <doctest/doctest.h>

#include <string>

#include "config/load.h"

namespace {

using rigcast::Diagnostics;
using rigcast::workload::Network;
using rigcast::workload::Operator;
using rigcast::workload::Shaping;

Network load(const std::string& name) {
  static const rigcast::config::Library library = [] {
    Diagnostics diagnostics;
    return rigcast::config::load_library({}, std::nullopt, diagnostics);
  }();
  Diagnostics diagnostics;
  auto network = rigcast::config::load_network(library, name, Shaping{}, nullptr, diagnostics);
  for (const auto& entry : diagnostics.entries()) MESSAGE(to_text(entry));
  REQUIRE(network.has_value());
  return *std::move(network);
}

double weighted_outputs(const Network& network) {
  double sum = 0;
  for (const Operator& op : network.operators) {
    const auto kind = rigcast::workload::kind_name(op.attributes);
    if (kind.starts_with("conv") || kind == "linear") sum += op.output_elements;
  }
  return sum;
}

double parameters_of(const Network& network, std::string_view prefix) {
  double sum = 0;
  for (const Operator& op : network.operators)
    if (op.name.starts_with(prefix)) sum += op.parameters;
  return sum;
}

const Operator& find(const Network& network, std::string_view name) {
  for (const Operator& op : network.operators)
    if (op.name == name) return op;
  FAIL("no operator " << name);
  return network.operators.front();
}

}  // namespace

TEST_CASE("layer lists agree with profilers in parameters and activations") {
  struct Row {
    const char* name;
    double parameters, activations;  // both in millions
  };
  // pytorch-image-models: results of its models and of its benchmark.
  const Row rows[] = {
      {"regnetx-002", 2.68, 2.16},        {"regnetx-016", 9.19, 7.93},
      {"regnety-032", 19.44, 11.26},      {"regnety-080", 39.18, 17.97},
      {"regnety-320", 145.05, 30.26},     {"senet154", 115.09, 38.69},
      {"resnest50d", 27.48, 14.36},       {"resnest101e", 48.28, 28.66},
      {"res2net50-26w-4s", 25.70, 12.61}, {"hrnet-w18", 21.30, 16.31},
      {"hrnet-w64", 128.06, 35.09},       {"xception", 22.86, 35.83},
      {"repvgg-b3", 123.09, 15.10},       {"ghostnet-100", 5.18, 3.55},
      {"poolformer-s12", 11.92, 5.53},    {"vovnet39a", 22.60, 6.73},
      {"ese-vovnet39b", 24.57, 6.74},     {"darknet53", 41.61, 12.39},
      {"efficientnet-em", 6.90, 14.34},   {"efficientnet-lite0", 4.65, 6.74},
      {"fbnetc-100", 5.57, 6.51},         {"spnasnet-100", 4.42, 6.03},
      {"tinynet-a", 6.19, 5.41},          {"lcnet-100", 2.95, 2.52},
      {"nasnet-large", 88.75, 90.56},     {"nfnet-f0", 71.49, 10.16},
      {"eca-nfnet-l0", 24.14, 10.47},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Network network = load(row.name);
    CHECK(network.parameters() / 1e6 == doctest::Approx(row.parameters).epsilon(0.003));
    CHECK(weighted_outputs(network) / 1e6 == doctest::Approx(row.activations).epsilon(0.003));
  }
}

TEST_CASE("NASNet-A mobile: 5.3 million parameters, 564 million multiply-accumulates") {
  const Network network = load("nasnet");
  CHECK(network.parameters() / 1e6 == doctest::Approx(5.3).epsilon(0.005));
  CHECK(forward_macs(network) / 1e6 == doctest::Approx(564).epsilon(0.001));
}

TEST_CASE("EfficientDet-D0: 2.5 billion multiply-accumulates") {
  CHECK(forward_macs(load("efficientdet-d0")) / 1e9 == doctest::Approx(2.5).epsilon(0.01));
}

TEST_CASE("GPUNet counts the published 12.7 and 25.8 million parameters") {
  CHECK(load("gpunet-1").parameters() / 1e6 == doctest::Approx(12.7).epsilon(0.005));
  CHECK(load("gpunet-2").parameters() / 1e6 == doctest::Approx(25.8).epsilon(0.005));
}

TEST_CASE("RNN-T counts its LSTMs and joint network") {
  // Two bias vectors a gate. Encoder 240 -> 1024 twice, pairs of frames, 2048 -> 1024 and twice more;
  // predictor of two layers of 512 on 1024 symbols; joint 1024 -> 512, 512 -> 512, 512 -> 1024.
  const double encoder = 4 * 1024.0 * (240 + 1024 + 2 + 2050 + 2048 + 1024 + 2 + 2 * 2050);
  const double predictor = 1024 * 512.0 + 2 * 4 * 512.0 * (1024 + 2);
  const double joint = 1024 * 512.0 + 512 + 512 * 512.0 + 512 + 512 * 1024.0 + 1024;
  const Network network = load("rnnt");
  CHECK(network.parameters() == encoder + predictor + joint);
  CHECK(find(network, "joint.output").output_elements == 205.0 * 56 * 1024);
}

TEST_CASE("wav2vec 2.0 base: 95.04 million parameters and the shortening of the inner layers") {
  const Network network = load("wav2vec2-base");
  CHECK((network.parameters() - parameters_of(network, "shorten")) / 1e6 ==
        doctest::Approx(95.04).epsilon(0.001));
  // 233,333 samples give 728 frames (25 ms every 20 ms); a quarter of them in the middle.
  CHECK(find(network, "layer.0.up").shape == std::vector<std::int64_t>{6 * 728, 3072});
  CHECK(find(network, "layer.5.up").shape == std::vector<std::int64_t>{6 * 182, 3072});
  CHECK(network.tokens_per_sample == 6 * 728 * 49 / 100);
}

TEST_CASE("HiFi-GAN: a generator of 13.9 million parameters, discriminators owned once and run four times") {
  const Network network = load("hifigan");
  CHECK(parameters_of(network, "generator.") / 1e6 == doctest::Approx(13.92).epsilon(0.002));
  CHECK(parameters_of(network, "learn.") / 1e6 == doctest::Approx(41.1 + 29.6).epsilon(0.005));
  CHECK(parameters_of(network, "judge.") == 0);
  CHECK(find(network, "learn.period2.conv").repeat == 2);
  // What judges made audio passes the gradient on; the reference, on real audio, has none at all.
  CHECK_FALSE(find(network, "judge.period2.conv").first);
  CHECK(find(network, "reference.period2.conv").first);
  CHECK(find(network, "reference.period2.conv").frozen);
}

TEST_CASE("SE(3)-Transformer: a kernel for every bond, 44 frequencies of 32 by 32 channels") {
  // Sum over the pairs of degrees 0 to 3 of 2 min + 1: 7 x 1 + 5 x 3 + 3 x 5 + 1 x 7.
  const Network network = load("se3-transformer");
  CHECK(find(network, "layer1.key_value.radial3").shape == std::vector<std::int64_t>{37, 44 * 32 * 32});
}

TEST_CASE("the fusion transformer reads 168 hours and forecasts 24") {
  const Network network = load("tft");
  CHECK(find(network, "past_lstm").shape == std::vector<std::int64_t>{168, 128});
  CHECK(find(network, "quantiles").shape == std::vector<std::int64_t>{24, 3});
  CHECK(find(network, "future_lstm").synchronises);
}

TEST_CASE("SIM looks both histories up in one pair of tables") {
  const Network network = load("sim");
  CHECK(find(network, "candidate.item").parameters == 367983 * 16.0);
  CHECK(find(network, "long_history.item").parameters == 0);
  CHECK(find(network, "long_history.item").output_elements == 90 * 16);
}
