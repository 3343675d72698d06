#include "cost/replicas.h"

#include <array>
#include <cmath>

#include "cost/gpu_model.h"

namespace rigcast::cost {
namespace {

/// Of 1, 2, 4, ... 1024 draws; each further doubling adds about a fifth.
constexpr std::array<double, 11> kLargest = {0,      0.5642, 1.0294, 1.4236, 1.7660, 2.0697,
                                             2.3437, 2.5947, 2.8269, 3.0439, 3.2482};
constexpr double kDoubling = 0.19;

}  // namespace

double expected_maximum(double n) {
  double value = 0;
  std::size_t power = 0;
  for (; n >= 2; n /= 2) ++power;
  if (power >= kLargest.size())
    return kLargest.back() + kDoubling * static_cast<double>(power + 1 - kLargest.size());
  value = kLargest[power];
  const double next = power + 1 < kLargest.size() ? kLargest[power + 1] : value + kDoubling;
  return n > 1 ? value + (n - 1) * (next - value) : value;  // between powers of two: linear, within 0.02
}

double slowest_replica(const plan::ResolvedPlan& plan, const hardware::Profile& profile) {
  if (plan.data < 2 || plan.mode != plan::Mode::kTraining || plan.method == plan::Method::kIndependent)
    return 1;
  const std::string member = execution_member(plan);
  const double same = profile.value("framework", member, "replica_spread");
  const double data = plan.dataset ? profile.value("framework", member, "data_spread") : 0;
  return 1 + expected_maximum(plan.data) * std::sqrt(same * same + data * data);
}

}  // namespace rigcast::cost
