#include "lower/lower.h"

#include <array>

#include "base/check.h"
#include "lower/state.h"

namespace rigcast::lower {
namespace {

struct Pass {
  const char* name;
  const char* purpose;
  void (*run)(State&);
};

/// The whole lowering, in order. Each pass reads what earlier ones decided and adds to the graph.
constexpr std::array<Pass, 10> kPasses = {{
    {"place_ranks", "which GPU, CPU and memory each data-parallel rank uses", place_ranks},
    {"resources", "links, memories, GPUs, storage and decode cores as shared resources with capacities",
     make_resources},
    {"kernels", "operators as kernels with their costs; runs between gradient buckets", cost_kernels},
    {"channels", "ways round all ranks for collectives, from the machine's graph", build_channels},
    {"input_pipeline", "storage or page cache, decode, copy to the GPU, with bounded prefetch",
     input_pipeline},
    {"compute", "host issue, forward and backward of every micro-batch", compute},
    {"spread_tables", "all-to-all of looked-up vectors where embedding tables are spread over the ranks",
     spread_tables},
    {"gradient_sync", "all-reduce of each gradient bucket, overlapped with the rest of backward",
     gradient_sync},
    {"optimizer", "the optimizer step, and the end of each iteration", optimizer_step},
    {"replicate", "one process for all GPUs: parameters sent to every GPU before each iteration", replicate},
}};

}  // namespace

Lowered lower(const plan::Scenario& scenario, const Options& options) {
  State state(scenario, options);
  for (const Pass& pass : kPasses) {
    pass.run(state);
    state.out.passes.push_back(
        {pass.name, pass.purpose, state.out.graph.size(), state.out.graph.edge_count()});
    if (options.stop_after == pass.name) break;
  }
  state.out.graph.seal();
  if (!options.verify) return std::move(state.out);
  const std::vector<std::string> faults = task::verify(state.out.graph, state.out.resources);
  RIG_CHECK(faults.empty(), faults.front().c_str());
  return std::move(state.out);
}

std::vector<PassReport> passes() {
  std::vector<PassReport> list;
  for (const Pass& pass : kPasses) list.push_back({pass.name, pass.purpose, 0, 0});
  return list;
}

}  // namespace rigcast::lower
