#pragma once

/// What is known of a part, machine or workload as a list of named values: the one description that tables,
/// single views and JSON are made of.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hardware/machine.h"
#include "hardware/parts.h"
#include "workload/network.h"

namespace rigcast::report {

/// monostate: not known, null in JSON.
using FactValue = std::variant<std::monostate, double, std::string, bool>;

struct Fact {
  std::string key;    ///< JSON name, ending in its unit: "memory_bytes"
  std::string label;  ///< for people: "memory"
  FactValue value;
  std::string
      unit;  ///< "B/s", "FLOP/s", ...; "GiB" prints bytes with binary prefixes; "" for counts and texts
};

/// `name`, `title` and `source` are always there, in this order at the front.
using Facts = std::vector<Fact>;

Facts facts(const hardware::GpuPart& part);
Facts facts(const hardware::CpuPart& part);
Facts facts(const hardware::LinkKind& part);
Facts facts(const hardware::StoragePart& part);
Facts facts(const hardware::SwitchPart& part);
Facts facts(const hardware::Machine& machine);
Facts facts(const workload::Network& network);

/// The value as a person reads it: "80.0 GiB", "312 TFLOP/s", "yes", "-" for what is not known.
std::string text_of(const Fact& fact);

}  // namespace rigcast::report
