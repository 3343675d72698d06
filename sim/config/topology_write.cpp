#include "config/topology.h"

/// Every figure of every device is written, so that the echo of a scenario shows all that a forecast rests on
/// and a reader of it needs no catalogue.

namespace rigcast::config {

using hardware::Device;
using hardware::Link;
using hardware::LinkClass;
using hardware::Machine;

namespace {

Value write_link(const Machine& machine, const Link& link) {
  LinkEntry entry;
  entry.from = machine.devices[link.from.index].id;
  entry.to = machine.devices[link.to.index].id;
  entry.kind = link.kind;
  (link.link_class == LinkClass::kPcie ? entry.lanes : entry.count) = link.count;
  entry.bandwidth = link.raw;
  entry.achievable = link.achievable;
  if (link.peer_achievable != link.achievable) entry.peer_achievable = link.peer_achievable;
  entry.latency = link.latency;
  return write_object([&](Fields& f) { describe(f, entry); });
}

}  // namespace

Value write_topology(const Machine& machine) {
  return write_object([&](Fields& f) {
    MachineHead head{machine.name,        machine.title,      machine.price, machine.usd_per_hour,
                     machine.max_power_w, machine.provenance, machine.notes};
    describe(f, head);
    int nodes = machine.nodes == 1 ? 0 : machine.nodes;
    f.number({"node_count", Need::kOptional, ""}, nodes, kCount);
    std::optional<bool> peer_access = machine.peer_access;
    f.flag({"p2p", Need::kOptional, ""}, peer_access);
    std::vector<Device> devices = machine.devices;
    f.list({"nodes", Need::kRequired, ""}, devices,
           [](Fields& inner, Device& device) { describe(inner, device, nullptr); });
    const auto links = [&]() -> std::optional<Value> {
      Value array = make_array();
      for (const Link& link : machine.links) array.elements.push_back(write_link(machine, link));
      return array;
    };
    f.custom({"links", Need::kRequired, ""}, {{}, links, {}});
  });
}

}  // namespace rigcast::config
