#pragma once

/// Links with the figures their kind implies: the one place where lanes, parallel links and overrides become
/// bandwidths.

#include <optional>

#include "hardware/catalogue.h"
#include "hardware/machine.h"

namespace rigcast::hardware {

/// What a file may say about a link besides its ends and kind.
struct LinkFigures {
  int count = 1;                      ///< lanes or parallel links
  std::optional<BytesPerSecond> raw;  ///< of the whole link; else the kind's times count
  std::optional<BytesPerSecond> achievable;
  std::optional<Seconds> latency;
};

/// Sets everything of a link but its ends and pointer. What is not given scales with the kind's own ratios.
void apply(Link& link, const LinkKind& kind, const LinkFigures& figures);

Link make_link(DeviceId from, DeviceId to, const LinkKind& kind, const LinkFigures& figures = {});

}  // namespace rigcast::hardware
