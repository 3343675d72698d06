#pragma once

/// Lists of what the catalogue holds, and single entries of it.

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "report/facts.h"

namespace rigcast::report {

struct Listing {
  std::string kind;                  ///< "gpus"
  std::vector<std::string> columns;  ///< keys of the facts the text shows after the name
  std::vector<Facts> rows;
};

void list_text(std::ostream& out, const std::vector<Listing>& listings);
/// An array, or with `by_kind` an object of arrays.
void list_json(std::ostream& out, const std::vector<Listing>& listings, bool by_kind);

/// One entry: every fact that is known.
void facts_text(std::ostream& out, const Facts& facts);
void facts_json(std::ostream& out, const Facts& facts);

}  // namespace rigcast::report
