/// Nodes that only the plan asks for: a job over four of a named server says how many GPUs it has, not how
/// the servers are joined. They are joined by the network cards of the server, or by the usual ones where the
/// plan says `nodes`; a machine without cards that is asked for more GPUs than it has is a mistake.

#include <fmt/format.h>

#include "hardware/compose.h"
#include "plan/resolve.h"

namespace rigcast::plan {

namespace {
constexpr int kLargestTray = 16;  ///< GPUs on one NVLink fabric inside a box
}

hardware::Machine with_nodes(hardware::Machine machine, const Plan& plan,
                             const hardware::Catalogue& catalogue, Diagnostics& diagnostics) {
  const int each = static_cast<int>(gpus_of_node(machine).size());
  if (each == 0) return machine;
  const int asked = plan.gpus.value_or(plan.parallel.data.value_or(each));
  if (machine.nodes > 1) {
    // A rack whose GPUs share one NVLink domain is one node here, though its trays may be counted as nodes.
    const int trays = asked / machine.nodes;
    if (each > kLargestTray && trays > 0 && trays < each) machine.nodes = (asked + each - 1) / each;
    return machine;
  }
  const bool cards = !machine.all(hardware::DeviceType::kNic).empty();
  const int nodes = plan.nodes.value_or(cards ? (asked + each - 1) / each : 1);
  if (nodes < 2) return machine;
  machine.nodes = nodes;
  if (!plan.nodes)
    machine.notes.push_back(
        fmt::format("{} GPUs asked for, {} a node: {} equal nodes assumed", asked, each, nodes));
  if (cards) return machine;
  hardware::Composition composition;
  composition.nodes = nodes;
  auto joined = hardware::vary(catalogue, machine, composition, {"", 0, 0, "/machine"}, diagnostics);
  return joined ? *std::move(joined) : machine;
}

}  // namespace rigcast::plan
