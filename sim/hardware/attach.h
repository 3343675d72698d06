#pragma once

/// What hangs on a machine besides CPUs and GPUs: memory, storage, network cards.

#include <vector>

#include "hardware/compose.h"
#include "hardware/draft.h"

namespace rigcast::hardware {

/// Shares the memory of a node out over its RAM devices.
void set_ram(Draft& draft, Bytes per_node);

/// Makes the list the machine's storage: an entry with the id of a device that is there takes its place,
/// others find a slot, lanes of a CPU, the chipset or a PCIe switch; network storage hangs on a network card.
/// What is not listed goes.
void set_storage(Draft& draft, const std::vector<StorageChoice>& choices);

/// Replaces the network cards (those that storage hangs on stay). kind "none" only removes.
void set_network(Draft& draft, const NetworkChoice& choice);

/// The network of a cluster of such machines that nobody described, by the generation of the GPUs' slots.
NetworkChoice usual_network(const Draft& draft);

}  // namespace rigcast::hardware
