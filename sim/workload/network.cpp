/// Work of operators. One multiply-accumulate of the forward pass of a weighted layer happens once more in
/// each gradient, so the three products of a convolution hold equally many:
///   forward          out[M, N] = patches[M, K] x weight[K, N],  M = output pixels, N = C_out/g, K = C_in/g x
///   kernel data gradient    M = input pixels, N = C_in/g, K = what is left: C_out/g x kernel x output pixels
///   / input pixels weight gradient  M = C_out/g, N = C_in/g x kernel, K = output pixels (this one grows with
///   the batch)
/// A transposed convolution is the data gradient of an ordinary one, with the roles of its passes exchanged.

#include "workload/network.h"

#include <algorithm>

namespace rigcast::workload {
namespace {

template <class... Handlers>
struct Overload : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overload(Handlers...) -> Overload<Handlers...>;

double product(const std::int64_t (&extent)[3]) {
  return static_cast<double>(extent[0]) * static_cast<double>(extent[1]) * static_cast<double>(extent[2]);
}

double macs(const Convolution& conv) {
  const double pixels = product(conv.transposed ? conv.input : conv.output);
  return pixels * static_cast<double>(conv.out_channels) * static_cast<double>(conv.in_channels) /
         static_cast<double>(conv.groups) * product(conv.kernel);
}

std::vector<MatrixWork> work(const Convolution& conv, Pass pass, bool first) {
  const double groups = static_cast<double>(conv.groups);
  const double in = static_cast<double>(conv.in_channels) / groups;
  const double out = static_cast<double>(conv.out_channels) / groups;
  const double in_pixels = product(conv.input), out_pixels = product(conv.output),
               kernel = product(conv.kernel);
  // Pixels at which the whole kernel is applied, and the other side.
  const double dense_pixels = conv.transposed ? in_pixels : out_pixels;
  switch (pass) {
    case Pass::kForward:
      if (!conv.transposed) return {{out_pixels, out, in * kernel, groups, false, false}};
      return {{out_pixels, out, in * kernel * in_pixels / out_pixels, groups, false, false}};
    case Pass::kDataGradient:
      if (first) return {};
      if (conv.transposed) return {{in_pixels, in, out * kernel, groups, false, false}};
      return {{in_pixels, in, out * kernel * out_pixels / in_pixels, groups, false, false}};
    case Pass::kWeightGradient:
      return {{conv.transposed ? in : out, (conv.transposed ? out : in) * kernel, dense_pixels, groups, false,
               true}};
  }
  return {};
}

std::vector<MatrixWork> work(const Linear& linear, Pass pass, bool first) {
  const double experts = static_cast<double>(linear.experts),
               rows = static_cast<double>(linear.rows) / experts;
  const double in = static_cast<double>(linear.in), out = static_cast<double>(linear.out);
  switch (pass) {
    case Pass::kForward:
      return {{rows, out, in, experts, false, false}};
    case Pass::kDataGradient:
      if (first) return {};
      return {{rows, in, out, experts, false, false}};
    case Pass::kWeightGradient:
      return {{out, in, rows, experts, false, true}};
  }
  return {};
}

std::vector<MatrixWork> work(const BatchedMatmul& matmul, Pass pass, bool first) {
  const double m = static_cast<double>(matmul.m), n = static_cast<double>(matmul.n);
  const double k = static_cast<double>(matmul.k), count = static_cast<double>(matmul.count);
  switch (pass) {
    case Pass::kForward:
      return {{m, n, k, count, true, false}};
    case Pass::kDataGradient:
      if (first) return {};
      return {{m, k, n, count, true, false}, {k, n, m, count, true, false}};
    case Pass::kWeightGradient:
      return {};
  }
  return {};
}

}  // namespace

double Network::parameters() const {
  double sum = 0;
  for (const Operator& op : operators) sum += op.parameters;
  return sum;
}

std::string_view kind_name(const Attributes& attributes) {
  return std::visit(
      Overload{
          [](const Convolution& conv) -> std::string_view {
            const bool flat = conv.input[0] == 1 && conv.output[0] == 1 && conv.kernel[0] == 1;
            const bool line = flat && conv.input[1] == 1 && conv.output[1] == 1 && conv.kernel[1] == 1;
            if (conv.transposed)
              return line ? "transposed-conv1d" : flat ? "transposed-conv2d" : "transposed-conv3d";
            return line ? "conv1d" : flat ? "conv2d" : "conv3d";
          },
          [](const Linear&) -> std::string_view { return "linear"; },
          [](const BatchedMatmul&) -> std::string_view { return "matmul"; },
          [](const Attention&) -> std::string_view { return "attention"; },
          [](const Normalisation& norm) -> std::string_view {
            switch (norm.kind) {
              case NormKind::kBatch:
                return "batch-norm";
              case NormKind::kLayer:
                return "layer-norm";
              case NormKind::kGroup:
                return "group-norm";
              case NormKind::kInstance:
                return "instance-norm";
              case NormKind::kRms:
                return "rms-norm";
            }
            return "batch-norm";
          },
          [](const Activation& activation) -> std::string_view {
            switch (activation.function) {
              case Function::kRelu:
                return "relu";
              case Function::kGelu:
                return "gelu";
              case Function::kSilu:
                return "silu";
              case Function::kSigmoid:
                return "sigmoid";
              case Function::kTanh:
                return "tanh";
              case Function::kHardSwish:
                return "hard-swish";
              case Function::kLeakyRelu:
                return "leaky-relu";
              case Function::kExp:
                return "exp";
              case Function::kMask:
                return "mask";
              case Function::kRotary:
                return "rotary";
              case Function::kOther:
                return "activation";
            }
            return "activation";
          },
          [](const Elementwise& elementwise) -> std::string_view {
            return elementwise.multiply ? "multiply" : "add";
          },
          [](const Dropout&) -> std::string_view { return "dropout"; },
          [](const Softmax&) -> std::string_view { return "softmax"; },
          [](const Concat&) -> std::string_view { return "concat"; },
          [](const Copy&) -> std::string_view { return "copy"; },
          [](const Resize&) -> std::string_view { return "resize"; },
          [](const Pool& pool) -> std::string_view {
            if (pool.global) return "global-average-pool";
            return pool.average ? "average-pool" : "max-pool";
          },
          [](const Embedding&) -> std::string_view { return "embedding"; },
          [](const Recurrent& recurrent) -> std::string_view {
            switch (recurrent.cell) {
              case Cell::kVanilla:
                return "rnn";
              case Cell::kLstm:
                return "lstm";
              case Cell::kGru:
                return "gru";
            }
            return "lstm";
          },
          [](const Interaction&) -> std::string_view { return "interaction"; },
          [](const Loss&) -> std::string_view { return "loss"; },
          [](const Totals&) -> std::string_view { return "totals"; },
      },
      attributes);
}

double visible_pairs(const Attention& attention) {
  const double queries = static_cast<double>(attention.queries), keys = static_cast<double>(attention.keys);
  const double window = attention.window > 0 ? std::min(static_cast<double>(attention.window), keys) : keys;
  if (!attention.causal) return queries * window;
  // Query i (from 0) stands at position keys - queries + i and sees itself and what is before, at most
  // `window`.
  const double before = std::max(0.0, keys - queries);
  const double growing = std::clamp(window - before, 0.0, queries);  // queries that see fewer than `window`
  return growing * before + growing * (growing + 1) / 2 + (queries - growing) * window;
}

int gates(Cell cell) {
  switch (cell) {
    case Cell::kVanilla:
      return 1;
    case Cell::kLstm:
      return 4;
    case Cell::kGru:
      return 3;
  }
  return 1;
}

double forward_macs(const Operator& op) {
  const double once = std::visit(
      Overload{
          [](const Convolution& conv) { return macs(conv); },
          [](const Linear& linear) {
            return static_cast<double>(linear.rows) * static_cast<double>(linear.in) *
                   static_cast<double>(linear.out);
          },
          [](const BatchedMatmul& matmul) {
            return static_cast<double>(matmul.count) * static_cast<double>(matmul.m) *
                   static_cast<double>(matmul.n) * static_cast<double>(matmul.k);
          },
          [](const Attention& attention) {
            const double score =
                static_cast<double>(attention.qk_dim) * (attention.relative_position ? 2 : 1);
            return static_cast<double>(attention.heads) * visible_pairs(attention) *
                   (score + static_cast<double>(attention.v_dim));
          },
          [](const Recurrent& recurrent) {
            return static_cast<double>(gates(recurrent.cell)) * static_cast<double>(recurrent.directions) *
                   static_cast<double>(recurrent.steps) * static_cast<double>(recurrent.hidden) *
                   static_cast<double>(recurrent.input + recurrent.hidden);
          },
          [](const Interaction& interaction) {
            return static_cast<double>(interaction.features) * static_cast<double>(interaction.features) *
                   static_cast<double>(interaction.width);
          },
          [](const Totals& totals) { return totals.forward_macs; },
          [](const auto&) { return 0.0; },
      },
      op.attributes);
  return once * op.repeat;
}

double forward_macs(const Network& network) {
  double sum = 0;
  for (const Operator& op : network.operators) sum += forward_macs(op);
  return sum;
}

std::vector<MatrixWork> matrix_work(const Operator& op, Pass pass) {
  if (pass == Pass::kWeightGradient && op.frozen) return {};
  return std::visit(Overload{
                        [&](const Convolution& conv) { return work(conv, pass, op.first); },
                        [&](const Linear& linear) { return work(linear, pass, op.first); },
                        [&](const BatchedMatmul& matmul) { return work(matmul, pass, op.first); },
                        [](const auto&) { return std::vector<MatrixWork>{}; },
                    },
                    op.attributes);
}

}  // namespace rigcast::workload
