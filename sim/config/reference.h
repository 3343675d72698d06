#pragma once

/// Machines and workloads as scenarios refer to them: by name, by path, or written out in place; and what
/// both have in common.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "config/load.h"

namespace rigcast::config {

/// What loading needs on every step.
struct Loading {
  const Library& library;
  ReadFile read_file = nullptr;
  Diagnostics& diagnostics;
  /// Names and paths being loaded, outermost first: a variant of itself is an error.
  std::vector<std::string> chain = {};
  /// Where the user's own machine file is noted, under its own pointers; null: nowhere.
  plan::OriginMap* origins = nullptr;
};

/// Notes where every leaf below the cursor was written.
void record_origins(const Cursor& cursor, plan::OriginMap& origins);

/// A document that was found by name or path. `value` is parsed; `file` is what messages call it.
struct Document {
  std::string name;  ///< of the machine or workload, from the file's name
  Value value;
  bool shipped = false;
};

/// Finds `text` in `table`, else reads it as a path (anything with a slash or a dot); paths in a file are
/// relative to the file's folder first. Reports what is found nowhere as `no KIND "text"`.
std::optional<Document> find_document(Loading& loading,
                                      const std::vector<std::pair<std::string, Source>>& table,
                                      std::string_view kind, const std::string& text, const Origin& origin);

/// The machine a scenario or a variant refers to: a text, a topology, or a machine object. Not yet checked as
/// a whole.
std::optional<hardware::Machine> read_machine(Loading& loading, const Cursor& cursor);
/// The description of a workload: a text, a workload, or {"base": ..., changes}.
std::optional<workload::WorkloadSpec> read_workload(Loading& loading, const Cursor& cursor);

/// Parses an inline object given where a name may stand ("{...}"); other texts become text values of that
/// origin.
std::optional<Value> name_or_inline(const std::string& text, const std::string& file,
                                    Diagnostics& diagnostics);

/// The keys of a machine object; --set asks where a field belongs.
std::vector<std::string> machine_object_keys();

}  // namespace rigcast::config
