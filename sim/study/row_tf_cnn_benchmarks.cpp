/// tf_cnn_benchmarks (github.com/tensorflow/benchmarks) as its publishers' scripts call it:
///  * its ResNets stride in the first 1x1 convolution of a block, its AlexNet has a wider fourth convolution;
///  * with 16-bit floats it exchanges gradients in 16 bits (compact_gradient_transfer);
///  * TensorFlow computes in TF32 from release 2.4 on, and in the GPU vendor's own builds of 1.15 for
///    CUDA 11. Folders of logs name other releases ("TF2_3"), the rest of Ampere ran one of these;
///  * cards of Ampere and later need those builds, which lay 16-bit convolutions out channels last;
///  * the GeForce boxes with an EPYC 7662 or 7352 have one socket: eight cards exchange no more bytes a
///  second
///    through the host than two do, where boxes of two sockets double with the second;
///  * folders "LambdaCloud" are virtual machines of 6 hardware threads of a 2.5 GHz EPYC a Quadro RTX 6000
///    (the metadata: 45 GB of memory a GPU, "EPYC Processor", TensorFlow's log: 2.5 GHz).

#include "study/row_tf_cnn_benchmarks.h"

#include <array>

#include "study/row_values.h"

namespace rigcast::study {
namespace {

using config::Value;

void network(const Row& row, Value& scenario) {
  const std::string model = row.text("model");
  Value* workload = scenario.find("workload");
  if (workload == nullptr) return;
  if (model == "alexnet") *workload = config::make_text("alexnet-tf");
  if (model != "resnet50" && model != "resnet101" && model != "resnet152") return;
  if (workload->is(config::JsonKind::kText)) {
    *workload = config::make_object();
    config::add(*workload, "base", config::make_text(model));
  }
  set(*workload, "stride_first", config::make_boolean(true));
}

/// GPUs of the machine that a row's GPUs are the first of.
int box(const Row& row) {
  struct Box {
    std::string_view text;
    int gpus;
  };
  static constexpr std::array boxes{Box{"Gold_6230-", 8}, Box{"7502-", 8},      Box{"7662-", 8},
                                    Box{"7742-", 8},      Box{"rtx3090-x8", 8}, Box{"rtx2080ti10gpu", 10},
                                    Box{"rtx8000x4", 4},  Box{"rtx4090-x4", 4}};
  for (const Box& box : boxes)
    if (contains(row.text("where"), box.text)) return box.gpus;
  return 0;
}

void host(const Row& row, Value& scenario) {
  Value* machine = scenario.find("machine");
  if (machine == nullptr) return;
  if (const int gpus = box(row); gpus > row.number("gpus").value_or(1) && row.text("system").empty())
    set(*machine, "count", config::make_number(gpus));
  const std::string cpu = row.text("cpu_stated");
  if (contains(cpu, "EPYC 7662") || contains(cpu, "EPYC 7352"))
    set(*machine, "sockets", config::make_number(1));
  if (!contains(row.text("where"), "LambdaCloud") || row.text("gpu") != "quadro-rtx-6000") return;
  const int cores = 3 * static_cast<int>(row.number("gpus").value_or(1));
  set(*machine, "cpu", config::make_text("AMD EPYC Rome " + std::to_string(cores) + "-core 2.5 GHz"));
  set(*machine, "sockets", config::make_number(1));
}

}  // namespace

void apply_tf_cnn_benchmarks(const Row& row, Value& scenario) {
  const std::string source = row.text("source");
  const Value* framework_given = row.find("framework");
  const Value* named = framework_given == nullptr ? nullptr : framework_given->find("name");
  if (contains(source, "u39kun") && named != nullptr && named->text == "tensorflow")
    return network(row, scenario);  // has the program's models in a loop of its own
  if (!contains(source, "lambda-tensorflow-benchmark") && !contains(source, "server-gear.com")) return;
  network(row, scenario);
  host(row, scenario);
  Value* plan = scenario.find("plan");
  if (plan == nullptr) return;
  const std::string where = row.text("where"), gpu = row.text("gpu");
  if (row.text("precision") == "tf32" && (contains(where, "TF2_2") || contains(where, "TF2_3")))
    set(*plan, "precision", config::make_text("fp32"));
  if (row.text("precision") == "amp-fp16")
    if (Value* framework = plan->find("framework")) {
      set(*framework, "half_gradients", config::make_boolean(true));
      if (contains(gpu, "a100") || contains(gpu, "rtx-30") || contains(gpu, "rtx-40") ||
          contains(gpu, "a6000"))
        set(*framework, "channels_last", config::make_boolean(true));
    }
}

}  // namespace rigcast::study
