#include <fmt/format.h>

#include <ostream>
#include <string>
#include <string_view>

#include "base/text.h"
#include "report/machine.h"

namespace rigcast::report {
namespace {

using hardware::DeviceType;
using hardware::LinkClass;

/// A DOT string: quotes and backslashes escaped, lines kept.
std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string_view shape(DeviceType type) {
  switch (type) {
    case DeviceType::kGpu:
      return "box, style=filled, fillcolor=palegreen";
    case DeviceType::kCpu:
      return "box, style=filled, fillcolor=lightblue";
    case DeviceType::kRam:
      return "box, style=filled, fillcolor=lightyellow";
    case DeviceType::kStorage:
      return "cylinder, style=filled, fillcolor=wheat";
    case DeviceType::kNic:
    case DeviceType::kNetworkSwitch:
      return "hexagon, style=filled, fillcolor=lavender";
    case DeviceType::kPcieSwitch:
    case DeviceType::kNvSwitch:
    case DeviceType::kBridge:
      return "diamond";
    case DeviceType::kSlot:
      return "box, style=dashed";
  }
  return "box";
}

std::string_view color(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::kGpuLink:
      return "forestgreen";
    case LinkClass::kSocket:
      return "steelblue";
    case LinkClass::kMemory:
      return "goldenrod";
    case LinkClass::kNetwork:
      return "purple";
    case LinkClass::kStorageBus:
      return "sienna";
    case LinkClass::kPcie:
      break;
  }
  return "black";
}

}  // namespace

void machine_dot(std::ostream& out, const hardware::Machine& machine) {
  out << "graph " << dot_text(machine.name) << " {\n  label="
      << dot_text(machine.nodes > 1 ? fmt::format("{}: one of {} equal nodes", machine.title, machine.nodes)
                                    : machine.title)
      << ";\n  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];\n";
  for (const hardware::Device& device : machine.devices)
    out << "  " << dot_text(device.id) << " [shape=" << shape(device.type)
        << ", label=" << dot_text(device.id + "\n" + describe(device)) << "];\n";
  for (const hardware::Link& link : machine.links)
    out << "  " << dot_text(machine.device(link.from).id) << " -- " << dot_text(machine.device(link.to).id)
        << " [color=" << color(link.link_class)
        << ", label=" << dot_text(describe(link) + "\n" + si(link.achievable.value, "B/s")) << "];\n";
  out << "}\n";
}

}  // namespace rigcast::report
