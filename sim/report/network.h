#pragma once

/// A network for people: its totals and its operators.

#include <iosfwd>

#include "workload/network.h"

namespace rigcast::report {

void network_text(std::ostream& out, const workload::Network& network);

}  // namespace rigcast::report
