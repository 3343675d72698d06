#include "study/row.h"

#include <doctest/doctest.h>

#include "rows.h"
#include "study/row_scenario.h"

using namespace rigcast;

namespace {

std::string member(const config::Value& object, std::initializer_list<const char*> path) {
  const config::Value* at = &object;
  for (const char* key : path) {
    at = at->find(key);
    if (at == nullptr) return "absent";
  }
  return at->is(config::JsonKind::kText) ? at->text : config::dump(*at);
}

config::Value scenario_of(std::string text, const std::string& from = "", const std::string& to = "") {
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  const auto scenario = study::scenario_of(test::rows(text).front());
  REQUIRE(scenario.has_value());
  return *scenario;
}

const std::string kRow = test::row_text("a", "resnet50", 8, 64, 0.2);

}  // namespace

TEST_CASE("a table m,n,k,seconds becomes bf16 products on the GPU its name says") {
  Diagnostics diagnostics;
  const auto rows =
      study::read_rows({{"x/a100-sxm4-80.csv", "m,n,k,seconds\n16,32,64,3e-6\n"}}, "", diagnostics);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].kind() == "gemm");
  CHECK(rows[0].text("gpu") == "a100-sxm4-80");
  CHECK(rows[0].number("k") == 64);
  CHECK(rows[0].measured() == 3e-6);
  CHECK(study::read_rows({{"t.csv", "m,n,k,seconds\n1,2,3,4\n"}}, "t4", diagnostics)[0].text("gpu") == "t4");
}

TEST_CASE("every broken line is reported with its number") {
  Diagnostics diagnostics;
  study::read_rows({{"r.jsonl", "{\"id\":1}\n\nnonsense\n"}, {"t.csv", "m,n,k,seconds\n1,2,3\n"}}, "",
                   diagnostics);
  std::string all;
  for (const Diagnostic& d : diagnostics.entries()) all += to_text(d) + "\n";
  CHECK(all.find("r.jsonl:1") != std::string::npos);
  CHECK(all.find("r.jsonl:3") != std::string::npos);
  CHECK(all.find("t.csv:2") != std::string::npos);
}

TEST_CASE("a named system takes GPU and plan.gpus only; parts are composed with GPUs per node") {
  const config::Value named = scenario_of(kRow);
  CHECK(member(named, {"machine", "base"}) == "dgx1-v100");
  CHECK(member(named, {"machine", "interconnect"}) == "absent");
  CHECK(member(named, {"plan", "gpus"}) == "8\n");
  const config::Value parts = scenario_of(kRow, R"("system":"dgx1-v100",)", "");
  CHECK(member(parts, {"machine", "gpu"}) == "v100-sxm2-16");
  CHECK(member(parts, {"machine", "count"}) == "8\n");
  CHECK(member(parts, {"machine", "interconnect"}) == "nvlink-mesh");
}

TEST_CASE("how a row's framework joins gradients is the plan's method") {
  const config::Value server = scenario_of(kRow, R"("execution":"eager")",
                                           R"("execution":"eager","variable_update":"parameter_server/cpu")");
  CHECK(member(server, {"plan", "parallel", "method"}) == "parameter-server");
  CHECK(member(server, {"plan", "framework", "variable_update"}) == "absent");
  const config::Value gathered =
      scenario_of(kRow, R"("execution":"eager")", R"("execution":"eager","data_parallel":"nn.DataParallel")");
  CHECK(member(gathered, {"plan", "parallel", "method"}) == "data-parallel");
}

TEST_CASE("what publishers' scripts run beside their rows' words") {
  std::string lambda = test::row_text("a", "transformer-xl-base", 8, 64, 0.2);
  lambda.replace(lambda.find(R"("test")"), 6, R"("lambdal/deeplearning-benchmark","unit":"token")");
  const config::Value separate = scenario_of(lambda, R"("fp32")", R"("amp-fp16")");
  CHECK(member(separate, {"workload", "adaptive_softmax"}) == "false\n");
  CHECK(member(separate, {"plan", "parallel", "method"}) == "independent");
  CHECK(member(separate, {"plan", "precision"}) == "fp16");
  CHECK(member(scenario_of(lambda), {"plan", "precision"}) == "fp32");
  std::string vendor = test::row_text("a", "bert-large", 8, 64, 0.2);
  vendor.replace(vendor.find(R"("test")"), 6, R"("NVIDIA/DeepLearningExamples","unit":"sequence")");
  vendor.replace(vendor.find("sgd-momentum"), 12, "lamb");
  CHECK(member(scenario_of(vendor), {"plan", "framework", "execution"}) == "compiled");
  CHECK(member(scenario_of(vendor, "2021", "2020"), {"plan", "framework", "execution"}) == "eager");
  CHECK(member(scenario_of(kRow), {"plan", "framework", "execution"}) == "eager");
}

TEST_CASE("TensorFlow runs under XLA where the vendor's script for a folder says so") {
  std::string row = kRow;
  row.replace(
      row.find(R"("source":"test")"), 15,
      R"("source":"NVIDIA/DeepLearningExamples","where":"TensorFlow2/LanguageModeling/ELECTRA/README.md")");
  row.replace(row.find("pytorch"), 7, "tensorflow");
  CHECK(member(scenario_of(row, R"("fp32")", R"("amp-fp16")"), {"plan", "framework", "execution"}) ==
        "compiled");
  CHECK(member(scenario_of(row), {"plan", "framework", "execution"}) == "eager");
  CHECK(member(scenario_of(row, "ELECTRA", "BERT"), {"plan", "framework", "execution"}) == "compiled");
  CHECK(member(scenario_of(row, "LanguageModeling/ELECTRA", "Segmentation/MaskRCNN"),
               {"plan", "framework", "execution"}) == "eager");
}

TEST_CASE("whoever runs the vendor's image examples loads by DALI, but for Mask R-CNN") {
  std::string row = kRow;
  row.replace(row.find(R"("test")"), 6, R"("lambdal/deeplearning-benchmark","unit":"image")");
  row.replace(row.find("synthetic"), 9, "real");
  CHECK(member(scenario_of(row, "resnet50", "ssd300-resnet50"), {"plan", "input", "loader"}) == "dali-cpu");
  CHECK(member(scenario_of(row, "resnet50", "maskrcnn-r50-fpn"), {"plan", "input", "loader"}) == "absent");
}

TEST_CASE("tf_cnn_benchmarks: strides first, gradients in 16 bits, no TF32 in TensorFlow 2.3") {
  std::string row = kRow;
  row.replace(row.find(R"("source":"test")"), 15,
              R"("source":"lambdal/lambda-tensorflow-benchmark","where":"logs/A100_TF2_3.logs")");
  const config::Value half = scenario_of(row, R"("precision":"fp32")", R"("precision":"amp-fp16")");
  CHECK(member(half, {"workload", "stride_first"}) == "true\n");
  CHECK(member(half, {"plan", "framework", "half_gradients"}) == "true\n");
  const config::Value full = scenario_of(row, R"("precision":"fp32")", R"("precision":"tf32")");
  CHECK(member(full, {"plan", "precision"}) == "fp32");
  CHECK(member(full, {"plan", "framework", "half_gradients"}) == "absent");
  CHECK(member(scenario_of(row, "resnet50", "alexnet"), {"workload"}) == "alexnet-tf");
  CHECK(member(scenario_of(kRow), {"workload"}) == "resnet50");
}

TEST_CASE("the vendor's benchmarks: recordings padded to 16.7 s, TensorFlow's translator decodes in a loop") {
  std::string row = kRow;
  row.replace(row.find(R"("test")"), 6, R"("NVIDIA/DeepLearningExamples")");
  CHECK(member(scenario_of(row, "resnet50", "jasper-10x5"), {"workload", "base"}) == "jasper-10x5");
  CHECK(member(scenario_of(row, "resnet50", "jasper-10x5"), {"workload", "input"}) != "absent");
  row.replace(row.find("resnet50"), 8, "gnmt");
  CHECK(member(scenario_of(row), {"workload"}) == "gnmt");
  const config::Value loop = scenario_of(row, R"("name":"pytorch")", R"("name":"tensorflow")");
  CHECK(member(loop, {"workload", "stepwise_decoder"}) == "true\n");
}

TEST_CASE("real data is a data set; the loader is the framework's usual one where the source does not say") {
  std::string real = kRow;
  real.replace(real.find(R"("synthetic")"), 11, R"("real","unit":"image")");
  const config::Value pytorch = scenario_of(real);
  CHECK(member(pytorch, {"plan", "input", "source"}) == "dataset");
  CHECK(member(pytorch, {"plan", "input", "loader"}) == "absent");
  const config::Value tensorflow = scenario_of(real, R"("name":"pytorch")", R"("name":"tensorflow")");
  CHECK(member(tensorflow, {"plan", "input", "loader"}) == "tf-data");
  CHECK(member(scenario_of(kRow), {"plan", "input"}) == "absent");
}

TEST_CASE("other modes and layouts are not supported, by name") {
  std::string decode = kRow;
  decode.replace(decode.find(R"("mode":"training")"), 17, R"("mode":"decode")");
  const auto scenario = study::scenario_of(test::rows(decode).front());
  REQUIRE(!scenario.has_value());
  CHECK(scenario.error().unsupported);
  CHECK(scenario.error().reason == "mode decode is not supported yet");
}
