/// Recommenders. NCF (He et al. 2017, arXiv:1708.05031): a product of embeddings beside a perceptron; its
/// small tables have ordinary, dense gradients in the vendor's PyTorch and TensorFlow examples. DLRM
/// (Naumov et al. 2019, arXiv:1906.00091): dense features through a perceptron, pairwise products with the
/// embeddings, a second perceptron. DCN V2 (Wang et al. 2020, arXiv:2008.13535): low-rank cross layers in
/// place of the pairwise products. All tables of a sample are looked up by one fused kernel. Criteo table
/// sizes are those NVIDIA's preprocessing gives when categories seen fewer times than the frequency limit are
/// merged: limit 15 ("small"), limit 3 ("large").

#include "workload/family.h"

namespace rigcast::workload {
namespace {

const std::vector<std::int64_t> kCriteoSmall = {
    7912889, 33823, 17139, 7339, 20046, 4,  7105,    1382,    63,      5554114, 582469, 245828, 11,
    2209,    10667, 104,   4,    968,   15, 8165896, 2675940, 7156453, 302516,  12022,  97,     35};
const std::vector<std::int64_t> kCriteoLarge = {
    45833188, 36746, 17245, 7413, 20243, 3,  7114,     1441,     62,       29275261, 1572176, 345138, 10,
    2209,     11267, 128,   4,    974,   14, 48937457, 11316796, 40094537, 452104,   12606,   104,    35};
constexpr std::int64_t kDenseFeatures = 13;

Tensor perceptron(NetworkBuilder& builder, Tensor x, std::string_view name,
                  const std::vector<std::int64_t>& widths) {
  NetworkBuilder::Scope scope(builder, name);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    x = builder.linear(x, "fc" + std::to_string(i + 1), widths[i]);
    // The last width of a top perceptron is the score: the loss takes it as it is.
    if (widths[i] > 1) x = builder.activation(x, Function::kRelu);
  }
  return x;
}

void build_ncf(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t users = read.integer("users", 138493), items = read.integer("items", 26744);
  const std::int64_t factors = read.integer("mf", 64);
  std::vector<std::int64_t> widths = read.integers("mlp", {256, 256, 128, 64});
  if (widths.front() % 2 != 0)
    read.error("mlp", "the first number of \"mlp\" is the joined width of user and item: even");
  if (!read.ok()) return;
  const Tensor user = builder.sample({1}), item = builder.sample({1});
  const auto lookup = [&](const Tensor& x, std::string_view name, std::int64_t rows, std::int64_t width) {
    return builder.reshape(builder.embedding(x, name, rows, width), {width});
  };
  const Tensor product =
      builder.multiply({lookup(user, "mf_user", users, factors), lookup(item, "mf_item", items, factors)});
  const std::int64_t half = widths.front() / 2;
  Tensor x = builder.concat({lookup(user, "mlp_user", users, half), lookup(item, "mlp_item", items, half)});
  widths.erase(widths.begin());
  x = perceptron(builder, x, "mlp", widths);
  builder.loss({builder.linear(builder.concat({product, x}), "score", 1)});
  network.dataset.decoded_bytes = 20;  // two indices and a label
  network.optimizer = "adam";
}

/// Looks up one row of each table: [tables, width].
Tensor tables(NetworkBuilder& builder, const std::vector<std::int64_t>& rows, std::int64_t width) {
  std::int64_t sum = 0;
  for (std::int64_t count : rows) sum += count;
  return builder.embedding(builder.sample({static_cast<std::int64_t>(rows.size())}), "tables", sum, width,
                           true);
}

Tensor cross_layers(NetworkBuilder& builder, const Tensor& start, std::int64_t layers, std::int64_t rank) {
  if (start.broken) return start;
  Tensor x = start;
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, "cross" + std::to_string(i + 1));
    const Tensor low = builder.linear(x, "down", rank, false);
    x = builder.add({builder.multiply({builder.linear(low, "up", start.shape[0]), start}), x});
  }
  return x;
}

void build_criteo(const DimensionReader& read, NetworkBuilder& builder, Network& network, bool cross) {
  const std::int64_t width = read.integer("embedding_dim", 128);
  const std::vector<std::int64_t> bottom = read.integers("bottom_mlp", {512, 256, 128});
  const std::vector<std::int64_t> top = read.integers("top_mlp", {1024, 1024, 512, 256, 1});
  const bool large = read.text("size", {"small", "large"}) == "large";
  const std::vector<std::int64_t> rows = read.integers("tables", large ? kCriteoLarge : kCriteoSmall);
  const std::int64_t layers = read.integer("dcn_layers", 3), rank = read.integer("dcn_rank", 512);
  read.integer("frequency_limit", large ? 3 : 15);
  if (bottom.back() != width)
    read.error("bottom_mlp", "the last number of \"bottom_mlp\" must be \"embedding_dim\"");
  if (layers > 1000) read.error("dcn_layers", "\"dcn_layers\" must be at most 1000");
  if (!read.ok()) return;
  const auto count = static_cast<std::int64_t>(rows.size());
  const Tensor found = tables(builder, rows, width);
  const Tensor dense = perceptron(builder, builder.sample({kDenseFeatures}), "bottom", bottom);
  Tensor x;
  if (cross) {
    x = builder.concat({dense, builder.reshape(found, {count * width})});
    x = cross_layers(builder, x, layers, rank);
  } else {
    const std::int64_t features = count + 1, pairs = features * (features - 1) / 2;
    const Tensor products =
        builder.add_operator("interaction", Interaction{features, width}, {dense, found}, {pairs});
    // Padded to an even width for the matrix units.
    x = builder.add_operator("concat", Concat{}, {dense, products}, {(width + pairs + 7) / 8 * 8});
  }
  builder.loss({perceptron(builder, x, "top", top)});
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(kDenseFeatures + count + 1);
  network.optimizer = cross ? "adagrad" : "sgd-momentum";
}

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::string kind = read.text("kind", {"ncf", "dlrm", "dcn"});
  if (kind == "ncf") {
    build_ncf(read, builder, network);
  } else {
    build_criteo(read, builder, network, kind == "dcn");
  }
}

}  // namespace

Family recommender_family() {
  return {"recommender",
          {{"kind", true, "ncf, dlrm or dcn"},
           {"users", false, "ncf"},
           {"items", false, "ncf"},
           {"mf", false, "ncf: width of the product"},
           {"mlp", false, "ncf: widths of the perceptron, the joined embeddings first"},
           {"embedding_dim", false, "width of the tables"},
           {"bottom_mlp", false, "widths on the dense features"},
           {"top_mlp", false, "widths on the interactions"},
           {"tables", false, "rows of each table"},
           {"size", false, "small or large: Criteo tables"},
           {"frequency_limit", false, "a remark: 15 goes with small, 3 with large"},
           {"dcn_layers", false, "cross layers"},
           {"dcn_rank", false, "their rank"}},
          build};
}

Family mlp_family() {
  return {"mlp",
          {{"widths", true, "input first, scores last"}},
          [](const DimensionReader& read, NetworkBuilder& builder, Network& network) {
            std::vector<std::int64_t> widths = read.integers("widths", {1, 1});
            if (widths.size() < 2) read.error("widths", "\"widths\" needs the input and at least one layer");
            if (!read.ok()) return;
            Tensor x = builder.sample({widths.front()});
            for (std::size_t i = 1; i < widths.size(); ++i) {
              x = builder.linear(x, "fc" + std::to_string(i), widths[i]);
              if (i + 1 < widths.size())
                x = builder.activation(x, Function::kRelu, "relu" + std::to_string(i));
            }
            builder.loss({x});
            set_image_dataset(network, {widths.front()}, "sample");
          }};
}

}  // namespace rigcast::workload
