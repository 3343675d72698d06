#include "lower/fixture.h"

using namespace rigcast;

// The collectives of one iteration: from the first start to the last end of gradient synchronisation, when
// all gradients are one bucket (no overlap), so that nothing else runs beside them.
static Seconds sync_time(const plan::Scenario& scenario) {
  lower::Options options;
  options.iterations = 2;
  const lower::Lowered lowered = lower::lower(scenario, options);
  const timeline::Timeline timeline = test::play(lowered);
  Time first = Time::never(), last{};
  for (std::uint32_t t = 0; t < lowered.graph.size(); ++t) {
    const task::Label& label = lowered.graph.label(task::TaskId{t});
    if (label.phase != task::Phase::kGradientSync || label.iteration != 1) continue;
    first = std::min(first, timeline.spans[t].start);
    last = std::max(last, timeline.spans[t].end);
  }
  return (last - first).seconds();
}

static const test::Settings kOneBucket = {
    {"plan.framework.overlap", "false"}, {"plan.precision", "fp32"}, {"plan.batch_per_gpu", "4"}};

TEST_CASE(
    "on an idle fabric a ring as one activity and step by step take the same time, on NVLink meshes, "
    "NVSwitch and PCIe") {
  for (const char* machine : {"dgx1-v100", "dgx-a100", "supermicro-4029gp-trt2", "desk-2x4090"}) {
    CAPTURE(machine);
    test::Settings steps = kOneBucket;
    steps.emplace_back("plan.detail", "steps");
    const Seconds whole = sync_time(test::scenario(machine, "bert-base", kOneBucket));
    const Seconds played = sync_time(test::scenario(machine, "bert-base", steps));
    CHECK(played.value == doctest::Approx(whole.value).epsilon(0.02));
  }
}

TEST_CASE(
    "8 V100 in a cube mesh: 6 links out of every GPU carry the rings, bus bandwidth = 6 x 25 GB/s x the "
    "reached fraction") {
  const plan::Scenario s = test::scenario("dgx1-v100", "bert-large", kOneBucket);
  const double bytes = 4 * s.network.parameters();
  const double expected = 6 * 25e9 * s.profile.value("link", "nvlink2", "collective");
  const double bus = 2.0 * 7 / 8 * bytes / sync_time(s).value;
  CHECK(bus == doctest::Approx(expected).epsilon(0.05));  // with the fill of the pipeline
}

TEST_CASE("8 A100 on NVSwitch: bus bandwidth = 12 x 25 GB/s x the reached fraction") {
  const plan::Scenario s = test::scenario("dgx-a100", "bert-large", kOneBucket);
  const double bytes = 4 * s.network.parameters();
  const double expected = 12 * 25e9 * s.profile.value("link", "nvlink3", "collective");
  CHECK(2.0 * 7 / 8 * bytes / sync_time(s).value ==
        doctest::Approx(expected).epsilon(0.05));  // with the fill of the pipeline
}

TEST_CASE("data parallelism over nodes plays one of them: the graph does not grow with the nodes") {
  test::Settings four = kOneBucket, many = kOneBucket;
  four.emplace_back("plan.nodes", "4");
  four.emplace_back("plan.gpus", "32");
  many.emplace_back("plan.nodes", "128");
  many.emplace_back("plan.gpus", "1024");
  const plan::Scenario a = test::scenario("dgx-a100", "bert-base", four);
  const plan::Scenario b = test::scenario("dgx-a100", "bert-base", many);
  CHECK(lower::lower(a).graph.size() == lower::lower(b).graph.size());
  CHECK(b.plan.global_batch == 32 * a.plan.global_batch);
}

TEST_CASE(
    "8 nodes of 4 V100 behind one 100 Gb card: W = 2 (n - 1) / n S over 12.1 GB/s, the card bounds it") {
  test::Settings settings = kOneBucket;
  for (const auto& [key, value] : test::Settings{{"machine.count", "4"},
                                                 {"machine.nodes", "8"},
                                                 {"machine.network.kind", "ib"},
                                                 {"machine.network.gbps_per_port", "100"},
                                                 {"machine.network.ports_per_node", "1"}})
    settings.emplace_back(key, value);
  const plan::Scenario s = test::scenario("dgx1-v100", "bert-large", settings);
  REQUIRE(s.plan.gpus == 32);
  const double bytes = 4 * s.network.parameters();
  const double bus = 2.0 * 31 / 32 * bytes / sync_time(s).value;
  CHECK(bus == doctest::Approx(12.1e9).epsilon(0.05));  // with the fill of the pipeline
}

TEST_CASE("two 4090 exchange through host memory: no faster than a staged hop") {
  const plan::Scenario s = test::scenario("desk-2x4090", "bert-base", kOneBucket);
  const double bytes = 4 * s.network.parameters();
  CHECK(bytes / sync_time(s).value <= s.profile.value("collective", "staged", "hop_Bps") * 1.001);
}
