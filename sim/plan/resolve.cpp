#include "plan/resolve.h"

#include <fmt/format.h>

#include <algorithm>

#include "workload/adapters.h"

/// Defaults: mode training; every GPU of the machine, data parallel; precision amp-bf16 where every GPU has
/// it, else amp-fp16 where every GPU has matrix units for it, else fp32; PyTorch, eager, of the catalogue's
/// year; the workload's usual optimizer and sequence; synthetic input; 32 samples a rank, 8 of a token model.
/// Every value lands in the resolved plan, so nothing that a forecast rests on is hidden.

namespace rigcast::plan {

void Resolving::error(std::initializer_list<std::string_view> keys, std::string message,
                      std::string hint) const {
  std::string pointer;
  for (const std::string_view key : keys) {
    pointer = "/plan/" + std::string(key);
    if (origins.written(pointer)) break;
  }
  if (!origins.written(pointer)) pointer = "/plan/" + std::string(*keys.begin());
  Origin origin = origins.find(pointer);
  origin.pointer = pointer;
  diagnostics.error(std::move(origin), std::move(message), std::move(hint));
}

std::vector<const hardware::GpuPart*> gpus_of_node(const hardware::Machine& machine) {
  std::vector<const hardware::GpuPart*> gpus;
  for (const hardware::Device& device : machine.devices)
    if (device.type == hardware::DeviceType::kGpu) gpus.push_back(&device.gpu());
  return gpus;
}

bool resolve_devices(Resolving& r) {
  const int per_node = static_cast<int>(gpus_of_node(r.machine).size());
  const int nodes = r.machine.nodes;  // with_nodes has added those that the plan asks for
  const std::string name = r.machine.name.empty() ? "the machine" : r.machine.name;
  if (per_node == 0) {
    r.error({"gpus"}, fmt::format("{} has no GPU to run on", name),
            "compose one: {\"base\": ..., \"gpu\": ..., \"count\": 1}");
    return false;
  }
  r.out.nodes = nodes;
  if (r.plan.nodes && *r.plan.nodes != nodes) {
    r.error({"nodes"}, fmt::format("plan.nodes {} contradicts the machine, which has {} node{}",
                                   *r.plan.nodes, nodes, nodes == 1 ? "" : "s"));
    return false;
  }
  const int available = per_node * nodes;
  if (r.plan.gpus)
    r.out.gpus = *r.plan.gpus;
  else
    r.out.gpus = r.plan.parallel.data.value_or(available);
  r.out.data = r.plan.parallel.data.value_or(r.out.gpus);
  if (r.out.data != r.out.gpus)
    r.error({"parallel/data"},
            fmt::format("parallel.data {} contradicts gpus {}: every GPU is a data-parallel rank", r.out.data,
                        r.out.gpus));
  if (r.out.gpus > available) {
    r.error({"gpus", "parallel/data"},
            fmt::format("{} GPUs asked for, {} has {}", r.out.gpus, name, available));
    return false;
  }
  if (r.out.gpus % nodes != 0) {
    r.error({"gpus", "nodes"},
            fmt::format("{} GPUs do not divide by {} nodes: nodes take equal parts", r.out.gpus, nodes));
    return false;
  }
  return true;
}

std::optional<Scenario> resolve(hardware::Machine machine, workload::Network network, const Plan& plan,
                                const hardware::Catalogue& catalogue, const OriginMap& origins,
                                Diagnostics& diagnostics) {
  Scenario scenario;
  Diagnostics found;
  scenario.machine = with_nodes(std::move(machine), plan, catalogue, found);
  scenario.network = std::move(network);
  scenario.profile = catalogue.profile;
  scenario.catalogue_date = catalogue.date;
  scenario.warnings = scenario.machine.notes;
  Resolving r{scenario.machine, scenario.network, plan, catalogue, origins, found,
              scenario.plan,    scenario.warnings};

  scenario.plan.mode = plan.mode;
  scenario.plan.method = plan.parallel.method;
  scenario.plan.cost = plan.cost;
  scenario.plan.steps = plan.steps;
  scenario.plan.recompute = plan.parallel.recompute;
  scenario.plan.embedding = plan.parallel.embedding;
  scenario.plan.zero = plan.parallel.zero.value_or(0);
  scenario.plan.padding = plan.padding;
  scenario.plan.precision_detail = plan.precision_detail;
  scenario.plan.recompute_modules = plan.recompute_modules;
  scenario.plan.seq_len = static_cast<int>(scenario.network.tokens_per_sample);
  if (plan.padding == Padding::kPacked && scenario.network.tokens_per_sample > 0) {
    scenario.plan.seq_len = plan.seq_len.value_or(
        static_cast<int>(static_cast<double>(scenario.network.tokens_per_sample) / kPackedFill));
    scenario.warnings.push_back(fmt::format("padding packed: {} of {} tokens a sequence are taken to be real",
                                            scenario.network.tokens_per_sample, scenario.plan.seq_len));
  }
  if (plan.lora_rank) {
    scenario.plan.lora_rank = *plan.lora_rank;
    workload::add_adapters(scenario.network, *plan.lora_rank);
  }
  if (resolve_devices(r)) {
    const bool one_process =
        plan.parallel.method == Method::kDataParallel || plan.parallel.method == Method::kParameterServer;
    if (one_process && r.out.nodes > 1)
      r.error({"parallel/method"}, fmt::format("method {} is one process on one node, not on {}",
                                               name(plan.parallel.method), r.out.nodes));
    if (r.out.zero > 0 && r.out.data > 1)
      r.error({"parallel/zero"},
              fmt::format("zero {} is not supported yet: every one of the {} data-parallel ranks keeps all "
                          "weights, gradients and states",
                          r.out.zero, r.out.data));
    resolve_precision(r);
    resolve_batch(r);
    resolve_framework(r);
    resolve_input(r);
  }
  if (plan.mode == Mode::kTraining) {
    const auto usual = parse<Optimizer>(scenario.network.optimizer);
    scenario.plan.optimizer = plan.optimizer.value_or(usual.value_or(Optimizer::kSgdMomentum));
  }
  const bool good = found.ok();
  diagnostics.append(found);
  if (!good) return std::nullopt;
  return scenario;
}

}  // namespace rigcast::plan
