#pragma once

/// What runs of the GPU vendor's published examples (NVIDIA/DeepLearningExamples) have in common and no table
/// states; other publishers run them too.

#include "config/json.h"
#include "study/row.h"

namespace rigcast::study {

/// Whether the row's publisher ran the vendor's scripts.
bool runs_vendor_example(const Row& row);

/// Replaces the fields of a row's scenario that follow from those scripts; other rows are left alone.
void apply_vendor_examples(const Row& row, config::Value& scenario);

}  // namespace rigcast::study
