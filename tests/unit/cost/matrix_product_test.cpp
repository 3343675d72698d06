#include "cost/matrix_product.h"

#include <doctest/doctest.h>

#include "scenarios.h"

using namespace rigcast;
using namespace rigcast::cost;

// Round numbers: 100 multiprocessors, 1e14 FLOP/s, 1e15 B/s (never the limit here), no prologue, no feed
// limit, no latency, nothing in cache.
static GpuModel plain() {
  GpuModel gpu;
  gpu.multiprocessors = 100;
  gpu.matrix_units = true;
  gpu.product_rate = gpu.peak = {1e14};
  gpu.memory_rate = {1e15};
  gpu.product_bytes = 2;
  gpu.l2 = {1e12};
  return gpu;
}

// Of the matrices once, two bytes an element.
static Kernel kernel(const Product& p, const GpuModel& gpu, TileChoice* choice = nullptr) {
  return product_kernel(p, gpu, {2 * p.count * (p.m * p.k + p.k * p.n + p.m * p.n)}, choice);
}

static double seconds(const Product& p, const GpuModel& gpu, TileChoice* choice = nullptr) {
  return kernel(p, gpu, choice).duration().value;
}

TEST_CASE("a product of whole waves runs at the product rate: time = 2 m n k / rate") {
  // 10 x 10 tiles of 256 x 256 fill 100 multiprocessors exactly once.
  CHECK(seconds({2560, 2560, 4096}, plain()) ==
        doctest::Approx(2.0 * 2560 * 2560 * 4096 / 1e14).epsilon(1e-4));
}

TEST_CASE("wave quantisation: one row more than whole waves costs a step, and never less than the flops") {
  GpuModel gpu = plain();
  gpu.feed_rate = {2e10};  // so that small tiles are no way out
  const double whole = seconds({2560, 2560, 4096}, gpu), more = seconds({2561, 2560, 4096}, gpu);
  CHECK(more > 1.02 * whole);
  CHECK(more >= 2.0 * 2561 * 2560 * 4096 / 1e14);
}

TEST_CASE("tile quantisation: within the smallest tile of 32 x 16, rows are free") {
  // k = 64 leaves no room for split-k; one tile on one multiprocessor: 2 x 512 x 64 / 1e12.
  TileChoice choice;
  const double one = seconds({1, 16, 64}, plain(), &choice);
  CHECK(choice.tile_m * choice.tile_n == 512);
  CHECK(one == doctest::Approx(2.0 * 512 * 64 / 1e12).epsilon(1e-3));
  CHECK(kernel({16, 16, 64}, plain()).matrix.value == doctest::Approx(one).epsilon(1e-3));
}

TEST_CASE("split-k spreads a long sum over idle multiprocessors, where the caller lets it") {
  const GpuModel gpu = plain();
  TileChoice choice;
  const Product product{128, 128, 65536};
  const double split = seconds(product, gpu, &choice);
  CHECK(choice.split_k > 1);
  Product whole = product;
  whole.most_splits = 1;
  const double one = seconds(whole, gpu, &choice);
  CHECK(choice.split_k == 1);
  CHECK(split < one / 2);
}

TEST_CASE("the k prologue costs as much as that many more elements of k") {
  GpuModel gpu = plain();
  gpu.k_prologue = 32;
  CHECK(seconds({2560, 2560, 96}, gpu) == doctest::Approx(seconds({2560, 2560, 128}, plain())).epsilon(1e-3));
}

TEST_CASE("a feed of f bytes a second holds a tile back: (tm + tn) k bytes / f, and large tiles are chosen") {
  GpuModel gpu = plain();
  gpu.feed_rate = {1e9};  // far below what the arithmetic asks for
  TileChoice choice;
  const double time = seconds({2560, 2560, 4096}, gpu, &choice);
  CHECK(choice.tile_m == 256);
  CHECK(choice.tile_n == 256);
  CHECK(time == doctest::Approx(512.0 * 4096 * 2 / 1e9).epsilon(1e-3));
}

TEST_CASE("few rows stream the weights: time tends to bytes / memory rate") {
  GpuModel gpu = plain();
  gpu.memory_rate = {1e12};
  gpu.half_flight = 0;
  const Kernel k = kernel({1, 16384, 16384}, gpu);
  CHECK(k.bound() == Bound::kMemory);
  CHECK(k.duration().value == doctest::Approx(2.0 * 16384 * 16384 / 1e12).epsilon(0.02));
}

TEST_CASE(
    "a grid that leaves buffers empty does not reach the memory rate: 1 / sqrt(1 + (half / flight)^2)") {
  GpuModel gpu = plain();
  gpu.memory_rate = {1e10};
  // k = 64: one split; 16 x 32 tiles and their like: the best has the most bytes in flight.
  const double full = seconds({256, 256, 64}, gpu);
  gpu.half_flight = 0.5;
  const double starved = seconds({256, 256, 64}, gpu);
  CHECK(starved > full * 1.05);
  CHECK(starved < full * 10);
}

TEST_CASE("operands that an earlier run left in L2 move at the L2's rate") {
  GpuModel gpu = plain();
  gpu.memory_rate = {1e12};
  gpu.resident_rate = {4e12};
  const double cold = seconds({1, 4096, 4096}, gpu);
  gpu.resident_reads = {1e9};
  CHECK(seconds({1, 4096, 4096}, gpu) == doctest::Approx(cold / 4).epsilon(0.15));
}

TEST_CASE("reading weights costs what tiles reach of the memory rate") {
  GpuModel gpu = plain();
  gpu.memory_rate = {1e12};
  const double streams = seconds({1, 4096, 4096}, gpu);
  gpu.product_reads = 0.5;
  CHECK(seconds({1, 4096, 4096}, gpu) == doctest::Approx(2 * streams).epsilon(0.05));
}

TEST_CASE("panels larger than L2 are read again by later waves") {
  GpuModel gpu = plain();
  const Product product{16384, 16384, 16384};
  const double once = kernel(product, gpu).bytes.value;
  gpu.l2 = {1e6};
  CHECK(kernel(product, gpu).bytes.value > 2 * once);
}

TEST_CASE("a tiny product costs the kernel's latency, and a pass more when it is split") {
  GpuModel gpu = plain();
  gpu.execution.kernel_latency = {5e-6};
  gpu.split_latency = {3e-6};
  CHECK(seconds({16, 16, 64}, gpu) == doctest::Approx(5e-6).epsilon(0.02));
  TileChoice choice;
  const Kernel split = kernel({64, 64, 4194304}, gpu, &choice);
  REQUIRE(choice.split_k > 1);
  CHECK(split.latency.value == doctest::Approx(8e-6));
}

TEST_CASE("twice the independent products in whole waves take twice as long") {
  const GpuModel gpu = plain();
  CHECK(seconds({2560, 2560, 1024, 2}, gpu) ==
        doctest::Approx(2 * seconds({2560, 2560, 1024, 1}, gpu)).epsilon(1e-4));
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

TEST_CASE(
    "rows that start at any 2, 4 or 8 bytes run at u, u^(2/3) and u^(1/3) of the speed of aligned ones") {
  GpuModel gpu = plain();
  gpu.unaligned_products = 0.125;
  CHECK(aligned_speed(64, gpu) == 1);
  CHECK(aligned_speed(267735, gpu) == doctest::Approx(0.125));  // odd
  CHECK(aligned_speed(30522, gpu) == doctest::Approx(0.25));    // a multiple of 2 elements
  CHECK(aligned_speed(1004, gpu) == doctest::Approx(0.5));      // of 4
  gpu.product_bytes = 4;
  CHECK(aligned_speed(267735, gpu) == doctest::Approx(0.25));
}
