#include "config/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rigcast::config {

using plan::Plan;

namespace {

constexpr Need kOptional = Need::kOptional;
constexpr std::string_view kDataParallel = "rigcast forecasts data parallelism";
constexpr std::string_view kOnePass = "rigcast forecasts training steps and forward passes";

const std::array<std::string, 2> kSources = {"synthetic", "dataset"};
const std::array<std::string, 2> kCopies = {"pinned", "pageable"};
const std::array<std::string, 2> kDetails = {"activities", "steps"};
const std::array<std::string, 3> kLaterModes = {"prefill", "decode", "generate"};

/// An enumeration whose texts are those of the plan room.
template <class Enum>
void choice(Fields& f, Field field, std::optional<Enum>& value) {
  std::optional<std::string> text;
  if (value) text = std::string(plan::name(*value));
  f.choice(field, text, plan::names<Enum>());
  if (f.reading() && text) value = plan::parse<Enum>(*text);
}

template <class Enum>
void choice(Fields& f, Field field, Enum& value) {
  std::optional<Enum> maybe = value;
  choice(f, field, maybe);
  value = maybe.value_or(value);
}

/// A choice of two that is kept as a flag: the first text is false.
void either(Fields& f, Field field, bool& value, const std::array<std::string, 2>& texts) {
  std::string text = texts[value ? 1 : 0];
  f.choice(field, text, texts);
  value = text == texts[1];
}

std::string shown(const Value& value) {
  switch (value.kind) {
    case JsonKind::kText:
      return "\"" + value.text + "\"";
    case JsonKind::kNumber:
      return fmt::format("{}", value.number);
    case JsonKind::kBool:
      return value.boolean ? "true" : "false";
    default:
      return std::string(name(value.kind));
  }
}

/// A key whose neutral values (as JSON texts, "1", "\"none\"", "false") say what this program does anyway.
void neutral(Fields& f, std::string_view key, const std::vector<std::string>& values,
             std::string_view reason) {
  const auto read = [key, &values, reason](const Cursor& cursor, Diagnostics& diagnostics) {
    const std::string text = shown(*cursor.value);
    if (std::find(values.begin(), values.end(), text) == values.end())
      diagnostics.error(cursor.origin(), fmt::format("{} {} is not supported yet: {}", key, text, reason));
  };
  const auto schema = [&values] {
    Value allowed = make_array();
    for (const std::string& text : values) allowed.elements.push_back(*try_parse_json(text, ""));
    Value form = make_object();
    add(form, "enum", std::move(allowed));
    return form;
  };
  // A key without a neutral value is no part of the schema: it is never right.
  if (f.listing() && values.empty()) return;
  f.custom({key, kOptional, "accepted for completeness"},
           {read, [] { return std::optional<Value>(); }, schema});
}

void describe_mode(Fields& f, Plan& plan) {
  std::vector<std::string> modes = plan::names<plan::Mode>();
  if (f.reading()) modes.insert(modes.end(), kLaterModes.begin(), kLaterModes.end());
  std::string text(plan::name(plan.mode));
  f.choice({"mode", kOptional, "absent: training"}, text, modes);
  if (const auto mode = plan::parse<plan::Mode>(text))
    plan.mode = *mode;
  else
    f.error("mode", fmt::format("mode \"{}\" is not supported yet: {}", text, kOnePass), {});
}

void describe_parallel(Fields& f, plan::Parallel& parallel) {
  f.number({"data", kOptional, "data-parallel ranks; absent: every GPU"}, parallel.data, kCount);
  neutral(f, "tensor", {"1"}, kDataParallel);
  neutral(f, "pipeline", {"1"}, kDataParallel);
  neutral(f, "expert", {"1"}, kDataParallel);
  neutral(f, "context", {"1"}, kDataParallel);
  // Splits what tensor parallelism leaves whole: nothing without it.
  neutral(f, "sequence", {"false", "true"}, kDataParallel);
  f.number(
      {"zero", kOptional, "states (1), gradients (2) and weights (3) spread over the ranks; one rank only"},
      parallel.zero, {Dimension::kNumber, 0, false, true, 3});
  neutral(f, "hybrid_shard", {"false"}, kDataParallel);
  f.number({"grad_accum", kOptional, "forward passes of an optimizer step; absent: derived"},
           parallel.grad_accum, kCount);
  neutral(f, "interleave", {"1"}, kDataParallel);
  neutral(f, "schedule", {"\"gpipe\"", "\"1f1b\"", "\"interleaved\"", "\"zero-bubble\"", "\"layer-split\""},
          kDataParallel);
  choice(f, {"recompute", kOptional, "activations computed again in the backward pass"}, parallel.recompute);
  neutral(f, "offload", {"\"none\""}, "rigcast keeps all state on the GPUs");
  choice(f, {"embedding", kOptional, "tables on every rank, or spread over them"}, parallel.embedding);
  choice(f, {"method", kOptional, "how gradients are joined"}, parallel.method);
}

void describe_framework(Fields& f, plan::Framework& framework) {
  f.text({"name", kOptional, "pytorch, tensorflow, mxnet, ..."}, framework.name);
  f.number({"year", kOptional, "of the release; absent: the catalogue's"}, framework.year,
           {Dimension::kNumber, 2010, false, true, 2100});
  choice(f, {"execution", kOptional, "how operators are issued"}, framework.execution);
  f.flag({"flash_attention", kOptional, "attention without stored scores"}, framework.flash_attention);
  f.flag({"xla", kOptional, "compiled by XLA"}, framework.xla);
  f.flag({"channels_last", kOptional, "memory layout of images"}, framework.channels_last);
  f.flag({"fused_optimizer", kOptional, "one kernel for many parameters"}, framework.fused_optimizer);
  f.flag({"overlap", kOptional, "gradients are joined during the backward pass"}, framework.overlap);
  f.flag({"half_gradients", kOptional,
          "mixed precision joins gradients in 16 bits; absent: as the framework does"},
         framework.half_gradients);
}

void describe_input(Fields& f, plan::Input& input) {
  either(f, {"source", kOptional, "where samples come from"}, input.dataset, kSources);
  f.text({"storage", kOptional, "device id; absent: the largest local one"}, input.storage);
  f.number({"samples", kOptional, "of the data set"}, input.samples, kPositive);
  f.quantity({"sample_bytes", kOptional, "as stored"}, input.sample_bytes);
  choice(f, {"layout", kOptional, "one file a sample, or large sequential files"}, input.layout);
  choice(f, {"decode", kOptional, "what the host does to a sample"}, input.decode);
  choice(f, {"loader", kOptional, "what reads and decodes"}, input.loader);
  f.number({"workers", kOptional, "of a node, over all its GPUs"}, input.workers, kCount);
  f.number({"prefetch", kOptional, "batches that may wait"}, input.prefetch, kCount);
  either(f, {"h2d", kOptional, "memory the copies start from"}, input.pageable, kCopies);
}

void describe_costs(Fields& f, plan::Costs& costs) {
  f.number({"life_years", kOptional, "over which the price is spread"}, costs.life_years, kPositive);
  f.number({"duty", kOptional, "share of the time it works"}, costs.duty, kPositive);
  std::optional<double> electricity =
      costs.usd_per_kwh;  // may be 0, which a plain number would take for absent
  f.number({"usd_per_kwh", kOptional, "of electricity"}, electricity, kNotNegative);
  costs.usd_per_kwh = electricity.value_or(costs.usd_per_kwh);
  if (costs.duty > 1) f.error("duty", fmt::format("expected at most 1, found {}", costs.duty), {});
}

}  // namespace

void describe(Fields& f, Plan& plan) {
  describe_mode(f, plan);
  choice(f, {"precision", kOptional, "absent: the best mixed precision of the GPU"}, plan.precision);
  f.text({"precision_detail", kOptional, "flavour of the precision; forecast by its width alone"},
         plan.precision_detail);
  f.number({"gpus", kOptional, "over all nodes; absent: every GPU"}, plan.gpus, kCount);
  f.number({"nodes", kOptional, "absent: the machine's"}, plan.nodes, kCount);
  // Batches counted in tokens need not be whole samples.
  f.number({"global_batch", kOptional, "samples of an optimizer step"}, plan.global_batch, kPositive);
  f.number({"batch_per_gpu", kOptional, "samples of a rank and optimizer step"}, plan.batch_per_gpu,
           kPositive);
  f.number({"micro_batch", kOptional, "samples of a forward pass"}, plan.micro_batch, kPositive);
  choice(f, {"batch_unit", kOptional, "what the batches count"}, plan.batch_unit);
  f.number({"seq_len", kOptional, "tokens of a sample; absent: the workload's"}, plan.seq_len, kWhole);
  neutral(f, "input_tokens", {}, kOnePass);
  neutral(f, "output_tokens", {}, kOnePass);
  choice(f, {"padding", kOptional, "packed: sequences without padding, shorter than seq_len"}, plan.padding);
  f.object({"parallel", kOptional, "how the work is divided"}, true,
           [&](Fields& g) { describe_parallel(g, plan.parallel); });
  f.texts({"recompute_modules", kOptional,
           "what selective recomputation covers; the attention core where absent"},
          plan.recompute_modules);
  neutral(f, "offload_target", {}, "rigcast keeps all state on the GPUs");
  choice(f, {"optimizer", kOptional, "absent: the workload's usual one; none: forward and backward only"},
         plan.optimizer);
  f.number({"lora_rank", kOptional, "rank of trained adapters beside frozen weights"}, plan.lora_rank,
           kCount);
  f.object({"framework", kOptional, "what runs the network"}, true,
           [&](Fields& g) { describe_framework(g, plan.framework); });
  f.object({"input", kOptional, "where samples come from"}, true,
           [&](Fields& g) { describe_input(g, plan.input); });
  f.object({"cost", kOptional, "for prices per hour"}, true,
           [&](Fields& g) { describe_costs(g, plan.cost); });
  neutral(f, "checkpoint", {}, "no checkpoints are written");
  either(f, {"detail", kOptional, "collectives as one activity a channel, or step by step"}, plan.steps,
         kDetails);
}

namespace {

void collect_keys(const Value& schema, const std::string& prefix, std::vector<std::string>& keys) {
  const Value* properties = schema.find("properties");
  if (properties == nullptr) return;
  for (const JsonMember& member : properties->members) {
    keys.push_back(prefix + member.key);
    collect_keys(member.value, prefix + member.key + ".", keys);
  }
}

}  // namespace

std::vector<std::string> plan_keys() {
  Plan sample;
  std::vector<std::string> keys;
  collect_keys(schema_object([&](Fields& f) { describe(f, sample); }), "", keys);
  return keys;
}

Value write_plan(const plan::ResolvedPlan& resolved) {
  Plan plan;
  plan.mode = resolved.mode;
  plan.precision = resolved.precision;
  plan.gpus = resolved.gpus;
  plan.nodes = resolved.nodes;
  plan.global_batch = resolved.global_batch;
  plan.batch_per_gpu = resolved.batch_per_gpu;
  plan.micro_batch = resolved.micro_batch;
  if (resolved.seq_len > 0) plan.seq_len = resolved.seq_len;
  plan.parallel = {resolved.data,      resolved.grad_accum, resolved.method,
                   resolved.recompute, resolved.embedding,  resolved.zero};
  plan.padding = resolved.padding;
  if (resolved.lora_rank > 0) plan.lora_rank = resolved.lora_rank;
  plan.precision_detail = resolved.precision_detail;
  plan.recompute_modules = resolved.recompute_modules;
  plan.optimizer = resolved.optimizer;
  plan.framework = {resolved.framework,       resolved.year,    resolved.execution,
                    resolved.flash_attention, resolved.xla,     resolved.channels_last,
                    resolved.fused_optimizer, resolved.overlap, resolved.half_gradients};
  plan.input.dataset = resolved.dataset;
  if (resolved.dataset) {
    plan.input.storage = resolved.storage;
    plan.input.samples = resolved.samples;
    plan.input.sample_bytes = resolved.sample_bytes;
    plan.input.layout = resolved.layout;
    plan.input.decode = resolved.decode;
    plan.input.loader = resolved.loader;
    plan.input.workers = resolved.workers;
    plan.input.prefetch = resolved.prefetch;
  }
  plan.input.pageable = resolved.pageable;
  plan.cost = resolved.cost;
  plan.steps = resolved.steps;
  return write_object([&](Fields& f) { describe(f, plan); });
}

}  // namespace rigcast::config
