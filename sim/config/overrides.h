#pragma once

/// --set PATH=VALUE on a scenario that is not read yet.

#include <string>

#include "base/diagnostics.h"
#include "config/json.h"

namespace rigcast::config {

/// Puts VALUE (JSON, else a bare text) at the dotted PATH of the scenario {"machine", "workload", "plan"}.
/// Setting a field of a machine or workload given by name or path makes it a variant, {"base": NAME, ...}.
void apply_override(Value& scenario, const std::string& path, const std::string& value,
                    Diagnostics& diagnostics);

}  // namespace rigcast::config
