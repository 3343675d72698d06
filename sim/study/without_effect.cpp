/// Which of the user's settings could not matter here. A rule a field: it names the field, asks the scenario
/// whether the field was looked at, and says why not. Links and devices of an inline machine are judged by
/// what the run used.

#include <array>
#include <map>
#include <set>
#include <string>

#include "study/forecast.h"

namespace rigcast::study {
namespace {

using plan::ResolvedPlan;
using plan::Scenario;

/// Settings idle for one reason that are still named one by one; beyond, they are counted (a scenario may
/// spell everything out).
constexpr std::size_t kMostNamed = 3;

struct Rule {
  const char* pointer;  ///< below the scenario; a prefix stands for what is below it
  bool (*idle)(const Scenario&);
  const char* reason;
};

bool synthetic(const Scenario& s) { return !s.plan.dataset; }
bool always(const Scenario&) { return true; }
bool inference(const Scenario& s) { return s.plan.mode == plan::Mode::kInference; }
bool one_gpu(const Scenario& s) { return s.plan.gpus < 2; }
bool no_decode(const Scenario& s) {
  return s.plan.dataset &&
         (s.plan.decode == plan::Decode::kNone || s.plan.loader == plan::Loader::kPrebatched);
}
bool own_threads(const Scenario& s) {
  return s.plan.dataset && s.plan.loader != plan::Loader::kFramework &&
         s.plan.layout == plan::Layout::kRecords;
}
bool no_tokens(const Scenario& s) { return s.network.tokens_per_sample == 0; }

template <class Attribute>
bool lacks(const Scenario& s) {
  for (const workload::Operator& op : s.network.operators)
    if (std::holds_alternative<Attribute>(op.attributes)) return false;
  return true;
}

constexpr std::array<Rule, 29> kRules = {{
    {"/machine/storage", synthetic, "the input is synthetic"},
    {"/workload/dataset", synthetic, "the input is synthetic"},
    {"/machine/interconnect", one_gpu, "one GPU exchanges no gradients"},
    {"/machine/p2p", one_gpu, "one GPU exchanges no gradients"},
    {"/machine/network", always, "the plan stays on one machine"},
    {"/machine/nvlink_domain_gpus", always, "the plan stays on one machine"},
    {"/machine/max_power_w", always, "power caps are not modelled: set gpu_overrides.clock"},
    {"/plan/framework/xla", always, "framework.execution says what is compiled"},
    {"/plan/framework/overlap", inference, "inference exchanges no gradients"},
    {"/plan/framework/fused_optimizer", inference, "inference has no optimizer step"},
    {"/plan/detail", inference, "inference exchanges no gradients"},
    {"/workload/seq_len", no_tokens, "the network has no sequence"},
    {"/plan/input/storage", synthetic, "the input is synthetic"},
    {"/plan/input/samples", synthetic, "the input is synthetic"},
    {"/plan/input/sample_bytes", synthetic, "the input is synthetic"},
    {"/plan/input/layout", synthetic, "the input is synthetic"},
    {"/plan/input/decode", synthetic, "the input is synthetic"},
    {"/plan/input/loader", synthetic, "the input is synthetic"},
    {"/plan/input/workers", synthetic, "the input is synthetic"},
    {"/plan/input/prefetch", synthetic, "the input is synthetic"},
    {"/plan/input/workers", own_threads, "this loader has threads of its own"},
    {"/plan/input/loader", no_decode, "nothing is decoded"},
    {"/plan/optimizer", inference, "inference has no optimizer step"},
    {"/plan/parallel/grad_accum", inference, "inference accumulates no gradients"},
    {"/plan/framework/overlap", one_gpu, "one GPU exchanges no gradients"},
    {"/plan/detail", one_gpu, "one GPU exchanges no gradients"},
    {"/plan/seq_len", no_tokens, "the network has no sequence"},
    {"/plan/framework/flash_attention", lacks<workload::Attention>, "the network has no attention"},
    {"/plan/framework/channels_last", lacks<workload::Convolution>, "the network has no convolution"},
}};

bool below(const std::string& pointer, std::string_view prefix) {
  return pointer.starts_with(prefix) && (pointer.size() == prefix.size() || pointer[prefix.size()] == '/');
}

/// Links no task of the run used, by index.
std::set<std::size_t> idle_links(const Scenario& scenario, const Run& run) {
  std::set<std::size_t> idle;
  for (std::size_t i = 0; i < scenario.machine.links.size(); ++i) idle.insert(i);
  for (std::uint32_t t = 0; t < run.lowered.graph.size(); ++t)
    for (const task::Use& use : run.lowered.graph.demand(task::TaskId{t}).uses) {
      const std::string& owner = run.lowered.resource_owner[use.resource.index];
      if (owner.starts_with("link:")) idle.erase(static_cast<std::size_t>(std::stoul(owner.substr(5))));
    }
  return idle;
}

}  // namespace

std::vector<std::string> without_effect(const Scenario& scenario, const plan::OriginMap& written,
                                        const Run& run) {
  std::map<std::string, std::vector<std::string>> idle_by_reason;
  const auto say = [&](const std::string& pointer, const std::string& reason) {
    idle_by_reason[reason].push_back(pointer);
  };
  const std::set<std::size_t> idle = idle_links(scenario, run);
  for (const std::string& pointer : written.pointers()) {
    for (const Rule& rule : kRules)
      if (below(pointer, rule.pointer) && rule.idle(scenario)) {
        say(pointer, rule.reason);
        break;
      }
    for (const std::size_t link : idle) {
      const std::string& origin = scenario.machine.links[link].pointer;
      const bool figure = pointer.ends_with("/latency") || pointer.ends_with("/raw") ||
                          pointer.ends_with("/achievable") || pointer.ends_with("/bandwidth");
      if (!origin.empty() && figure && below(pointer, origin)) say(pointer, "nothing crosses this link");
    }
  }
  std::vector<std::string> result;
  for (const auto& [reason, pointers] : idle_by_reason) {
    const bool few = pointers.size() <= kMostNamed;
    for (std::size_t p = 0; p < (few ? pointers.size() : 1); ++p)
      result.push_back(pointers[p] +
                       (few ? "" : " and " + std::to_string(pointers.size() - 1) + " more settings") +
                       " had no effect: " + reason);
  }
  return result;
}

}  // namespace rigcast::study
