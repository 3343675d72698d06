/// The vendor's examples as their scripts run them:
///  * PyTorch language models mix precisions the older way (apex O2): 16-bit parameters and gradients, master
///    weights in the optimizer. Lambda runs the same scripts, Transformer-XL without --adaptive (every word
///    of the vocabulary is scored) and without --multi_gpu (processes that exchange nothing);
///  * PyTorch BERT pretraining scripts its modules for the fusing compiler from 2021 on; Paddle's BERT asks
///  for
///    fused attention in mixed precision (--fuse-mha);
///  * PyTorch image classifiers set memory_format nhwc for mixed precision (configs.yml), and so do the
///    benchmark's submissions; Paddle's infer through TensorRT (README).

#include "study/row_vendor_examples.h"

#include "study/row_values.h"

namespace rigcast::study {
namespace {

using config::make_boolean;
using config::make_text;
using config::Value;

bool lambda(const Row& row) { return contains(row.text("source"), "lambdal/deeplearning-benchmark"); }

void transformer_xl_of_lambda(Value& scenario) {
  Value* workload = scenario.find("workload");
  Value* parallel = scenario.find("plan")->find("parallel");
  if (workload == nullptr || parallel == nullptr) return;
  if (workload->is(config::JsonKind::kText)) {
    Value based = config::make_object();
    config::add(based, "base", *workload);
    *workload = std::move(based);
  }
  set(*workload, "adaptive_softmax", make_boolean(false));
  set(*parallel, "method", make_text("independent"));
}

void language_model(const Row& row, const std::string& framework_name, Value& plan, Value& framework) {
  const bool mixed = contains(row.text("precision"), "amp");
  if (framework_name == "pytorch") {
    if (row.text("precision") == "amp-fp16") set(plan, "precision", make_text("fp16"));
    const Value* year = framework.find("year");
    const bool pretraining = contains(row.text("model"), "bert") && row.text("optimizer") == "lamb";
    if (vendor_example(row) && pretraining && year != nullptr && year->number >= 2021)
      set(framework, "execution", make_text("compiled"));
  }
  if (framework_name == "paddle" && mixed) set(framework, "flash_attention", make_boolean(true));
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

bool vendor_example(const Row& row) { return contains(row.text("source"), "DeepLearningExamples"); }

void apply_vendor_examples(const Row& row, Value& scenario) {
  const std::string unit = row.text("unit");
  Value* plan = scenario.find("plan");
  Value* framework = plan == nullptr ? nullptr : plan->find("framework");
  if (framework == nullptr) return;
  const std::string name = text_of(*framework, "name");
  if (lambda(row) && row.text("model").starts_with("transformer-xl")) transformer_xl_of_lambda(scenario);
  if ((vendor_example(row) || lambda(row)) && (unit == "token" || unit == "sequence"))
    language_model(row, name, *plan, *framework);
  if ((vendor_example(row) || contains(row.text("source"), "mlcommons")) && unit == "image")
    image_classifier(row, name, *framework);
}

}  // namespace rigcast::study
