#pragma once

/// Parts in files: topologies/parts/*.json, and the figures that a device of a topology gives itself.

#include <string>

#include "base/diagnostics.h"
#include "config/fields.h"
#include "hardware/catalogue.h"
#include "hardware/machine.h"

namespace rigcast::config {

/// A part stands in the catalogue with its id and name, or in a device that has an id of its own.
enum class Form { kCatalogue, kDevice };

void describe(Fields& f, hardware::GpuPart& part, Form form);
void describe(Fields& f, hardware::CpuPart& part, Form form);
void describe(Fields& f, hardware::LinkKind& kind, Form form);
void describe(Fields& f, hardware::StoragePart& part, Form form);
void describe(Fields& f, hardware::SwitchPart& part, Form form);
/// `source`, `note`, doubts, and the remarks every part and machine may carry.
void describe_provenance(Fields& f, hardware::Provenance& provenance, Need source);
void describe_price(Fields& f, hardware::Price& price);

/// Adds the parts and constants of one file to the catalogue; an id that is there already is replaced.
void read_parts(std::string_view text, const std::string& file, hardware::Catalogue& catalogue,
                Diagnostics& diagnostics);

/// Adds the constants of a profile, {"date", "constants": {KEY: {"value", "unit", "source", "low", "high",
/// "uncertainty"}}}, and takes its residuals where it has any.
void read_profile(std::string_view text, const std::string& file, hardware::Catalogue& catalogue,
                  Diagnostics& diagnostics);

}  // namespace rigcast::config
