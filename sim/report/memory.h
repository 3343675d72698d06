#pragma once

/// The memory ledger for people and scripts.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "study/forecast.h"

namespace rigcast::report {

/// What would make the scenario fit, or leave more room; each one was tried.
struct Remedy {
  std::string text;      ///< "batch 96 instead of 128 a GPU"
  Bytes used, capacity;  ///< of the fullest GPU with it
};

struct MemoryFindings {
  cost::MemoryLedger ledger;
  std::optional<double> largest_batch_that_fits;
  std::vector<Remedy> remedies;
};

void memory_text(std::ostream& out, const plan::Scenario& scenario, const MemoryFindings& findings,
                 bool colored);
void memory_json(std::ostream& out, const MemoryFindings& findings);

/// The GPU with the least room left; nothing when the plan uses none.
const cost::GpuMemory* fullest_gpu(const cost::MemoryLedger& ledger);

/// A part of a ledger by its name in JSON.
struct MemoryPart {
  const char* name;
  Bytes bytes;
};
std::vector<MemoryPart> parts(const cost::GpuMemory& gpu);
std::vector<MemoryPart> parts(const cost::HostMemory& host);

}  // namespace rigcast::report
