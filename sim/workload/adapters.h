#pragma once

/// Low-rank adapters (Hu et al. 2021, arXiv:2106.09685).

#include "workload/network.h"

namespace rigcast::workload {

/// Freezes every weight and gives each linear layer with a weight of its own two small trained ones beside
/// it: out += (in x A) x B, A [in, rank], B [rank, out].
void add_adapters(Network& network, std::int64_t rank);

}  // namespace rigcast::workload
