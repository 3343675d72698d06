#pragma once

/// How the GPUs of a machine are joined, as the interface's `interconnect` names it.

#include <string>

#include "hardware/draft.h"

namespace rigcast::hardware {

/// Replaces whatever joins the GPUs now by `name`: pcie1..pcie6, "pcie?", nvlink-bridge, nvlink-mesh,
/// nvswitch, xgmi, none, unknown. `domain` is the number of GPUs one NVSwitch fabric joins; 0: all of a node.
void set_interconnect(Draft& draft, const std::string& name, int domain);

/// What GPUs of this part are usually joined by in one box: "nvswitch", "nvlink-mesh", "xgmi", or "none" for
/// cards.
std::string usual_interconnect(const GpuPart& part, int count);

/// Drops the links between GPUs, and the NVSwitches.
void remove_peer_links(Draft& draft);

/// After another part took the places: keeps the shape of the links between GPUs with the new part's kind and
/// number, or removes them where the new part has none of that sort.
void refit_peer_links(Draft& draft, const GpuPart& before, const GpuPart& after);

}  // namespace rigcast::hardware
