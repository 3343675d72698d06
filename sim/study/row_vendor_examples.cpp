/// The vendor's examples as their scripts run them:
///  * PyTorch language models mix precisions the older way (apex O2): 16-bit parameters and gradients, master
///    weights in the optimizer. Lambda runs the same scripts, Transformer-XL without --adaptive (every word
///    of the vocabulary is scored) and without --multi_gpu (processes that exchange nothing);
///  * PyTorch BERT pretraining scripts its modules for the fusing compiler from 2021 on; Paddle's BERT asks
///    for fused attention in mixed precision (--fuse-mha) and keeps norms, softmax and GELU in 16 bits;
///  * TensorFlow runs under XLA in BERT's inference (finetune_inference_benchmark.sh), ELECTRA's mixed
///    precision (run_squad.sh) and U-Net's training (unet_TRAIN_BENCHMARK*.sh);
///  * TensorFlow's GNMT decodes step by step (an attention wrapper under dynamic_rnn; use_fused_lstm_dec is
///  off);
///  * speech recognisers are timed on recordings padded to 16.7 s (PAD_TO_MAX_DURATION and MAX_DURATION of
///    scripts/train_benchmark.sh): 1670 frames;
///  * benchmark submissions of detectors and translators bring kernels fused by hand (sums, norms,
///  activations,
///    losses, optimizers): as good as a compiler's;
///  * PyTorch image classifiers set memory_format nhwc for mixed precision (configs.yml), and so do the
///    benchmark's submissions; Paddle's infer through TensorRT (README).

#include "study/row_vendor_examples.h"

#include <array>

#include "study/row_values.h"

namespace rigcast::study {
namespace {

using config::make_boolean;
using config::make_text;
using config::Value;

/// Folders whose scripts ask for XLA.
constexpr std::array<const char*, 3> kXla = {"TensorFlow2/LanguageModeling/BERT",
                                             "TensorFlow2/LanguageModeling/ELECTRA",
                                             "TensorFlow2/Segmentation/UNet_Medical"};

bool asks_for_xla(const Row& row) {
  const std::string where = row.text("where");
  const bool mixed = contains(row.text("precision"), "amp");
  for (const char* folder : kXla)
    if (where.starts_with(folder)) return mixed || !contains(where, "ELECTRA");
  return false;
}

bool vendor(const Row& row) { return contains(row.text("source"), "DeepLearningExamples"); }
bool lambda(const Row& row) { return contains(row.text("source"), "lambdal/deeplearning-benchmark"); }

/// The workload of a scenario as an object that takes dimensions.
Value& workload_of(Value& scenario) {
  Value& workload = *scenario.find("workload");
  if (workload.is(config::JsonKind::kText)) {
    Value based = config::make_object();
    config::add(based, "base", workload);
    workload = std::move(based);
  }
  return workload;
}

void transformer_xl_of_lambda(Value& scenario) {
  Value* parallel = scenario.find("plan")->find("parallel");
  if (parallel == nullptr) return;
  set(workload_of(scenario), "adaptive_softmax", make_boolean(false));
  set(*parallel, "method", make_text("independent"));
}

void padded_recordings(Value& scenario) {
  Value shape = config::make_array();
  for (const double size : {64.0, 1670.0}) shape.elements.push_back(config::make_number(size));
  set(workload_of(scenario), "input", std::move(shape));
}

void language_model(const Row& row, const std::string& framework_name, Value& plan, Value& framework) {
  const bool mixed = contains(row.text("precision"), "amp");
  if (framework_name == "pytorch") {
    if (row.text("precision") == "amp-fp16") set(plan, "precision", make_text("fp16"));
    const Value* year = framework.find("year");
    const bool pretraining = contains(row.text("model"), "bert") && row.text("optimizer") == "lamb";
    if (vendor(row) && pretraining && year != nullptr && year->number >= 2021)
      set(framework, "execution", make_text("compiled"));
  }
  if (framework_name == "paddle" && mixed) {
    set(framework, "flash_attention", make_boolean(true));
    set(plan, "precision", make_text("fp16"));
  }
}

void image_classifier(const Row& row, const std::string& framework_name, Value& framework) {
  if (framework_name == "pytorch" && contains(row.text("precision"), "amp") &&
      framework.find("channels_last") == nullptr)
    set(framework, "channels_last", make_boolean(true));
  if (framework_name == "paddle" && row.kind() == "inference") {
    set(framework, "name", make_text("tensorrt"));
    set(framework, "execution", make_text("compiled"));
  }
}

}  // namespace

bool runs_vendor_example(const Row& row) { return vendor(row) || lambda(row); }

void apply_vendor_examples(const Row& row, Value& scenario) {
  const std::string unit = row.text("unit");
  Value* plan = scenario.find("plan");
  Value* framework = plan == nullptr ? nullptr : plan->find("framework");
  if (framework == nullptr) return;
  const std::string name = text_of(*framework, "name");
  if (vendor(row) && asks_for_xla(row)) set(*framework, "execution", make_text("compiled"));
  const std::string model = row.text("model");
  if (vendor(row) && model == "gnmt" && name == "tensorflow")
    set(workload_of(scenario), "stepwise_decoder", make_boolean(true));
  if (vendor(row) && row.kind() == "training" && (model == "jasper-10x5" || model == "quartznet-15x5"))
    padded_recordings(scenario);
  if (lambda(row) && model.starts_with("transformer-xl")) transformer_xl_of_lambda(scenario);
  if (runs_vendor_example(row) && (unit == "token" || unit == "sequence"))
    language_model(row, name, *plan, *framework);
  if (contains(row.text("source"), "mlcommons") && name == "pytorch" && !contains(model, "bert") &&
      text_of(*framework, "execution") == "eager")
    set(*framework, "execution", make_text("compiled"));
  if ((vendor(row) || contains(row.text("source"), "mlcommons")) && unit == "image")
    image_classifier(row, name, *framework);
}

}  // namespace rigcast::study
