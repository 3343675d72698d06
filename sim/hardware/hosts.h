#pragma once

/// CPUs and what joins them to the GPUs.

#include <string>

#include "hardware/compose.h"
#include "hardware/draft.h"

namespace rigcast::hardware {

/// How many of a CPU's socket links a board uses: all of Intel's, three of EPYC's four when that leaves lanes
/// for cards.
int used_socket_links(const CpuPart& part);

/// Puts `part` into every socket: socket links, memory and PCIe generation follow.
void replace_cpu(Draft& draft, const CpuPart& part);

/// One or two sockets; what hung on a removed one moves to the first, an added one takes the second half of
/// the first's cards.
void set_sockets(Draft& draft, int sockets);

/// "pcie1".."pcie6": generation of the links between CPUs and GPUs; "nvlink-cpu", "c2c": NVLink in their
/// place.
void set_host_link(Draft& draft, const std::string& kind);

/// Gives every device the socket of the CPU it is nearest to.
void settle_sockets(Draft& draft);

/// Lanes of each GPU's own link.
void set_lanes(Draft& draft, int lanes);

}  // namespace rigcast::hardware
