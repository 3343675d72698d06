#pragma once

/// Parts that transformer families share. Sequences are [tokens, width].

#include <string>

#include "workload/builder.h"

namespace rigcast::workload {

struct AttentionBlock {
  std::int64_t heads = 1, kv_heads = 1, head_dim = 64;
  bool fused_qkv = false;  ///< one product for queries, keys and values
  bool qkv_bias = true, out_bias = true;
  bool causal = false, mask = false;
  std::int64_t window = 0;
  bool rotary = false;
  bool qk_norm = false;  ///< RMS norm of each head's queries and keys
  bool dropout = true;   ///< on the probabilities
  bool sinks = false;    ///< one learned score a head that takes part in the softmax
};

/// Projections, products and output projection; keys and values come from `memory` when it is given.
Tensor attention_block(NetworkBuilder& builder, const Tensor& x, const Tensor* memory,
                       const AttentionBlock& options);

struct FeedForward {
  std::int64_t width = 0;  ///< of the inner layer
  Function function = Function::kGelu;
  bool gated = false;  ///< function(x W1) * (x W2), both in one product
  bool bias = true;
  bool inner_dropout = false;
};
Tensor feed_forward(NetworkBuilder& builder, const Tensor& x, const FeedForward& options);

/// Sub-layer output: dropout (if any), residual add, and a norm after it (post-norm) unless `norm` is "".
Tensor residual(NetworkBuilder& builder, const Tensor& x, const Tensor& branch, bool dropout,
                std::string_view norm, NormKind kind = NormKind::kLayer);

/// A lookup whose table another operator owns.
Tensor shared_embedding(NetworkBuilder& builder, const Tensor& indices, std::string_view name,
                        std::int64_t rows, std::int64_t width);

}  // namespace rigcast::workload
