#pragma once

/// How the network is run on the machine. Field names are those of the interface; optional means "left out",
/// and resolve() fills everything the scenario needs.

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace rigcast::plan {

enum class Mode { kTraining, kInference };
enum class Precision { kFp64, kFp32, kTf32, kAmpFp16, kAmpBf16, kFp16, kBf16, kFp8, kInt8, kInt4 };
enum class Execution { kEager, kCompiled, kGraphs };
enum class Method { kDdp, kDataParallel, kParameterServer, kIndependent };
enum class Recompute { kNone, kSelective, kFull };
enum class EmbeddingPlacement { kReplicated, kModelParallel };
enum class BatchUnit { kSamples, kTokens, kConcatBatches };
enum class Padding { kDense, kPacked };
enum class Layout { kFiles, kRecords };
enum class Decode { kNone, kJpeg224, kJpeg224Distort, kJpeg300, kJpeg800, kVolume, kAudio, kText };
enum class Loader { kFramework, kDaliCpu, kDaliGpu, kTfData, kPrebatched };
enum class Optimizer {
  kNone,
  kSgdMomentum,
  kAdam,
  kAdamW,
  kLamb,
  kLars,
  kNovograd,
  kRmsprop,
  kAdagrad,
  kMuon
};

/// "amp-fp16", ... as in files; nothing for a text that is none.
std::string_view name(Mode), name(Precision), name(Execution), name(Method), name(Layout), name(Decode),
    name(Loader), name(Optimizer), name(Recompute), name(EmbeddingPlacement), name(BatchUnit), name(Padding);
template <class Enum>
std::optional<Enum> parse(std::string_view text);
/// Every text `parse` takes, in order.
template <class Enum>
std::vector<std::string> names();

/// Bytes of a stored element and of an element the GPU computes with.
Bytes parameter_bytes(Precision precision);   ///< of the weights the optimizer owns (AMP: 4)
Bytes activation_bytes(Precision precision);  ///< AMP: 2
bool is_mixed(Precision precision);           ///< amp-fp16, amp-bf16

struct Parallel {
  std::optional<int> data;
  std::optional<int> grad_accum;
  Method method = Method::kDdp;
  Recompute recompute = Recompute::kNone;
  EmbeddingPlacement embedding = EmbeddingPlacement::kReplicated;
  std::optional<int> zero;  ///< 0 to 3: states, gradients, weights spread over the data-parallel ranks
};

/// Share of the tokens of packed or length-binned sequences that are real: BERT's pre-training text has a
/// mean length of about half of 512 (Kosec et al. 2021, arXiv:2107.02027: packing doubles the throughput).
inline constexpr double kPackedFill = 0.5;

struct Framework {
  std::string name = "pytorch";
  std::optional<int> year;
  Execution execution = Execution::kEager;
  std::optional<bool> flash_attention, xla, channels_last, fused_optimizer, overlap;
  std::optional<bool> half_gradients;  ///< mixed precision exchanges gradients in 16 bits
};

struct Input {
  bool dataset = false;                ///< source: "dataset"; else synthetic
  std::optional<std::string> storage;  ///< device id of the machine
  std::optional<double> samples;
  std::optional<Bytes> sample_bytes;
  std::optional<Layout> layout;
  std::optional<Decode> decode;
  std::optional<Loader> loader;
  std::optional<int> workers;   ///< per node
  std::optional<int> prefetch;  ///< batches per worker group that may wait
  bool pageable = false;        ///< h2d: "pageable"
};

struct Costs {
  double life_years = 4, duty = 0.7, usd_per_kwh = 0.15;
};

struct Plan {
  Mode mode = Mode::kTraining;
  std::optional<Precision> precision;
  std::optional<int> gpus, nodes;
  std::optional<double> global_batch, batch_per_gpu, micro_batch;
  std::optional<int> seq_len;
  BatchUnit batch_unit = BatchUnit::kSamples;
  Padding padding = Padding::kDense;
  std::optional<int> lora_rank;  ///< the network's weights are frozen, adapters of that rank are trained
  std::string precision_detail;
  std::vector<std::string> recompute_modules;
  Parallel parallel;
  std::optional<Optimizer> optimizer;
  Framework framework;
  Input input;
  Costs cost;
  bool steps = false;  ///< detail: "steps"
};

}  // namespace rigcast::plan
