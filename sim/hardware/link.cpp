#include "hardware/link.h"

namespace rigcast::hardware {

void apply(Link& link, const LinkKind& kind, const LinkFigures& figures) {
  link.kind = kind.id;
  link.link_class = kind.link_class;
  link.count = figures.count;
  link.raw = figures.raw.value_or(kind.raw * figures.count);
  const double scale = link.raw / kind.raw;
  link.achievable = figures.achievable.value_or(kind.achievable * scale);
  link.peer_achievable = kind.peer_achievable.value > 0 ? kind.peer_achievable * scale : link.achievable;
  link.latency = figures.latency.value_or(kind.latency);
  link.half_duplex = kind.half_duplex;
}

Link make_link(DeviceId from, DeviceId to, const LinkKind& kind, const LinkFigures& figures) {
  Link link;
  link.from = from;
  link.to = to;
  apply(link, kind, figures);
  return link;
}

}  // namespace rigcast::hardware
