#include "report/machine.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

using namespace hardware;

struct Describe {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const GpuPart& gpu) const {
    return fmt::format("{}, {} at {}", gpu.name, binary_bytes(gpu.memory.value),
                       si(gpu.memory_bandwidth.value, "B/s"));
  }
  std::string operator()(const CpuPart& cpu) const {
    return fmt::format("{}, {} cores, memory at {}", cpu.name, cpu.cores,
                       si(cpu.memory_bandwidth.value, "B/s"));
  }
  std::string operator()(const Ram& ram) const { return binary_bytes(ram.capacity.value) + " " + ram.kind; }
  std::string operator()(const StoragePart& storage) const {
    return fmt::format("{}, {}, reads {}", storage.name, si(storage.capacity.value, "B"),
                       si(storage.sequential_read.value, "B/s"));
  }
  std::string operator()(const SwitchPart& part) const {
    return part.ports > 0 ? fmt::format("{}, {} ports of {}", part.name, part.ports,
                                        si(part.port_bandwidth.value, "B/s"))
                          : part.name;
  }
  std::string operator()(const Slot& slot) const {
    return fmt::format("free: {}", fmt::join(slot.options, ", "));
  }
};

}  // namespace

std::string describe(const Device& device) {
  std::string text = std::visit(Describe{}, device.figures);
  if (device.count > 1) text = fmt::format("{} x {}", device.count, text);
  return text;
}

std::string describe(const Link& link) {
  return link.count > 1 ? fmt::format("{} x {}", link.count, link.kind) : link.kind;
}

}  // namespace rigcast::report
