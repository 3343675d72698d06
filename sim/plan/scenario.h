#pragma once

/// Everything a forecast needs, with nothing left to guess: machine, network, plan, constants.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "hardware/catalogue.h"
#include "hardware/machine.h"
#include "plan/plan.h"
#include "workload/build.h"
#include "workload/network.h"

namespace rigcast::plan {

/// A plan with every default filled in and every contradiction reported.
struct ResolvedPlan {
  Mode mode = Mode::kTraining;
  Precision precision = Precision::kFp32;
  int gpus = 1, nodes = 1;
  int data = 1;             ///< data-parallel ranks
  double global_batch = 1;  ///< samples an optimizer step, all ranks
  double batch_per_gpu =
      1;  ///< samples a rank and optimizer step (need not be whole when the batch does not divide)
  double micro_batch = 1;  ///< samples a forward pass
  int grad_accum = 1;      ///< forward passes a step; the last may be smaller
  int seq_len = 0;         ///< as given, padding included; 0: not a token model
  Method method = Method::kDdp;
  Recompute recompute = Recompute::kNone;
  EmbeddingPlacement embedding = EmbeddingPlacement::kReplicated;
  int zero = 0;  ///< without effect: one rank has nobody to share with, and more are refused
  Padding padding = Padding::kDense;
  int lora_rank = 0;  ///< 0: all weights are trained
  std::string precision_detail;
  std::vector<std::string> recompute_modules;
  Optimizer optimizer = Optimizer::kNone;
  std::string framework = "pytorch";
  int year = 0;
  Execution execution = Execution::kEager;
  bool flash_attention = false, xla = false, channels_last = false, fused_optimizer = false, overlap = true;
  std::optional<bool> half_gradients;
  bool dataset = false;
  std::string storage;  ///< device id; "" when synthetic
  double samples = 0;
  Bytes sample_bytes;
  Layout layout = Layout::kFiles;
  Decode decode = Decode::kNone;
  Loader loader = Loader::kFramework;
  int workers = 0, prefetch = 2;
  bool pageable = false;
  Costs cost;
  bool steps = false;
};

struct Scenario {
  hardware::Machine machine;
  workload::Network network;
  ResolvedPlan plan;
  hardware::Profile profile;
  std::string catalogue_date;
  std::vector<std::string> warnings;   ///< assumptions: a default storage device, the nearest CPU, ...
  workload::WorkloadSpec description;  ///< what the network was built from, to be written down again
};

/// JSON pointer -> where the user wrote it. A pointer that was not written resolves to its nearest written
/// parent.
class OriginMap {
 public:
  void set(std::string pointer, Origin origin);
  Origin find(std::string_view pointer) const;
  bool written(std::string_view pointer) const;
  /// All pointers written, in order.
  std::vector<std::string> pointers() const;

 private:
  std::map<std::string, Origin, std::less<>> entries_;
};

/// Fills in the interface's defaults and checks the plan against machine and network: too many GPUs, batch 0,
/// a precision the part has not, nodes that disagree, a storage device that is not there. `origin_of` maps a
/// pointer below /plan to where the user wrote it. Machines without storage get the default device when the
/// plan reads a data set.
std::optional<Scenario> resolve(hardware::Machine machine, workload::Network network, const Plan& plan,
                                const hardware::Catalogue& catalogue, const OriginMap& origins,
                                Diagnostics& diagnostics);

}  // namespace rigcast::plan
