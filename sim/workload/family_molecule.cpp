/// SE(3)-Transformer (Fuchs et al. 2020, arXiv:2006.10503, as in NVIDIA DeepLearningExamples on QM9): atoms
/// carry features of degrees 0 to D (scalars, vectors, ...), 2d + 1 values a channel. The kernel of every
/// bond is made from its length by a small perceptron whose last layer is as wide as the whole kernel, and
/// that, written and read for every bond, is what a layer costs. Frequencies of a pair of degrees: 2 min + 1.

#include <algorithm>

#include "workload/family.h"

namespace rigcast::workload {
namespace {

struct Molecule {
  std::int64_t atoms, bonds, degrees, channels, heads;
  std::int64_t values() const { return degrees * degrees; }  // sum of 2d + 1
};

class Equivariant {
 public:
  Equivariant(NetworkBuilder& builder, const Molecule& molecule) : builder_(builder), m_(molecule) {}

  /// Features [bonds, in x values] by kernels made for each bond: [bonds, out x values of the output].
  Tensor convolution(const Tensor& atoms, std::string_view name, std::int64_t in, std::int64_t in_values,
                     std::int64_t out, std::int64_t out_values, std::int64_t frequencies) {
    if (atoms.broken) return atoms;
    NetworkBuilder::Scope scope(builder_, name);
    const std::int64_t bonds = m_.bonds;
    Tensor w = builder_.sample({bonds, 5});
    for (const char* layer : {"radial1", "radial2"}) {
      w = builder_.norm(builder_.linear(w, layer, 32), std::string(layer) + "_norm", NormKind::kLayer);
      w = builder_.activation(w, Function::kRelu);
    }
    w = builder_.linear(w, "radial3", frequencies * in * out, false);
    const Tensor from = builder_.copy(atoms, "to_bonds", {bonds, in * in_values});
    const Tensor basis = builder_.sample({bonds, in_values * frequencies * out_values});
    const Tensor turned =
        builder_.matmul({from, basis}, "basis", {bonds, in, frequencies * out_values, in_values},
                        {bonds, in * frequencies * out_values});
    return builder_.matmul({w, turned}, "kernel", {bonds, out, out_values, in * frequencies},
                           {bonds, out * out_values});
  }

  /// One product a degree on the atoms.
  Tensor linear(const Tensor& x, std::string_view name, std::int64_t in, std::int64_t out) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    std::vector<Tensor> parts;
    for (std::int64_t d = 0; d < m_.degrees; ++d) {
      const std::int64_t rows = m_.atoms * (2 * d + 1);
      parts.push_back(builder_.reshape(
          builder_.linear(builder_.slice(x, {rows, in}), "degree" + std::to_string(d), out, false),
          {rows * out}));
    }
    const Tensor all = builder_.concat(parts, "degrees");
    return builder_.reshape(all, {m_.atoms, out * m_.values()});
  }

  /// Lengths of the features through a norm and a function, and back onto them, degree by degree.
  Tensor norm(const Tensor& x, std::string_view name) {
    if (x.broken) return x;
    NetworkBuilder::Scope scope(builder_, name);
    std::vector<Tensor> parts;
    for (std::int64_t d = 0; d < m_.degrees; ++d) {
      const std::int64_t count = m_.atoms * m_.channels;
      const Tensor part = builder_.slice(x, {m_.atoms, m_.channels * (2 * d + 1)});
      Tensor length =
          builder_.add_operator("length", Activation{Function::kOther}, {part}, {m_.atoms, m_.channels});
      length = builder_.activation(builder_.norm(length, "norm", NormKind::kLayer), Function::kRelu);
      const Tensor scaled = builder_.add_operator("scale", Elementwise{true}, {part, length}, part.shape);
      parts.push_back(builder_.reshape(scaled, {count * (2 * d + 1)}));
    }
    return builder_.reshape(builder_.concat(parts, "degrees"), x.shape);
  }

  Tensor attention(const Tensor& x, std::int64_t in, bool first) {
    if (x.broken) return x;
    const std::int64_t half = m_.channels / 2, values = m_.values(), bonds = m_.bonds;
    // Scalars alone feed the first layer: keys have scalars only, values have every degree.
    const std::int64_t in_values = first ? 1 : values;
    std::int64_t frequencies = 0;
    for (std::int64_t a = 0; a < (first ? 1 : m_.degrees); ++a)
      for (std::int64_t b = 0; b < m_.degrees; ++b) frequencies += 2 * std::min(a, b) + 1;
    const Tensor pairs = convolution(x, "key_value", in, in_values, 2 * half, values, frequencies);
    const Tensor query = first ? builder_.linear(x, "query", half, false) : linear(x, "query", in, half);
    const Tensor asked = builder_.copy(query, "query_to_bonds", {bonds, half * in_values});
    const Tensor key = builder_.slice(pairs, {bonds, half * in_values});
    Tensor scores = builder_.add_operator("scores", Elementwise{true}, {key, asked}, {bonds, m_.heads});
    scores = builder_.softmax(scores);
    const Tensor value = builder_.slice(pairs, {bonds, half * values});
    const Tensor weighted = builder_.add_operator("weigh", Elementwise{true}, {value, scores}, value.shape);
    const Tensor summed = builder_.copy(weighted, "to_atoms", {m_.atoms, half * values});
    const Tensor joined = builder_.concat({summed, x}, "join");
    return linear(first ? builder_.slice(joined, {m_.atoms, (half + in) * values}) : joined, "project",
                  half + in, m_.channels);
  }

 private:
  NetworkBuilder& builder_;
  const Molecule& m_;
};

void build(const DimensionReader& read, NetworkBuilder& builder, Network& network) {
  Molecule m{};
  m.atoms = read.integer("atoms", 18);
  m.bonds = read.integer("bonds", 37);
  m.degrees = read.integer("degrees", 4);
  m.channels = read.integer("channels", 32);
  m.heads = read.integer("heads", 8);
  const std::int64_t layers = read.integer("layers", 7), out = read.integer("out", 128);
  if (layers > 1000) read.error("layers", "\"layers\" must be at most 1000");
  if (m.degrees > 16) read.error("degrees", "\"degrees\" must be at most 16");
  if (m.channels % 2 != 0) read.error("channels", "\"channels\" must be even");
  if (!read.ok()) return;
  constexpr std::int64_t kFeatures = 6;
  Equivariant net(builder, m);
  Tensor x = builder.sample({m.atoms, kFeatures});
  for (std::int64_t i = 0; i < layers; ++i) {
    NetworkBuilder::Scope scope(builder, "layer" + std::to_string(i));
    x = net.norm(net.attention(x, i == 0 ? kFeatures : m.channels, i == 0), "norm");
  }
  x = net.convolution(x, "last", m.channels, m.values(), out, 1, m.degrees);
  x = builder.copy(x, "to_atoms", {m.atoms, out});
  x = builder.token_mean(x, "pool");
  x = builder.activation(builder.linear(x, "fc1", out), Function::kRelu);
  builder.loss({builder.linear(x, "fc2", 1)});
  network.dataset.unit = "molecule";
  std::int64_t basis = 0;  // made beforehand by the host for every pair of degrees
  for (std::int64_t a = 0; a < m.degrees; ++a)
    for (std::int64_t b = 0; b < m.degrees; ++b)
      basis += (2 * a + 1) * (2 * b + 1) * (2 * std::min(a, b) + 1);
  network.dataset.decoded_bytes = 4.0 * static_cast<double>(m.bonds * basis);
  network.optimizer = "adam";
}

}  // namespace

Family equivariant_family() {
  return {"se3-transformer",
          {{"layers", false, "attention layers"},
           {"channels", false, "of each degree"},
           {"degrees", false, "0 to one less"},
           {"heads", false, "attention heads"},
           {"out", false, "scalars before the last perceptron"},
           {"atoms", false, "of a molecule, on average"},
           {"bonds", false, "both ways, on average"}},
          build};
}

}  // namespace rigcast::workload
