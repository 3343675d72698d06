#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "report/facts.h"
#include "report/list.h"
#include "report/machine.h"
#include "report/words.h"

namespace rigcast::report {

void machine_text(std::ostream& out, const hardware::Machine& machine) {
  facts_text(out, facts(machine));

  std::size_t id = 2, type = 4, part = 4;
  for (const hardware::Device& device : machine.devices) {
    id = std::max(id, columns(device.id));
    type = std::max(type, columns(hardware::name(device.type)));
  }
  out << fmt::format("\nDevices{}\n",
                     machine.nodes > 1 ? fmt::format(" of one of {} equal nodes", machine.nodes) : "");
  for (const hardware::Device& device : machine.devices)
    out << fmt::format("  {}  {}  {}\n", fit(device.id, id), fit(hardware::name(device.type), type),
                       describe(device));

  for (const hardware::Link& link : machine.links) part = std::max(part, columns(describe(link)));
  out << "\nLinks, each direction: what large transfers reach, of the raw rate; latency\n";
  for (const hardware::Link& link : machine.links)
    out << fmt::format("  {}  {}  {}  {:>9} of {:>9}  {:>7}{}\n", fit(machine.device(link.from).id, id),
                       fit(machine.device(link.to).id, id), fit(describe(link), part),
                       si(link.achievable.value, "B/s"), si(link.raw.value, "B/s"),
                       si(link.latency.value, "s"), link.half_duplex ? "  both directions share it" : "");
  if (!machine.notes.empty()) out << "\nAssumed\n";
  for (const std::string& note : machine.notes) out << "  - " << note << '\n';
}

}  // namespace rigcast::report
