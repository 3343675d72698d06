#include "cost/replicas.h"

#include <cmath>

#include "cost/gpu_model.h"

namespace rigcast::cost {

double expected_maximum(double n) { return std::sqrt(3.0) * (n - 1) / (n + 1); }

double slowest_replica(const plan::ResolvedPlan& plan, const hardware::Profile& profile) {
  if (plan.data < 2 || plan.mode != plan::Mode::kTraining || plan.method == plan::Method::kIndependent)
    return 1;
  const std::string member = execution_member(plan);
  const double same = profile.value("framework", member, "replica_spread");
  const double data = plan.dataset ? profile.value("framework", member, "data_spread") : 0;
  return 1 + expected_maximum(plan.data) * std::sqrt(same * same + data * data);
}

}  // namespace rigcast::cost
