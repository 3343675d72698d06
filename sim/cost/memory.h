#pragma once

/// The memory ledger: what each GPU and the host must hold, by purpose.

#include <string>
#include <vector>

#include "plan/scenario.h"

namespace rigcast::cost {

struct GpuMemory {
  std::string id;
  Bytes capacity;
  Bytes parameters, master_weights, gradients, optimizer, activations, kv_cache, workspace, communication,
      reserved, context;
  Bytes used() const {
    return parameters + master_weights + gradients + optimizer + activations + kv_cache + workspace +
           communication + reserved + context;
  }
};

struct HostMemory {
  Bytes capacity;
  Bytes pinned, page_cache, offload, workers;
  Bytes used() const { return pinned + page_cache + offload + workers; }
};

/// Bytes an operator keeps for its backward pass, the whole micro-batch.
struct OperatorMemory {
  std::string name;
  std::string kind;
  Bytes parameters, saved;
};

struct MemoryLedger {
  bool fits = true;             ///< every GPU and the host
  std::vector<GpuMemory> gpus;  ///< the GPUs of the plan, by rank
  HostMemory host;
  std::vector<OperatorMemory> operators;
};

MemoryLedger memory(const plan::Scenario& scenario);

/// Largest batch a rank can take with everything else unchanged (whole micro-batch, no accumulation change);
/// 0 when none.
double largest_batch_that_fits(const plan::Scenario& scenario);

}  // namespace rigcast::cost
