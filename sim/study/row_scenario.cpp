/// A row says what ran where; this writes it down as a user would. Three parts: the machine (a named system,
/// or parts), the workload (a shipped network with the row's dimensions) and the plan. Loaders that a source
/// does not name are the framework's usual ones of those years: MXNet, TensorFlow and Paddle examples of the
/// GPU vendor fed images by DALI, tf_cnn_benchmarks by tf.data from records, PyTorch by its DataLoader.

#include "study/row_scenario.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "study/row_tf_cnn_benchmarks.h"
#include "study/row_values.h"
#include "study/row_vendor_examples.h"

namespace rigcast::study {
namespace {

using config::add;
using config::JsonKind;
using config::make_number;
using config::make_object;
using config::make_text;
using config::Value;

void copy(const Row& row, Value& into, std::string_view from, std::string_view to) {
  if (const Value* member = row.find(from)) add(into, std::string(to), *member);
}
void copy(const Row& row, Value& into, std::string_view key) { copy(row, into, key, key); }

Value machine_of(const Row& row) {
  Value machine = make_object();
  const double gpus = row.number("gpus").value_or(1), nodes = row.number("nodes").value_or(1);
  const std::string system = row.text("system");
  if (!system.empty()) {
    add(machine, "base", make_text(system));
    copy(row, machine, "gpu");
  } else {
    copy(row, machine, "gpu");
    add(machine, "count", make_number(gpus / nodes));
    const std::string cpu = row.text("cpu", row.text("cpu_stated", row.text("host")));
    if (!cpu.empty()) add(machine, "cpu", make_text(cpu));
    const std::string interconnect = row.text("interconnect");
    if (!interconnect.empty() && interconnect != "none")
      add(machine, "interconnect", make_text(interconnect));
    for (const char* key : {"host_link", "p2p", "pcie_lanes"}) copy(row, machine, key);
    if (nodes > 1) copy(row, machine, "nvlink_domain_gpus");
  }
  if (nodes > 1) {
    add(machine, "nodes", make_number(nodes));
    const Value* network = row.find("network");
    if (network != nullptr && network->is(JsonKind::kObject) &&
        (system.empty() || network->find("gbps_per_port") != nullptr))
      add(machine, "network", *network);
  }
  copy(row, machine, "gpu_overrides");
  return machine;
}

Value workload_of(const Row& row) {
  const std::string model = row.text("model");
  const Value* dimensions = row.find("model_params");
  if (dimensions == nullptr || !dimensions->is(JsonKind::kObject) || dimensions->members.empty())
    return make_text(model);
  Value workload = make_object();
  add(workload, "base", make_text(model));
  for (const config::JsonMember& member : dimensions->members) add(workload, member.key, member.value);
  return workload;
}

void image_loader(const Row& row, const std::string& stated, Value& input) {
  const Value* framework = row.find("framework");
  const Value* named = framework == nullptr ? nullptr : framework->find("name");
  const std::string name = named == nullptr ? "" : named->text;
  const bool distort = contains(stated, "with distortions");
  if (contains(stated, "dali") || contains(stated, "hugectr")) {
    add(input, "layout", make_text("records"));
    add(input, "loader", make_text("dali-gpu"));
  } else if (name == "tensorflow") {
    add(input, "layout", make_text("records"));
    add(input, "loader", make_text("tf-data"));
  } else if (runs_vendor_example(row) && !contains(row.text("model"), "maskrcnn")) {
    // The vendor's PyTorch image examples come with DALI, but for Mask R-CNN; where a table does not say, its
    // CPU variant.
    add(input, "loader", make_text(name == "pytorch" ? "dali-cpu" : "dali-gpu"));
    if (name != "pytorch") add(input, "layout", make_text("records"));
  }
  if (contains(stated, "10 workers")) add(input, "workers", make_number(10));
  if (distort) add(input, "decode", make_text("jpeg-224-distort"));
}

Value input_of(const Row& row) {
  Value input = make_object();
  const std::string stated = lower_case(row.text("data_stated"));
  const bool on_gpu =
      contains(stated, "on gpu") || contains(stated, "not stated") || contains(stated, "synthetic");
  if (row.text("data") == "real" && !on_gpu) {
    add(input, "source", make_text("dataset"));
    if (contains(stated, "prebatched") || contains(stated, "parquet") || contains(stated, "binary"))
      add(input, "loader", make_text("prebatched"));
    else if (row.text("unit") == "image" || row.text("unit") == "volume")
      image_loader(row, stated, input);
  }
  if (contains(row.text("h2d"), "pageable")) add(input, "h2d", make_text("pageable"));
  return input;
}

Value framework_of(const Row& row, Value& parallel) {
  Value framework = make_object();
  const Value* given = row.find("framework");
  if (given == nullptr) return framework;
  for (const config::JsonMember& member : given->members) {
    if (member.value.is(JsonKind::kNull)) continue;
    if (member.key == "variable_update") {
      if (contains(member.value.text, "parameter_server"))
        add(parallel, "method", make_text("parameter-server"));
    } else if (member.key == "data_parallel") {
      if (contains(member.value.text, "DataParallel") && !contains(member.value.text, "Distributed"))
        add(parallel, "method", make_text("data-parallel"));
    } else {
      add(framework, member.key, member.value);
    }
  }
  return framework;
}

/// Keys of the row's layout that say how work is divided; `data` follows from them.
constexpr std::array<const char*, 14> kParallelKeys = {
    "data",         "tensor",     "pipeline",   "expert",   "context",   "sequence", "zero",
    "hybrid_shard", "grad_accum", "interleave", "schedule", "recompute", "offload",  "embedding"};

Value plan_of(const Row& row) {
  Value plan = make_object();
  copy(row, plan, "mode");
  copy(row, plan, "precision");
  copy(row, plan, "precision_detail");
  copy(row, plan, "gpus");
  // Of the three batches the rank's says most; the global one where it does not divide.
  if (row.find("batch_per_gpu") != nullptr)
    copy(row, plan, "batch_per_gpu");
  else
    copy(row, plan, "global_batch");
  for (const char* key : {"micro_batch", "batch_unit", "seq_len", "input_tokens", "output_tokens", "padding",
                          "optimizer", "lora_rank", "recompute_modules", "offload_target"})
    copy(row, plan, key);
  Value parallel = make_object();
  if (const Value* given = row.find("parallel"))
    for (const char* key : kParallelKeys) {
      const Value* member = given->find(key);
      // Accumulation follows from the batches where both are stated.
      if (member == nullptr || member->is(JsonKind::kNull) ||
          (std::string_view(key) == "grad_accum" && row.find("micro_batch") != nullptr))
        continue;
      add(parallel, key, *member);
    }
  Value framework = framework_of(row, parallel);
  add(plan, "parallel", std::move(parallel));
  add(plan, "framework", std::move(framework));
  Value input = input_of(row);
  if (!input.members.empty()) add(plan, "input", std::move(input));
  return plan;
}

std::string not_built(const Row& row) {
  const std::string mode = row.text("mode", row.kind());
  if (mode != "training" && mode != "inference") return "mode " + mode + " is not supported yet";
  const Value* parallel = row.find("parallel");
  if (parallel == nullptr) return {};
  for (const char* key : {"tensor", "pipeline", "expert", "context"}) {
    const Value* degree = parallel->find(key);
    if (degree != nullptr && degree->number > 1)
      return std::string(key) + " parallelism is not supported yet";
  }
  const Value* zero = parallel->find("zero");
  const Value* data = parallel->find("data");
  if (zero != nullptr && zero->number > 0 && (data == nullptr || data->number > 1))
    return "sharded parameters, gradients or states (zero) are not supported yet";
  const Value* offload = parallel->find("offload");
  if (offload != nullptr && offload->is(JsonKind::kText) && offload->text != "none")
    return "offload is not supported yet";
  return {};
}

}  // namespace

Expected<config::Value, NoScenario> scenario_of(const Row& row) {
  std::string reason = not_built(row);
  if (!reason.empty()) return Unexpected<NoScenario>(NoScenario{std::move(reason), true});
  if (row.text("gpu").empty()) return Unexpected<NoScenario>(NoScenario{"no GPU is stated", false});
  if (row.text("model").empty()) return Unexpected<NoScenario>(NoScenario{"no model is stated", false});
  Value scenario = make_object();
  add(scenario, "machine", machine_of(row));
  add(scenario, "workload", workload_of(row));
  add(scenario, "plan", plan_of(row));
  apply_vendor_examples(row, scenario);
  apply_tf_cnn_benchmarks(row, scenario);
  return scenario;
}

}  // namespace rigcast::study
