#include "cost/matrix_product.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;
using namespace rigcast::cost;

// A model with round numbers: 100 multiprocessors, 1e14 FLOP/s, no prologue, no feed loss.
static GpuModel plain() {
  GpuModel gpu;
  gpu.multiprocessors = 100;
  gpu.matrix_units = true;
  gpu.product_rate = gpu.peak = {1e14};
  gpu.memory_rate = {1e12};
  return gpu;
}

TEST_CASE("a product of whole waves of the largest tile runs at the product rate: time = 2 m n k / rate") {
  // 100 tiles of 256 x 128 fill 100 multiprocessors exactly once.
  const Seconds time = product_time({2560, 1280, 4096, 1, 1}, plain());
  CHECK(time.value == doctest::Approx(2.0 * 2560 * 1280 * 4096 / 1e14).epsilon(1e-12));
}

TEST_CASE(
    "wave quantisation: a tile row more than whole waves costs as much as a smaller tile allows, never less "
    "than the flops") {
  const GpuModel gpu = plain();
  const Seconds whole = product_time({2560, 1280, 4096, 1, 1}, gpu);
  const Seconds more = product_time({2561, 1280, 4096, 1, 1}, gpu);
  CHECK(more > whole);
  CHECK(more.value >= 2.0 * 2561 * 1280 * 4096 / 1e14);
}

TEST_CASE("tile quantisation: one row costs as much as a whole 32-row tile") {
  // k = 64 leaves no room for split-k; one tile of 32 x 64 or 64 x 32 on one multiprocessor.
  TileChoice choice;
  const Seconds one = product_time({1, 32, 64, 1, 1}, plain(), &choice);
  CHECK(choice.tile_m * choice.tile_n == 2048);
  CHECK(one.value == doctest::Approx(2.0 * 2048 * 64 / (1e14 / 100)).epsilon(1e-12));
  CHECK(product_time({32, 32, 64, 1, 1}, plain()) == one);
}

TEST_CASE("split-k spreads a long sum over idle multiprocessors: faster than one tile alone could be") {
  const GpuModel gpu = plain();
  TileChoice choice;
  const Seconds time = product_time({128, 128, 65536, 1, 1}, gpu, &choice);
  CHECK(choice.split_k > 1);
  const double one_tile = 2.0 * 64 * 64 * 65536 / (1e14 / 100);
  CHECK(time.value < one_tile);
}

TEST_CASE("the k prologue costs as much as that many more elements of k") {
  GpuModel gpu = plain();
  gpu.k_prologue = 32;
  CHECK(product_time({2560, 1280, 96, 1, 1}, gpu) == product_time({2560, 1280, 128, 1, 1}, plain()));
}

TEST_CASE("a kernel is as slow as the slower of arithmetic and bytes, plus its latency") {
  GpuModel gpu = plain();
  gpu.execution.kernel_latency = {5e-6};
  const Kernel heavy = product_kernel({2560, 1280, 4096, 1, 1}, gpu, {1});
  CHECK(heavy.duration().value == doctest::Approx(heavy.matrix.value + 5e-6));
  CHECK(heavy.bound() == Bound::kMatrix);
  const Kernel streaming = product_kernel({16, 16, 16, 1, 1}, gpu, {1e9});
  CHECK(streaming.duration().value == doctest::Approx(1e9 / 1e12 + 5e-6));
  CHECK(streaming.bound() == Bound::kMemory);
}

TEST_CASE(
    "GeForce cards run fp16 products with 32-bit accumulation at half of their headline rate, workstation "
    "cards of the same chip do not") {
  const auto& gpus = test::library().catalogue.gpus;
  const auto geforce = product_peak(gpus.find("rtx-3090")->second, plan::Precision::kAmpFp16);
  const auto workstation = product_peak(gpus.find("rtx-a6000")->second, plan::Precision::kAmpFp16);
  CHECK(geforce.half_rate);
  CHECK_FALSE(workstation.half_rate);
  CHECK(geforce.rate.value == doctest::Approx(71e12).epsilon(0.02));
  CHECK(workstation.rate.value == doctest::Approx(154.8e12).epsilon(0.02));
}

TEST_CASE("without matrix units fp16 falls back: P100 has fast fp16 lanes, a 1080 Ti computes in 32 bits") {
  const auto& gpus = test::library().catalogue.gpus;
  const auto p100 = product_peak(gpus.find("p100-sxm2-16")->second, plan::Precision::kFp16);
  const auto gtx = product_peak(gpus.find("gtx-1080ti")->second, plan::Precision::kFp16);
  CHECK_FALSE(p100.matrix_units);
  CHECK(p100.rate.value > 18e12);
  CHECK(gtx.rate.value == doctest::Approx(11.34e12).epsilon(0.01));
}
