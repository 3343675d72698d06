#include <doctest/doctest.h>

#include <string>

#include "workload/build.h"

namespace {

using namespace rigcast::workload;
using rigcast::Diagnostics;

LayerSpec layer(std::string type, std::map<std::string, std::vector<double>, std::less<>> numbers = {},
                std::string name = {}) {
  LayerSpec spec;
  spec.type = std::move(type);
  spec.name = std::move(name);
  spec.numbers = std::move(numbers);
  return spec;
}

LayerSpec conv(double out, double kernel, std::string name = {}, double padding = 0, double stride = 1) {
  return layer("conv2d",
               {{"out_channels", {out}}, {"kernel", {kernel}}, {"padding", {padding}}, {"stride", {stride}}},
               std::move(name));
}

LayerSpec reading(LayerSpec spec, std::vector<std::string> inputs) {
  spec.inputs = std::move(inputs);
  return spec;
}

LayerSpec branches(std::vector<std::vector<LayerSpec>> lists) {
  LayerSpec spec;
  spec.branches = std::move(lists);
  return spec;
}

LayerSpec repeated(int times, std::string name, std::vector<LayerSpec> list) {
  LayerSpec spec;
  spec.repeat = times;
  spec.name = std::move(name);
  spec.layers = std::move(list);
  return spec;
}

WorkloadSpec list(std::vector<std::int64_t> input, std::vector<LayerSpec> layers) {
  WorkloadSpec spec;
  spec.name = "test";
  spec.input = std::move(input);
  spec.layers = std::move(layers);
  return spec;
}

Network good(const WorkloadSpec& spec) {
  Diagnostics diagnostics;
  auto network = build(spec, {}, diagnostics);
  for (const auto& entry : diagnostics.entries()) MESSAGE(to_text(entry));
  REQUIRE(network.has_value());
  return *std::move(network);
}

/// All errors, one a line, hints behind " | ".
std::string errors(const WorkloadSpec& spec) {
  Diagnostics diagnostics;
  CHECK_FALSE(build(spec, {}, diagnostics).has_value());
  std::string text;
  for (const auto& entry : diagnostics.entries()) {
    text += (text.empty() ? "" : "\n") + entry.message + (entry.hint.empty() ? "" : " | " + entry.hint);
  }
  return text;
}

}  // namespace

TEST_CASE("shapes follow the window formulas") {
  // floor((224 + 2 * 2 - 11) / 4) + 1 = 55; pool floor((55 - 3) / 2) + 1 = 27.
  const Network network = good(list(
      {3, 224, 224}, {conv(64, 11, "conv1", 2, 4), layer("max-pool", {{"kernel", {3}}, {"stride", {2}}})}));
  CHECK(network.operators[0].shape == std::vector<std::int64_t>{64, 55, 55});
  CHECK(network.operators[1].shape == std::vector<std::int64_t>{64, 27, 27});
  CHECK(network.operators[0].parameters == 64 * 3 * 121 + 64);
  CHECK(network.operators[0].first);
  CHECK_FALSE(network.operators[1].first);
  CHECK(network.operators[0].input_elements == 3 * 224 * 224);
  CHECK(network.operators.back().name == "loss");
}

TEST_CASE("ceil mode rounds windows up but never starts one outside") {
  // ceil((112 - 3) / 2) + 1 = 56 against 55; a last window that starts in the right padding is dropped: (4 -
  // 1) * 3 >= 8.
  const Network up =
      good(list({1, 112, 112}, {layer("max-pool", {{"kernel", {3}}, {"stride", {2}}, {"ceil", {1}}})}));
  CHECK(up.operators[0].shape == std::vector<std::int64_t>{1, 56, 56});
  const Network dropped =
      good(list({1, 8, 8}, {layer("max-pool", {{"kernel", {1}}, {"stride", {3}}, {"ceil", {1}}})}));
  CHECK(dropped.operators[0].shape == std::vector<std::int64_t>{1, 3, 3});
}

TEST_CASE("transposed convolutions grow by their stride") {
  // (16 - 1) * 2 - 2 * 1 + (4 - 1) + 0 + 1 = 32.
  const Network network = good(list(
      {8, 16, 16}, {layer("transposed-conv2d",
                          {{"out_channels", {4}}, {"kernel", {4}}, {"stride", {2}}, {"padding", {1}}})}));
  CHECK(network.operators[0].shape == std::vector<std::int64_t>{4, 32, 32});
  CHECK(network.operators[0].parameters == 8 * 4 * 16 + 4);
}

TEST_CASE("repeats and branches unroll into named operators") {
  LayerSpec block = repeated(
      2, "block", {branches({{conv(8, 3, "a", 1), layer("batch-norm")}, {}}), layer("add"), layer("relu")});
  const Network network = good(list({8, 4, 4}, {block}));
  REQUIRE(network.operators.size() == 9);
  CHECK(network.operators[0].name == "block.0.a");
  CHECK(network.operators[4].name == "block.1.a");
  // The second add reads its branch and, past the empty branch, the relu before it.
  CHECK(network.operators[6].inputs == std::vector<std::uint32_t>{5, 3});
  CHECK(network.operators[1].buffers == 2 * 8 + 1);
}

TEST_CASE("inputs by name reach earlier layers, the sample and blocks, nearest scope first") {
  const Network network = good(list(
      {4, 2, 2}, {conv(4, 1, "x"), repeated(2, "r", {conv(4, 1, "x"), reading(layer("add"), {"x", "input"})}),
                  reading(layer("add"), {"x", "r"})}));
  CHECK(network.operators[2].inputs == std::vector<std::uint32_t>{1});  // r.0.x and the sample
  CHECK(network.operators[4].inputs == std::vector<std::uint32_t>{3});
  CHECK(network.operators[5].inputs == std::vector<std::uint32_t>{0, 4});
}

TEST_CASE("a layer may read one that stands after it") {
  const Network network = good(list({8}, {reading(layer("relu", {}, "late"), {"early"}),
                                          reading(layer("linear", {{"out", {3}}}, "early"), {"input"}),
                                          reading(layer("softmax"), {"late"})}));
  CHECK(network.operators[0].name == "early");
  CHECK(network.operators[1].name == "late");
}

TEST_CASE("attention, recurrent layers and embeddings bring their parameters") {
  const Network network = good(list({16}, {layer("embedding", {{"rows", {100}}, {"width", {32}}}),
                                           layer("attention", {{"heads", {4}}, {"kv_heads", {2}}}, "a"),
                                           layer("lstm", {{"hidden", {24}}, {"bidirectional", {1}}})}));
  CHECK(network.operators[0].parameters == 3200);
  CHECK(network.operators[1].name == "a.qkv");
  CHECK(network.operators[1].parameters == 32 * 64 + 64);
  CHECK(network.operators[3].parameters == 32 * 32 + 32);
  CHECK(network.operators[4].parameters == 2 * 4 * 24 * (32 + 24 + 2));
  CHECK(network.operators[4].shape == std::vector<std::int64_t>{16, 48});
}

TEST_CASE("a slice is a view of the first channels and never more than there are") {
  const Network network = good(list(
      {8, 4, 4}, {conv(16, 1, "wide"), layer("slice", {{"channels", {4}}}, "part"), conv(2, 1, "narrow")}));
  CHECK(network.operators.size() == 3);  // two convolutions and the loss
  CHECK(network.operators[1].parameters == 4 * 2 + 2);
  CHECK(errors(list({8, 4, 4}, {layer("slice", {{"channels", {9}}}, "part")})) ==
        "\"part\" (slice): \"input\" gives [8, 4, 4], fewer than 9 channels");
}

TEST_CASE("all mistakes in a list are reported together, with what was meant") {
  CHECK(
      errors(list({3, 8, 8}, {layer("conv2", {}, "a"), conv(8, 3, "b"), layer("linear", {{"outt", {4}}}, "c"),
                              reading(layer("relu", {}, "d"), {"bb"})})) ==
      "unknown layer type \"conv2\" | did you mean \"conv2d\"?\n"
      "\"c\" (linear) has no attribute \"outt\" | did you mean \"out\"?\n"
      "\"c\" (linear) needs \"out\"\n"
      "\"d\" reads \"bb\", which is no layer | did you mean \"b\"?");
}

TEST_CASE("a shape mismatch names both layers") {
  CHECK(errors(list({3, 8, 8}, {branches({{conv(8, 3, "left")}, {conv(4, 1, "right")}}), layer("add")})) ==
        "add: \"left\" gives [8, 6, 6] but \"right\" gives [4, 8, 8]");
  CHECK(errors(list({3, 8, 8}, {conv(8, 3, "stem"), layer("linear", {{"out", {10}}}, "fc")})) ==
        "\"fc\" (linear) needs [width] or [tokens, width], but \"stem\" gives [8, 6, 6] | "
        "put a flatten or a global-average-pool between them");
  CHECK(errors(list({3, 8, 8}, {conv(8, 9, "wide")})) ==
        "\"wide\": a kernel of 9 does not fit into \"input\", [3, 8, 8]");
  CHECK(
      errors(list({3, 8, 8}, {branches({{conv(8, 1, "a")}, {conv(8, 1, "b")}}), layer("relu", {}, "r")})) ==
      "\"r\" (relu) gets 2 inputs (\"a\", \"b\"), but takes 1 | join branches with add, multiply or concat");
}

TEST_CASE("a cycle is shown with its members") {
  CHECK(errors(list(
            {8}, {reading(layer("relu", {}, "a"), {"c"}), layer("tanh", {}, "b"), layer("gelu", {}, "c")})) ==
        "the layers form a cycle: \"a\" -> \"b\" -> \"c\" -> \"a\"");
}

TEST_CASE("numbers must be whole and in range, lists must not explode") {
  CHECK(errors(list({3, 8, 8}, {conv(8, 0, "a")})) ==
        "\"a\" (conv2d): \"kernel\" must be a whole number of at least 1");
  CHECK(errors(list({3, 8, 8}, {conv(7.5, 1, "a")})) ==
        "\"a\" (conv2d): \"out_channels\" must be a whole number of at least 1");
  CHECK(errors(list({}, {conv(8, 1, "a")})) ==
        "a layer list needs \"input\", the shape of a sample: one to four numbers");
  CHECK(errors(list({8}, {repeated(100000, "a", {repeated(100000, "b", {layer("relu")})})})) ==
        "the list unrolls to more than 200000 layers");
  CHECK(errors(list({8}, {layer("relu", {}, "a"), layer("relu", {}, "a")})) == "two layers are named \"a\"");
}
