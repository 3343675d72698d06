#pragma once

/// A machine as tables for people and as a graph for Graphviz. (As a topology file: config::to_json.)

#include <iosfwd>

#include "hardware/machine.h"

namespace rigcast::report {

void machine_text(std::ostream& out, const hardware::Machine& machine);
void machine_dot(std::ostream& out, const hardware::Machine& machine);

/// "A100-SXM4-40GB, 40.0 GiB at 1.56 TB/s": a device in one line.
std::string describe(const hardware::Device& device);
/// "16 x pcie4" or "nvlink3".
std::string describe(const hardware::Link& link);

}  // namespace rigcast::report
