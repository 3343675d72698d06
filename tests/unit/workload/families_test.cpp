#include <doctest/doctest.h>

#include <string>

#include "workload/build.h"

namespace {

using namespace rigcast::workload;
using rigcast::Diagnostics;

WorkloadSpec family(std::string name, std::map<std::string, std::vector<double>, std::less<>> dimensions,
                    std::map<std::string, std::string, std::less<>> options = {}) {
  WorkloadSpec spec;
  spec.name = "test";
  spec.family = std::move(name);
  spec.dimensions = std::move(dimensions);
  spec.options = std::move(options);
  return spec;
}

Network good(const WorkloadSpec& spec, std::optional<std::int64_t> seq_len = {}) {
  Diagnostics diagnostics;
  auto network = build(spec, Shaping{seq_len}, diagnostics);
  for (const auto& entry : diagnostics.entries()) MESSAGE(to_text(entry));
  REQUIRE(network.has_value());
  return *std::move(network);
}

std::string errors(const WorkloadSpec& spec) {
  Diagnostics diagnostics;
  CHECK_FALSE(build(spec, {}, diagnostics).has_value());
  std::string text;
  for (const auto& entry : diagnostics.entries()) {
    text += (text.empty() ? "" : "\n") + entry.message + (entry.hint.empty() ? "" : " | " + entry.hint);
  }
  return text;
}

const Operator& find(const Network& network, std::string_view name) {
  for (const Operator& op : network.operators) {
    if (op.name == name) return op;
  }
  FAIL("no operator " << name);
  return network.operators.front();
}

const WorkloadSpec kBert = family("encoder", {{"layers", {12}}, {"hidden", {768}}, {"heads", {12}}});

}  // namespace

TEST_CASE("BERT base counts 109,482,240 parameters up to its pooler") {
  WorkloadSpec spec = kBert;
  spec.options["head"] = "none";
  CHECK(good(spec).parameters() == 109482240);
  spec.dimensions["layers"] = {24};
  spec.dimensions["hidden"] = {1024};
  spec.dimensions["heads"] = {16};
  CHECK(good(spec).parameters() == 335141888);
}

TEST_CASE("BERT's head depends on the length: masked positions in pretraining, spans at 384") {
  CHECK(find(good(kBert, 128), "mlm.decoder").shape == std::vector<std::int64_t>{20, 30522});
  CHECK(find(good(kBert, 512), "mlm.decoder").shape == std::vector<std::int64_t>{80, 30522});
  CHECK(find(good(kBert, 384), "span").shape == std::vector<std::int64_t>{384, 2});
  // The decoder's weight is the embedding: only the bias is new.
  CHECK(find(good(kBert, 128), "mlm.decoder").parameters == 30522);
}

TEST_CASE("ELECTRA's generator shares the word embeddings") {
  WorkloadSpec spec = kBert;
  spec.dimensions["generator.layers"] = {12};
  spec.dimensions["generator.hidden"] = {256};
  spec.dimensions["generator.heads"] = {4};
  spec.dimensions["generator.ffn"] = {1024};
  const Network network = good(spec, 128);
  CHECK(find(network, "generator.embeddings.word").parameters == 30522 * 768);
  CHECK(find(network, "embeddings.word").parameters == 0);
  CHECK(find(network, "generator.embeddings.project").parameters == 768 * 256 + 256);
}

TEST_CASE("the embedding needs no data gradient, everything behind it does") {
  const Network network = good(family("decoder", {{"layers", {1}}, {"hidden", {64}}, {"heads", {4}}}), 16);
  CHECK(find(network, "embedding").first);
  CHECK_FALSE(find(network, "layer.0.attention.qkv").first);
}

TEST_CASE("Transformer-XL projects memory and segment together and attends to both") {
  const Network network = good(
      family("transformer-xl", {{"layers", {1}}, {"hidden", {512}}, {"heads", {8}}, {"memory", {192}}}), 192);
  CHECK(std::get<Linear>(find(network, "layer.0.qkv").attributes).rows == 384);
  const auto& core = std::get<Attention>(find(network, "layer.0.core").attributes);
  CHECK(core.queries == 192);
  CHECK(core.keys == 384);
  CHECK(core.relative_position);
  // The head scores the shortlist and one entry for each of three tails.
  CHECK(find(network, "softmax.scores0").shape == std::vector<std::int64_t>{192, 19997 + 3});
}

TEST_CASE("Transformer-XL without adaptive softmax scores every token against the whole vocabulary") {
  const Network network =
      good(family("transformer-xl",
                  {{"layers", {1}}, {"hidden", {512}}, {"heads", {8}}, {"adaptive_softmax", {0}}}),
           192);
  CHECK(find(network, "softmax.scores0").shape == std::vector<std::int64_t>{192, 267735});
  // One table of 267,735 x 512, tied with the output, which adds a bias.
  CHECK(find(network, "embedding.word").parameters == 267735.0 * 512);
}

TEST_CASE("grouped-query attention, experts and windows change what they should") {
  const auto base = family("decoder",
                           {{"layers", {4}},
                            {"hidden", {256}},
                            {"heads", {8}},
                            {"kv_heads", {2}},
                            {"ffn", {512}},
                            {"gated_mlp", {1}},
                            {"experts", {8}},
                            {"topk", {2}},
                            {"dense_layers", {1}},
                            {"sliding_window", {32}},
                            {"sliding_every", {2}}},
                           {{"norm", "rms"}, {"position", "rope"}});
  const Network network = good(base, 128);
  CHECK(find(network, "layer.0.attention.qkv").shape == std::vector<std::int64_t>{128, (8 + 2 * 2) * 32});
  CHECK(std::get<Attention>(find(network, "layer.0.attention.core").attributes).window == 32);
  CHECK(std::get<Attention>(find(network, "layer.1.attention.core").attributes).window == 0);
  CHECK(find(network, "layer.0.mlp.gate_up").parameters == 256 * 2 * 512);
  const Operator& experts = find(network, "layer.1.moe.gate_up");
  CHECK(experts.parameters == 8.0 * 256 * 2 * 512);
  CHECK(std::get<Linear>(experts.attributes).rows == 128 * 2);
}

TEST_CASE("a step-by-step decoder counts its parameters once and its work every step") {
  WorkloadSpec spec = family("tacotron2", {{"text_len", {100}}});
  const Network shorter = good(spec, 100), longer = good(spec, 200);
  CHECK(shorter.parameters() == longer.parameters());
  CHECK(find(shorter, "decoder.lstm").repeat == 100);
  CHECK(forward_macs(find(longer, "decoder.lstm")) == 2 * forward_macs(find(shorter, "decoder.lstm")));
}

TEST_CASE("weights shared between pyramid levels belong to the first") {
  const Network network = good(family("retinanet", {{"backbone", {50}}, {"image", {3, 256, 256}}}));
  CHECK(find(network, "level3.classes.conv1").parameters == 256 * 256 * 9 + 256);
  CHECK(find(network, "level4.classes.conv1").parameters == 0);
  // The stem is kept: neither gradient is needed there, and none flows below the second stage.
  CHECK(find(network, "backbone.conv1").frozen);
  CHECK(find(network, "backbone.layer2.0.conv1").first);
  CHECK_FALSE(find(network, "backbone.layer2.0.conv2").first);
}

TEST_CASE("residual networks that stride in the first convolution: 3.86e9 multiply-accumulates, not 4.09e9") {
  const Network network = good(family("resnet", {{"layers", {50}}, {"stride_first", {1}}}));
  CHECK(forward_macs(network) == doctest::Approx(3.86e9).epsilon(0.001));
  CHECK(network.parameters() == 25557032);
}

TEST_CASE("image sizes reshape every layer") {
  const auto at = [](double side) {
    return forward_macs(good(family("resnet", {{"layers", {50}}, {"image", {3, side, side}}})));
  };
  // Convolutions scale with the pixels, the classifier does not: 224 and 448 share no rounding.
  const double classifier = 2048.0 * 1000;
  CHECK(at(448) - classifier == 4 * (at(224) - classifier));
}

TEST_CASE("a network known by its totals keeps them") {
  WorkloadSpec spec;
  spec.name = "totals";
  spec.forward_macs = 4.1e9;
  spec.forward_activations = 11.1e6;
  spec.parameters = 25.6e6;
  spec.dimensions["kernels"] = {100};
  const Network network = good(spec);
  CHECK(network.operators.size() == 101);
  CHECK(forward_macs(network) == doctest::Approx(4.1e9));
  CHECK(network.parameters() == doctest::Approx(25.6e6));
  spec.parameters.reset();
  CHECK(errors(spec) == "a network known by its totals needs \"parameters\", a number from 0");
}

TEST_CASE("wrong dimensions are named with what was expected") {
  CHECK(errors(family("resnett", {{"layers", {50}}})) ==
        "unknown family \"resnett\" | did you mean \"resnet\"?");
  CHECK(errors(family("resnet", {})) == "\"test\" needs the dimension \"layers\"");
  CHECK(errors(family("resnet", {{"layers", {51}}})) ==
        "\"layers\" must be one of 18, 34, 50, 101, 152, not 51");
  CHECK(errors(family("resnet", {{"layers", {50}}, {"imagee", {3, 224, 224}}})) ==
        "the family resnet has no dimension \"imagee\" | did you mean \"image\"?");
  CHECK(errors(family("resnet", {{"layers", {50}}, {"image", {224, 224}}})) ==
        "\"image\" must be 3 numbers, channels first");
  CHECK(errors(family("decoder", {{"layers", {2}}, {"hidden", {64}}, {"heads", {4}}, {"kv_heads", {3}}})) ==
        "3 \"kv_heads\" do not divide 4 \"heads\"");
  CHECK(errors(family("decoder", {{"layers", {2}}, {"hidden", {64}}, {"heads", {4}}}, {{"norm", "rmss"}})) ==
        "\"norm\" must be one of \"layer\", \"rms\", not \"rmss\" | did you mean \"rms\"?");
  CHECK(errors(family("vgg", {{"layers", {16}}, {"image", {3, 16, 16}}})) ==
        "\"stage5.maxpool\": a window of 2 does not fit into \"stage5.relu3\", [512, 1, 1]");
}

TEST_CASE("every family lists its dimensions, required ones first") {
  for (const std::string& name : family_names()) {
    CAPTURE(name);
    bool optional = false;
    for (const DimensionInfo& dimension : family_dimensions(name)) {
      CHECK_FALSE((optional && dimension.required));
      optional = optional || !dimension.required;
      CHECK_FALSE(dimension.meaning.empty());
    }
  }
  CHECK(family_dimensions("nothing").empty());
}

TEST_CASE("translation by GNMT: batches are padded to the ends of five buckets, means follow the longest") {
  const auto of = [](std::map<std::string, std::vector<double>, std::less<>> more) {
    more["layers"] = {4};
    more["hidden"] = {1024};
    return good(family("gnmt", more));
  };
  // 25 of at most 50 tokens a side, three quarters of a bucket of ten beyond them.
  CHECK(of({}).tokens_per_sample == 50);
  CHECK(find(of({}), "encoder.0.lstm").output_elements == 2 * 1024 * (25 + 8));
  CHECK(of({{"max_len", {75}}}).tokens_per_sample == 54);
}

TEST_CASE("translation by GNMT: a decoder written as a loop computes the same, step by step") {
  const Network whole = good(family("gnmt", {{"layers", {4}}, {"hidden", {1024}}})),
                loop = good(family("gnmt", {{"layers", {4}}, {"hidden", {1024}}, {"stepwise_decoder", {1}}}));
  const Operator &once = find(whole, "decoder.1.lstm"), &step = find(loop, "decoder.1.lstm");
  CHECK(step.repeat == 33);
  CHECK(std::get<Recurrent>(once.attributes).steps == 33 * std::get<Recurrent>(step.attributes).steps);
  CHECK(loop.parameters() == whole.parameters());
}
