#include "workload/network.h"

#include <doctest/doctest.h>

namespace {

using namespace rigcast::workload;

Operator conv_operator(Convolution conv, bool first = false) {
  Operator op;
  op.attributes = conv;
  op.first = first;
  return op;
}

Convolution strided_conv(bool transposed) {
  Convolution conv;
  conv.in_channels = 64;
  conv.out_channels = 128;
  conv.groups = 4;
  conv.input[1] = conv.input[2] = transposed ? 28 : 56;
  conv.output[1] = conv.output[2] = transposed ? 56 : 28;
  conv.kernel[1] = conv.kernel[2] = 3;
  conv.stride[1] = conv.stride[2] = 2;
  conv.transposed = transposed;
  return conv;
}

double work(const std::vector<MatrixWork>& products) {
  double sum = 0;
  for (const MatrixWork& p : products) sum += p.rows * p.n * p.k * p.count;
  return sum;
}

}  // namespace

TEST_CASE("the three products of a convolution hold equally many multiply-accumulates") {
  for (bool transposed : {false, true}) {
    const Operator op = conv_operator(strided_conv(transposed));
    // 28 x 28 positions, 128 outputs, 64 / 4 inputs a group, 3 x 3 taps.
    const double expected = 28.0 * 28 * 128 * 16 * 9;
    CHECK(forward_macs(op) == expected);
    CHECK(work(matrix_work(op, Pass::kForward)) == doctest::Approx(expected));
    CHECK(work(matrix_work(op, Pass::kDataGradient)) == doctest::Approx(expected));
    CHECK(work(matrix_work(op, Pass::kWeightGradient)) == doctest::Approx(expected));
  }
}

TEST_CASE("a convolution is an implicit product of patches and weights") {
  const Operator op = conv_operator(strided_conv(false));
  const MatrixWork forward = matrix_work(op, Pass::kForward).at(0);
  CHECK(forward.rows == 28 * 28);
  CHECK(forward.n == 32);
  CHECK(forward.k == 16 * 9);
  CHECK(forward.count == 4);
  const MatrixWork data = matrix_work(op, Pass::kDataGradient).at(0);
  CHECK(data.rows == 56 * 56);
  CHECK(data.n == 16);
  const MatrixWork weight = matrix_work(op, Pass::kWeightGradient).at(0);
  CHECK(weight.rows == 32);
  CHECK(weight.n == 16 * 9);
  CHECK(weight.k == 28 * 28);
  CHECK(weight.batch_in_k);
}

TEST_CASE("what reads the sample has no data gradient, what is frozen no weight gradient") {
  Operator op = conv_operator(strided_conv(false), true);
  CHECK(matrix_work(op, Pass::kDataGradient).empty());
  CHECK(matrix_work(op, Pass::kWeightGradient).size() == 1);
  op.frozen = true;
  CHECK(matrix_work(op, Pass::kWeightGradient).empty());
}

TEST_CASE("experts are a grouped product with evenly shared rows") {
  Operator op;
  op.attributes = Linear{1024, 256, 512, false, 8};
  const MatrixWork forward = matrix_work(op, Pass::kForward).at(0);
  CHECK(forward.count == 8);
  CHECK(forward.rows == 128);
  CHECK(work({forward}) == forward_macs(op));
  CHECK(work(matrix_work(op, Pass::kWeightGradient)) == forward_macs(op));
}

TEST_CASE("a batched product has two data gradients and no weights") {
  Operator op;
  op.attributes = BatchedMatmul{12, 64, 128, 32};
  CHECK(work(matrix_work(op, Pass::kDataGradient)) == 2 * forward_macs(op));
  CHECK(matrix_work(op, Pass::kWeightGradient).empty());
  CHECK(matrix_work(op, Pass::kForward).at(0).batch_in_count);
}

TEST_CASE("attention counts the pairs its mask lets through") {
  Attention attention;
  attention.queries = attention.keys = 4;
  CHECK(visible_pairs(attention) == 16);
  attention.causal = true;
  CHECK(visible_pairs(attention) == 1 + 2 + 3 + 4);
  attention.window = 2;
  CHECK(visible_pairs(attention) == 1 + 2 + 2 + 2);
  attention.window = 0;
  attention.keys = 7;  // three keys of memory before the first query
  CHECK(visible_pairs(attention) == 4 + 5 + 6 + 7);
  attention.window = 5;
  CHECK(visible_pairs(attention) == 4 + 5 + 5 + 5);
  attention.window = 2;
  CHECK(visible_pairs(attention) == 2 + 2 + 2 + 2);

  Operator op;
  attention.window = 0;
  attention.heads = 3;
  attention.qk_dim = 10;
  attention.v_dim = 20;
  op.attributes = attention;
  CHECK(forward_macs(op) == 3 * 22 * (10 + 20));
  attention.relative_position = true;
  op.attributes = attention;
  CHECK(forward_macs(op) == 3 * 22 * (2 * 10 + 20));
}

TEST_CASE("a recurrent layer multiplies input and state by each gate's matrices every step") {
  Operator op;
  op.attributes = Recurrent{Cell::kLstm, 100, 200, 50, 2, true};
  CHECK(forward_macs(op) == 4.0 * 2 * 50 * 200 * (100 + 200));
  op.repeat = 3;
  CHECK(forward_macs(op) == 3 * 4.0 * 2 * 50 * 200 * (100 + 200));
  op.attributes = Recurrent{Cell::kGru, 100, 200, 50, 1, true};
  op.repeat = 1;
  CHECK(forward_macs(op) == 3.0 * 50 * 200 * 300);
}
