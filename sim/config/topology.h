#pragma once

/// Machines in files: topologies, and the object that composes a machine of parts or varies another one.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "config/fields.h"
#include "hardware/catalogue.h"
#include "hardware/compose.h"
#include "hardware/machine.h"

namespace rigcast::config {

/// Remarks and figures that both forms of a machine file carry.
struct MachineHead {
  std::string name, title;
  hardware::Price price;
  std::optional<double> usd_per_hour;
  double max_power_w = 0;
  hardware::Provenance provenance;
  std::vector<std::string> notes;
};
void describe(Fields& f, MachineHead& head);

/// One entry of `links`, as it is written.
struct LinkEntry {
  std::string from, to, kind;
  int lanes = 0, count = 0;  ///< 0: not given
  BytesPerSecond bandwidth, achievable, peer_achievable;
  std::optional<Seconds> latency;
  std::string note;
};
void describe(Fields& f, LinkEntry& link);

/// A device of a topology. With a catalogue, the figures begin as those of its part; the fields then change
/// them.
void describe(Fields& f, hardware::Device& device, const hardware::Catalogue* catalogue);
/// Figures only: what `set` may change of a device that exists already.
void describe_override(Fields& f, hardware::Device& device, const hardware::Catalogue& catalogue);

/// The fields of a machine object beside `base` and `set`.
void describe(Fields& f, hardware::Composition& composition);

/// The topology at the cursor; a link's pointer is that of its entry. Nothing when it had errors.
std::optional<hardware::Machine> read_topology(const Cursor& cursor, const hardware::Catalogue& catalogue,
                                               Diagnostics& diagnostics);

/// Applies the member `set` of a machine: device id (or "link:INDEX") -> fields to change.
void apply_set(const Cursor& set, hardware::Machine& machine, const hardware::Catalogue& catalogue,
               Diagnostics& diagnostics);

/// A machine as a topology, every figure of every device written out.
Value write_topology(const hardware::Machine& machine);

/// True for an object with a list of nodes; a number there is how many nodes a variant has.
bool is_topology(const Value& machine);

/// A device of that type with empty figures.
hardware::Device empty_device(hardware::DeviceType type);

}  // namespace rigcast::config
