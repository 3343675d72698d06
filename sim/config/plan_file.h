#pragma once

/// The member `plan` of a scenario.

#include "base/diagnostics.h"
#include "config/fields.h"
#include "plan/plan.h"
#include "plan/scenario.h"

namespace rigcast::config {

/// The keys of a plan. Keys of the interface that ask for something this program cannot forecast are read
/// too: their neutral value is accepted, any other is an error that says so.
void describe(Fields& f, plan::Plan& plan);

/// A resolved plan with every field written, so that reading it again leaves nothing to default.
Value write_plan(const plan::ResolvedPlan& plan);

/// Dotted names of all keys ("batch_per_gpu", "input.storage"), for hints.
std::vector<std::string> plan_keys();

}  // namespace rigcast::config
