/// The kernels are those of the forecast. Which constants they rest on is found by moving each constant that
/// the GPU's model looked up by one percent and costing the operator again, so the list cannot drift from the
/// models.

#include "study/explain_operator.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/math.h"
#include "cost/operator_kernels.h"
#include "hardware/routing.h"

namespace rigcast::study {
namespace {

constexpr double kNudge = 0.01;
constexpr double kNoEffect = 1e-4;

struct Costed {
  cost::GpuModel model;
  std::vector<KernelStory> kernels;
  Seconds time, host;
};

Costed cost_operator(const plan::Scenario& scenario, std::size_t op, const hardware::Profile& profile) {
  const auto gpus = scenario.machine.all(hardware::DeviceType::kGpu);
  const hardware::Router router(scenario.machine);
  const hardware::GpuPart& gpu = scenario.machine.device(gpus.front()).gpu();
  const hardware::CpuPart& cpu = scenario.machine.device(router.nearest_cpu(gpus.front())).cpu();
  Costed costed;
  costed.model = cost::gpu_model(gpu, cpu, scenario.plan, profile);
  const auto index = static_cast<std::uint32_t>(op);
  const cost::Fusion fused = cost::fusion(scenario.network, costed.model)[op];
  std::vector<cost::Kernel> forward, backward;
  cost::append_forward(scenario.network, index, fused, scenario.plan.micro_batch, costed.model, forward);
  if (scenario.plan.mode == plan::Mode::kTraining)
    cost::append_backward(scenario.network, index, fused, scenario.plan.micro_batch, costed.model, backward);
  for (const cost::Kernel& kernel : forward) costed.kernels.push_back({false, kernel});
  for (const cost::Kernel& kernel : backward) costed.kernels.push_back({true, kernel});
  for (const KernelStory& story : costed.kernels) {
    costed.time += story.kernel.duration();
    costed.host += story.kernel.host;
  }
  return costed;
}

std::string shape_text(const workload::Operator& op) {
  std::string text;
  for (const std::int64_t extent : op.shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

}  // namespace

OperatorSearch find_operator(const workload::Network& network, std::string_view name) {
  OperatorSearch search;
  for (std::size_t i = 0; i < network.operators.size(); ++i) {
    const std::string& own = network.operators[i].name;
    if (own == name) return {i, {}};
    if (own.find(name) != std::string::npos) {
      search.candidates.push_back(own);
      search.found = i;
    }
  }
  if (search.candidates.size() != 1) search.found.reset();
  if (search.candidates.empty())
    for (const workload::Operator& op : network.operators) search.candidates.push_back(op.name);
  return search;
}

OperatorStory explain_operator(const plan::Scenario& scenario, std::size_t op) {
  hardware::Profile recording = scenario.profile;
  std::set<std::string> used;
  recording.record(&used);
  const Costed base = cost_operator(scenario, op, recording);
  const workload::Operator& what = scenario.network.operators[op];
  OperatorStory story;
  story.name = what.name;
  story.kind = workload::kind_name(what.attributes);
  story.shape = shape_text(what);
  story.batch = scenario.plan.micro_batch;
  story.gpu = base.model.id;
  story.peak = base.model.peak;
  story.product_rate = base.model.product_rate;
  story.vector_rate = base.model.vector_rate;
  story.memory_rate = base.model.memory_rate;
  story.kernels = base.kernels;
  story.time = base.time;
  story.host = base.host;
  const double before = base.time.value + base.host.value;
  for (const std::string& key : used) {
    hardware::Profile moved = scenario.profile;
    hardware::Constant constant = moved.all().find(key)->second;
    constant.value *= 1 + kNudge;
    moved.set(key, constant);
    const Costed there = cost_operator(scenario, op, moved);
    const double after = there.time.value + there.host.value;
    if (!(before > 0) || !(after > 0)) continue;
    const double elasticity = exact_log(after / before) / exact_log(1 + kNudge);
    if (std::fabs(elasticity) > kNoEffect)
      story.constants.push_back({key, scenario.profile.all().find(key)->second, elasticity});
  }
  std::stable_sort(story.constants.begin(), story.constants.end(), [](const auto& a, const auto& b) {
    return std::fabs(a.elasticity) > std::fabs(b.elasticity);
  });
  return story;
}

}  // namespace rigcast::study
