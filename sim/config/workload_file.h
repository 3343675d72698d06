#pragma once

/// Workloads in files: a family with dimensions, a layer list, or totals.

#include "base/diagnostics.h"
#include "config/fields.h"
#include "workload/build.h"

namespace rigcast::config {

/// The keys of a workload file. Reading into a spec that is filled already changes what the file names and
/// keeps the rest.
void describe(Fields& f, workload::WorkloadSpec& spec);

/// The keys above, for telling them from dimensions.
std::vector<std::string> workload_keys();

/// A workload file again; reading it gives the same network.
Value write_workload(const workload::WorkloadSpec& spec);

/// Schema of one entry of `layers`, which refers to itself as "#/$defs/layer".
Value layer_schema();

}  // namespace rigcast::config
