#pragma once

/// The steps of resolve(), one a concern. Each fills its fields of the plan and reports what contradicts.

#include <string>
#include <string_view>
#include <vector>

#include "plan/scenario.h"

namespace rigcast::plan {

/// What the steps share.
struct Resolving {
  hardware::Machine& machine;
  const workload::Network& network;
  const Plan& plan;
  const hardware::Catalogue& catalogue;
  const OriginMap& origins;
  Diagnostics& diagnostics;
  ResolvedPlan& out;
  std::vector<std::string>& warnings;

  /// An error at a key of the plan, or at the first of the keys that the user wrote.
  void error(std::initializer_list<std::string_view> keys, std::string message, std::string hint = {}) const;
};

/// The machine with as many equal nodes as the plan's `nodes`, or its GPUs, ask for, and with network cards
/// to join them. A machine that says how many nodes it has keeps them.
hardware::Machine with_nodes(hardware::Machine machine, const Plan& plan,
                             const hardware::Catalogue& catalogue, Diagnostics& diagnostics);

/// GPUs, nodes, data-parallel ranks. False when the machine has no GPU or too few.
bool resolve_devices(Resolving& r);
/// Precision against what every GPU of the plan can do.
void resolve_precision(Resolving& r);
/// Global batch, batch of a rank, micro batch and accumulation from whichever of them were given.
void resolve_batch(Resolving& r);
void resolve_framework(Resolving& r);
/// Data set, storage, loader and workers. Adds the default device to a machine that has no storage.
void resolve_input(Resolving& r);

/// GPUs of a node in rank order.
std::vector<const hardware::GpuPart*> gpus_of_node(const hardware::Machine& machine);

/// True when the GPU has arithmetic for it.
bool supports(const hardware::GpuPart& gpu, Precision precision);

}  // namespace rigcast::plan
