#include <algorithm>

#include "base/check.h"
#include "lower/state.h"

namespace rigcast::lower {

/// Nodes are equal and do the same at the same time, so one of them is simulated: its ranks in full, the
/// others as what its network cards send and receive.
///
/// Ranks take the machine's GPUs in file order, which is the order drivers number them in. A rank's process
/// runs on the CPU nearest to its GPU and its pinned buffers lie in that CPU's memory.
void place_ranks(State& state) {
  const hardware::Machine& machine = state.scenario.machine;
  const auto gpus = machine.all(hardware::DeviceType::kGpu);
  const plan::ResolvedPlan& plan = state.scenario.plan;
  const auto count = static_cast<std::size_t>(plan.gpus / plan.nodes);
  RIG_CHECK(count <= gpus.size(), "a resolved plan uses no more GPUs than the machine has");
  for (std::size_t r = 0; r < count; ++r) {
    Rank rank;
    rank.gpu = gpus[r];
    rank.cpu = state.router.nearest_cpu(gpus[r]);
    rank.memory = state.router.nearest_memory(gpus[r]);
    state.ranks.push_back(rank);
  }
}

}  // namespace rigcast::lower
