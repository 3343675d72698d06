/// A layer list becomes a network in three steps: blocks, repeats and branches are unrolled into a flat list
/// of nodes whose inputs are earlier nodes or names; names are resolved, nearest scope first; and the nodes
/// are built in list order as far as their inputs allow (Kahn's algorithm with the lowest position first).
/// What is left over is a cycle.

#include "workload/layers.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>

#include "base/text.h"

namespace rigcast::workload {
namespace {

constexpr int kSample = -1;
constexpr std::size_t kMostNodes = 200000;

/// An input: a node, the sample, or a name to be resolved from a scope.
struct Reference {
  int node = kSample;
  std::string name;  ///< not empty: still a name
  std::string scope;
  const LayerSpec* reader = nullptr;
};

struct Node {
  const LayerSpec* spec = nullptr;
  const LayerType* type = nullptr;
  std::string name;
  std::vector<Reference> inputs;
};

class ListBuilder {
 public:
  ListBuilder(const WorkloadSpec& spec, Network& network, Diagnostics& diagnostics)
      : spec_(spec), diagnostics_(diagnostics), builder_(network, diagnostics) {}

  void run() {
    std::vector<Reference> out = expand(spec_.layers, "", {Reference{}});
    if (overflow_) return;
    resolve_names();
    const std::vector<std::size_t> order = sort();
    if (order.size() < nodes_.size()) return report_cycle(order);
    build_nodes(order);
  }

 private:
  std::vector<Reference> expand(const std::vector<LayerSpec>& list, const std::string& scope,
                                std::vector<Reference> incoming) {
    for (const LayerSpec& entry : list) {
      if (overflow_) return incoming;
      if (!entry.inputs.empty()) {
        incoming.clear();
        for (const std::string& name : entry.inputs) incoming.push_back({kSample, name, scope, &entry});
      }
      for (int round = 0; round < entry.repeat && !overflow_; ++round) {
        incoming = expand_once(entry, scope, round, std::move(incoming));
      }
      if (!entry.name.empty() && entry.type.empty()) alias(scope + entry.name, incoming);
    }
    return incoming;
  }

  std::vector<Reference> expand_once(const LayerSpec& entry, const std::string& scope, int round,
                                     std::vector<Reference> incoming) {
    const std::string number = entry.repeat > 1 ? "." + std::to_string(round) : "";
    if (!entry.type.empty()) return {add_node(entry, scope, number, std::move(incoming))};
    if (entry.layers.empty() == entry.branches.empty()) {
      diagnostics_.error(entry.origin,
                         "an entry without \"type\" must have either \"layers\" or \"branches\"");
      return incoming;
    }
    std::string inner = scope;
    if (!entry.name.empty()) {
      inner += entry.name + number + ".";
    } else if (entry.repeat > 1) {
      inner += "block" + number + ".";
    }
    if (!entry.layers.empty()) {
      std::vector<Reference> out = expand(entry.layers, inner, std::move(incoming));
      if (!entry.name.empty() && entry.repeat > 1) alias(scope + entry.name + number, out);
      return out;
    }
    std::vector<Reference> joined;
    for (const std::vector<LayerSpec>& branch : entry.branches) {
      for (Reference& out : expand(branch, inner, incoming)) joined.push_back(std::move(out));
    }
    return joined;
  }

  Reference add_node(const LayerSpec& entry, const std::string& scope, const std::string& number,
                     std::vector<Reference> incoming) {
    if (nodes_.size() >= kMostNodes) {
      overflow_ = true;
      diagnostics_.error(entry.origin,
                         "the list unrolls to more than " + std::to_string(kMostNodes) + " layers");
      return {};
    }
    Node node;
    node.spec = &entry;
    node.inputs = std::move(incoming);
    const int index = static_cast<int>(nodes_.size());
    node.name =
        scope + (entry.name.empty() ? entry.type + "_" + std::to_string(index + 1) : entry.name + number);
    for (const LayerType& type : layer_type_table()) {
      if (type.name == entry.type) node.type = &type;
    }
    if (!node.type) {
      diagnostics_.error(entry.origin, "unknown layer type \"" + entry.type + "\"",
                         did_you_mean(entry.type, layer_types()));
    } else if (!check_attributes(entry, *node.type, node.name, diagnostics_)) {
      node.type = nullptr;
    }
    if (!entry.name.empty()) {
      if (entry.name == "input")
        diagnostics_.error(entry.origin, "\"input\" names the sample and cannot name a layer");
      if (!by_name_.emplace(node.name, index).second) {
        diagnostics_.error(entry.origin, "two layers are named \"" + node.name + "\"");
      }
      if (!number.empty()) by_name_[scope + entry.name] = index;  // the last round goes by the plain name too
    }
    nodes_.push_back(std::move(node));
    return {index, "", "", nullptr};
  }

  /// A block's name stands for its output when it has one.
  void alias(const std::string& name, const std::vector<Reference>& out) {
    if (out.size() == 1 && out[0].name.empty() && out[0].node != kSample) by_name_.emplace(name, out[0].node);
  }

  void resolve_names() {
    for (Node& node : nodes_) {
      for (Reference& input : node.inputs) {
        if (input.name.empty() || resolve(input)) continue;
        std::vector<std::string> names;
        for (const auto& [name, index] : by_name_) names.push_back(name);
        names.emplace_back("input");
        diagnostics_.error(input.reader->origin,
                           "\"" + node.name + "\" reads \"" + input.name + "\", which is no layer",
                           did_you_mean(input.name, names));
        node.type = nullptr;
        input.name.clear();
      }
    }
  }

  bool resolve(Reference& input) const {
    if (input.name == "input") {
      input.name.clear();
      return true;
    }
    std::string scope = input.scope;
    while (true) {
      if (const auto found = by_name_.find(scope + input.name); found != by_name_.end()) {
        input.node = found->second;
        input.name.clear();
        return true;
      }
      if (scope.empty()) return false;
      scope.pop_back();
      const std::size_t dot = scope.rfind('.');
      scope.resize(dot == std::string::npos ? 0 : dot + 1);
    }
  }

  std::vector<std::size_t> sort() const {
    std::vector<std::vector<std::size_t>> readers(nodes_.size());
    std::vector<std::size_t> waiting(nodes_.size(), 0), order;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const Reference& input : nodes_[i].inputs) {
        if (input.node == kSample) continue;
        readers[static_cast<std::size_t>(input.node)].push_back(i);
        ++waiting[i];
      }
      if (waiting[i] == 0) ready.push(i);
    }
    while (!ready.empty()) {
      const std::size_t node = ready.top();
      ready.pop();
      order.push_back(node);
      for (std::size_t reader : readers[node]) {
        if (--waiting[reader] == 0) ready.push(reader);
      }
    }
    return order;
  }

  /// Every node left over has an input that is left over too: following those must close a circle.
  void report_cycle(const std::vector<std::size_t>& order) {
    std::vector<bool> done(nodes_.size(), false);
    for (std::size_t node : order) done[node] = true;
    const auto stuck = [&](const Node& node) {
      for (const Reference& input : node.inputs) {
        if (input.node != kSample && !done[static_cast<std::size_t>(input.node)])
          return static_cast<std::size_t>(input.node);
      }
      return nodes_.size();
    };
    std::size_t at = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
    std::vector<std::size_t> path;
    while (std::find(path.begin(), path.end(), at) == path.end()) {
      path.push_back(at);
      at = stuck(nodes_[at]);
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    path.push_back(at);
    std::string text;
    for (auto node = path.rbegin(); node != path.rend(); ++node) {
      text += (text.empty() ? "\"" : " -> \"") + nodes_[*node].name + "\"";
    }
    diagnostics_.error(nodes_[at].spec->origin, "the layers form a cycle: " + text);
  }

  void build_nodes(const std::vector<std::size_t>& order) {
    std::vector<Tensor> outputs(nodes_.size());
    std::vector<bool> read(nodes_.size(), false);
    const Tensor sample = builder_.sample(spec_.input);
    bool has_loss = false;
    for (std::size_t index : order) {
      const Node& node = nodes_[index];
      builder_.set_origin(node.spec->origin);
      std::vector<Tensor> inputs;
      for (const Reference& input : node.inputs) {
        inputs.push_back(input.node == kSample ? sample : outputs[static_cast<std::size_t>(input.node)]);
        if (input.node != kSample) read[static_cast<std::size_t>(input.node)] = true;
      }
      outputs[index] = build_node(node, inputs);
      has_loss = has_loss || node.spec->type == "loss";
    }
    if (has_loss) return;
    std::vector<Tensor> ends;
    for (std::size_t index : order) {
      if (!read[index]) ends.push_back(outputs[index]);
    }
    if (!ends.empty()) builder_.loss(ends);
  }

  Tensor build_node(const Node& node, const std::vector<Tensor>& inputs) {
    Tensor none;
    none.broken = true;
    if (!node.type) return none;
    for (const Tensor& input : inputs) {
      if (input.broken) return none;
    }
    const LayerType& type = *node.type;
    if (inputs.size() < type.least_inputs || (type.most_inputs > 0 && inputs.size() > type.most_inputs)) {
      std::string text = "\"" + node.name + "\" (" + node.spec->type + ") gets " +
                         std::to_string(inputs.size()) + " inputs (";
      for (std::size_t i = 0; i < inputs.size(); ++i)
        text += (i ? ", \"" : "\"") + builder_.name_of(inputs[i]) + "\"";
      text += "), but takes ";
      text += type.least_inputs == type.most_inputs ? std::to_string(type.least_inputs)
              : type.most_inputs == 0
                  ? std::to_string(type.least_inputs) + " or more"
                  : std::to_string(type.least_inputs) + " or " + std::to_string(type.most_inputs);
      return builder_.fail(std::move(text),
                           inputs.size() > 1 ? "join branches with add, multiply or concat" : "");
    }
    return type.apply(builder_, inputs, LayerReader(*node.spec), node.name);
  }

  const WorkloadSpec& spec_;
  Diagnostics& diagnostics_;
  NetworkBuilder builder_;
  std::vector<Node> nodes_;
  std::map<std::string, int, std::less<>> by_name_;
  bool overflow_ = false;
};

}  // namespace

void build_layers(const WorkloadSpec& spec, Network& network, Diagnostics& diagnostics) {
  if (spec.input.empty() || spec.input.size() > 4) {
    diagnostics.error(spec.origin,
                      "a layer list needs \"input\", the shape of a sample: one to four numbers");
    return;
  }
  for (std::int64_t extent : spec.input) {
    if (extent < 1 || extent > 1000000000) {
      diagnostics.error(spec.origin,
                        "\"input\" must hold whole numbers from 1 to 1e9, not " + to_text(spec.input));
      return;
    }
  }
  ListBuilder(spec, network, diagnostics).run();
}

}  // namespace rigcast::workload
