#pragma once

/// What runs of TensorFlow's tf_cnn_benchmarks have in common and no table states.

#include "config/json.h"
#include "study/row.h"

namespace rigcast::study {

/// Replaces the fields of a row's scenario that follow from that program; other rows are left alone.
void apply_tf_cnn_benchmarks(const Row& row, config::Value& scenario);

}  // namespace rigcast::study
