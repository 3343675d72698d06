#pragma once

/// JSON Schema of one published measurement: a line of a file of rows.

#include "config/json.h"

namespace rigcast::config {

Value rows_schema();

}  // namespace rigcast::config
