#pragma once

/// The arithmetic of one operator's time.

#include <iosfwd>

#include "study/explain_operator.h"

namespace rigcast::report {

void operator_text(std::ostream& out, const study::OperatorStory& story);
void operator_json(std::ostream& out, const study::OperatorStory& story);

}  // namespace rigcast::report
