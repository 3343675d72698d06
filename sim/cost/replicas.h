#pragma once

/// Replicas of a step never take the same time: chips, their temperatures, hosts and samples differ, and a
/// synchronous step is as slow as the slowest.

#include "hardware/profile.h"
#include "plan/scenario.h"

namespace rigcast::cost {

/// Mean of the largest of `n` >= 1 draws, in standard deviations above the mean, of what lies evenly between
/// two bounds: sqrt(3) (n - 1) / (n + 1). (Steps of many machines do not grow as a normal distribution's tail
/// has it.)
double expected_maximum(double n);

/// Time of the slowest of a step's replicas (`plan.data`) over their mean:
///   1 + expected_maximum(replicas) x sqrt(replica_spread^2 + data_spread^2),
/// the standard deviations of replicas that compute the same (`framework.NAME.replica_spread`) and of what
/// samples read from a data set add (`framework.NAME.data_spread`). 1 where replicas exchange nothing.
double slowest_replica(const plan::ResolvedPlan& plan, const hardware::Profile& profile);

}  // namespace rigcast::cost
