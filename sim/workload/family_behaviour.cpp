/// Recommenders over what users did. Wide & Deep (Cheng et al. 2016, arXiv:1606.07792): one weight a category
/// beside a perceptron on embeddings. SIM (Qi et al. 2020, arXiv:2006.05639, as in NVIDIA
/// DeepLearningExamples): a long history is searched for what resembles the candidate; the best of it and a
/// short history, read by two GRUs (DIEN, Zhou et al. 2018, arXiv:1809.03672), decide. The second GRU's
/// update gate is scaled by attention, so no library call runs it: a handful of kernels a step.

#include "workload/family.h"

namespace rigcast::workload {
namespace {

Tensor perceptron(NetworkBuilder& builder, Tensor x, std::string_view name,
                  const std::vector<std::int64_t>& widths, Function function, bool dropout) {
  NetworkBuilder::Scope scope(builder, name);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    x = builder.activation(builder.linear(x, "fc" + std::to_string(i + 1), widths[i]), function);
    if (dropout) x = builder.dropout(x);
  }
  return builder.linear(x, "score", 1);
}

void build_wide_deep(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t tables = read.integer("tables", 24), rows = read.integer("rows", 30000);
  const std::int64_t width = read.integer("embedding_dim", 54), dense = read.integer("dense", 13);
  const std::vector<std::int64_t> widths = read.integers("mlp", {1024, 1024, 1024, 1024, 1024});
  if (tables > 10000) read.error("tables", "\"tables\" must be at most 10000");
  if (!read.ok()) return;
  std::vector<Tensor> deep, wide;
  // One lookup a feature, each on its own, for either part.
  for (std::int64_t i = 0; i < tables; ++i) {
    const std::string number = std::to_string(i + 1);
    deep.push_back(builder.reshape(
        builder.embedding(builder.sample({1}), "deep.table" + number, rows, width, true), {width}));
    wide.push_back(
        builder.reshape(builder.embedding(builder.sample({1}), "wide.table" + number, rows, 1, true), {1}));
  }
  deep.push_back(builder.sample({dense}));
  const Tensor score =
      perceptron(builder, builder.concat(deep, "join"), "deep", widths, Function::kRelu, true);
  Tensor linear = wide[0];
  if (wide.size() > 1) linear = builder.add(wide, "wide.sum");
  builder.loss({builder.add({score, linear}, "sum")});
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(tables + dense + 1);
  network.optimizer = "adam";
}

class Behaviour {
 public:
  Behaviour(NetworkBuilder& builder, std::int64_t width) : builder_(builder), width_(width) {}

  void set_rows(std::int64_t items, std::int64_t categories) {
    items_ = items;
    categories_ = categories;
  }

  /// Item and category of every step, side by side; the tables belong to the first lookup.
  Tensor embed(std::int64_t length, std::string_view name) {
    NetworkBuilder::Scope scope(builder_, name);
    const Tensor item = look_up(length, "item", items_), category = look_up(length, "category", categories_);
    owned_ = true;
    return builder_.multiply({builder_.concat({item, category}), builder_.sample({2 * width_})}, "mask");
  }

  /// Products with the candidate, softmax, weighted sum.
  Tensor attend(const Tensor& sequence, const Tensor& candidate, std::string_view name) {
    if (sequence.broken) return sequence;
    NetworkBuilder::Scope scope(builder_, name);
    const std::int64_t length = sequence.shape[0], width = sequence.shape[1];
    const Tensor product = builder_.multiply({sequence, candidate});
    Tensor scores = builder_.copy(product, "reduce", {1, length});
    scores = builder_.softmax(builder_.activation(scores, Function::kMask));
    const Tensor weighted =
        builder_.add_operator("weigh", Elementwise{true}, {sequence, scores}, sequence.shape);
    return builder_.copy(weighted, "sum", {width});
  }

 private:
  Tensor look_up(std::int64_t length, std::string_view name, std::int64_t rows) {
    const Tensor found = builder_.embedding(builder_.sample({length}), name, rows, width_, true);
    if (owned_) builder_.own(found, -static_cast<double>(rows * width_));
    return found;
  }

  NetworkBuilder& builder_;
  std::int64_t width_, items_ = 1, categories_ = 1;
  bool owned_ = false;
};

/// Two GRUs over the short history; the score unit between them sees four forms of every step.
Tensor evolve(NetworkBuilder& builder, const Tensor& sequence, const Tensor& candidate, std::int64_t hidden,
              Tensor& states) {
  if (sequence.broken) return sequence;
  NetworkBuilder::Scope scope(builder, "interest");
  const std::int64_t length = sequence.shape[0];
  RecurrentOptions gru;
  gru.cell = Cell::kGru;
  gru.hidden = hidden;
  states = builder.recurrent(sequence, "gru", gru);
  const Tensor item = builder.activation(builder.linear(candidate, "item", hidden), Function::kLeakyRelu);
  const Tensor tiled = builder.copy(item, "tile", {length, hidden});
  const Tensor difference = builder.add({tiled, states}, "difference");
  const Tensor product = builder.multiply({tiled, states}, "product");
  Tensor x = builder.concat({tiled, states, difference, product});
  x = builder.activation(builder.linear(x, "fc1", 80), Function::kSigmoid);
  x = builder.activation(builder.linear(x, "fc2", 40), Function::kSigmoid);
  x = builder.softmax(builder.reshape(builder.linear(x, "fc3", 1), {1, length}));
  RecurrentOptions gated = gru;
  gated.fused = false;
  const Tensor evolved = builder.recurrent(states, "attentional_gru", gated);
  return builder.slice(builder.add_operator("gate", Elementwise{true}, {evolved, x}, evolved.shape),
                       {hidden});
}

void build_sim(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  const std::int64_t width = read.integer("embedding_dim", 16), users = read.integer("users", 603668);
  const std::int64_t long_history = read.integer("long_history", 90), best = read.integer("best", 50);
  const std::int64_t short_history = read.integer("short_history", 10);
  Behaviour behaviour(builder, width);
  behaviour.set_rows(read.integer("items", 367983), read.integer("categories", 1601));
  if (short_history < 2) read.error("short_history", "\"short_history\" must be at least 2");
  if (!read.ok()) return;
  const Tensor candidate = builder.reshape(behaviour.embed(1, "candidate"), {2 * width});
  const Tensor user =
      builder.reshape(builder.embedding(builder.sample({1}), "user", users, width, true), {width});
  const Tensor past = behaviour.embed(long_history, "long_history");
  const Tensor recent = behaviour.embed(short_history, "short_history");
  const Tensor others = behaviour.embed(short_history, "negatives");
  if (past.broken || recent.broken || others.broken) return;
  const Tensor general = behaviour.attend(past, candidate, "search");
  const Tensor first = perceptron(builder, builder.concat({candidate, general, user}), "stage1", {200},
                                  Function::kLeakyRelu, false);
  const Tensor chosen = builder.copy(past, "choose", {best, 2 * width});
  const Tensor exact = behaviour.attend(chosen, candidate, "exact");
  const Tensor mean = builder.token_mean(chosen, "mean");
  Tensor states;
  const Tensor interest = evolve(builder, recent, candidate, 6 * width, states);
  std::vector<Tensor> scores = {first};
  for (const Tensor* next : {&recent, &others}) {
    const Tensor pairs = builder.concat({builder.slice(states, {short_history - 1, 6 * width}),
                                         builder.slice(*next, {short_history - 1, 2 * width})});
    scores.push_back(perceptron(builder, pairs, "next", {100, 50}, Function::kSigmoid, false));
  }
  scores.push_back(perceptron(builder, builder.concat({exact, mean, candidate, interest, user}), "stage2",
                              {200, 80}, Function::kLeakyRelu, false));
  builder.loss(scores);
  network.dataset.decoded_bytes = 8.0 * static_cast<double>(2 * (long_history + 2 * short_history + 1) + 2);
  network.optimizer = "adam";
}

}  // namespace

Family wide_deep_family() {
  return {"wide-deep",
          {{"tables", false, "categorical features"},
           {"rows", false, "of each table"},
           {"embedding_dim", false, "width of the tables"},
           {"dense", false, "numbers beside them"},
           {"mlp", false, "widths of the perceptron"}},
          build_wide_deep};
}

Family sim_family() {
  return {"sim",
          {{"embedding_dim", false, "width of the tables"},
           {"users", false, "rows"},
           {"items", false, "rows"},
           {"categories", false, "rows"},
           {"long_history", false, "steps searched"},
           {"best", false, "of them kept"},
           {"short_history", false, "latest steps"}},
          build_sim};
}

}  // namespace rigcast::workload
