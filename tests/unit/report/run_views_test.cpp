#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "engine/simulate.h"
#include "report/explain.h"
#include "report/samples.h"
#include "report/trace.h"

namespace rigcast::report {
namespace {

using Json = nlohmann::ordered_json;
using task::Kind;

Time at(double seconds) { return Time::ceil({seconds}); }

/// Two flows of 10 B at once over a link of 10 B/s (2 s, then a third flow 1 s), and after the first two a
/// run of two kernels (1 s matrix, 3 s memory) that the third flow slows: memory 8 B/s, kernel 8 B per own
/// second, flow 4 B/s fair.
study::Run sample_run() {
  study::Run run;
  task::Graph& graph = run.lowered.graph;
  task::Resources& resources = run.lowered.resources;
  const task::ResourceId link = resources.add({"plx0->gpu0", Kind::kPcie, 10, "B"});
  const task::ResourceId memory = resources.add({"gpu0.memory", Kind::kGpuMemory, 8, "B"});
  const task::LaneId stream = graph.add_lane("gpu0 stream");
  const auto label = [&](task::Phase phase, const char* item) {
    task::Label l;
    l.phase = phase;
    l.item = graph.item(item);
    return l;
  };
  const task::DemandId flow = graph.intern({{{link, 1}}, 10, 1, Kind::kPcie, {}, {}});
  const task::DemandId into_memory = graph.intern({{{memory, 1}}, 1e9, 1, Kind::kGpuCopy, {}, {}});
  const task::DemandId kernels = graph.intern({{{memory, 8}}, 1, 1.0 / 8, Kind::kDependency, {}, {}});
  const task::BreakdownId slices = graph.add_breakdown(
      {{graph.item("conv1"), Kind::kGpuMatrix, 1}, {graph.item("relu"), Kind::kGpuMemory, 3}});
  const auto a = graph.add({label(task::Phase::kCopyIn, "batch"), 10, flow, {}, 0, {}});
  const auto b = graph.add({label(task::Phase::kCopyIn, "batch"), 10, flow, {}, 0, {}});
  const auto run_of_kernels =
      graph.add({label(task::Phase::kForward, "block"), 4, kernels, stream, 0, slices});
  const auto late = graph.add({label(task::Phase::kCopyIn, "next"), 1e6, into_memory, {}, 0, {}});
  const auto end = graph.add({label(task::Phase::kMarker, ""), 0, flow, {}, 0, {}});
  graph.add_edge(a, run_of_kernels);
  graph.add_edge(b, run_of_kernels);
  graph.add_edge(b, late);
  graph.add_edge(run_of_kernels, end);
  graph.seal();
  run.timeline = *engine::simulate(graph, resources);
  return run;
}

TEST_CASE("a trace is JSON whose events lie on named tracks, without overlap, kernels written one by one") {
  const study::Run run = sample_run();
  const Json document = Json::parse(printed([&](std::ostream& out) { trace(out, run); }));
  std::map<int, std::string> process;
  std::map<std::pair<int, int>, std::string> thread;
  std::map<std::pair<int, int>, double> busy_until;
  std::map<std::string, Json> by_name;
  for (const Json& event : document["traceEvents"]) {
    if (event["name"] == "process_name") process[event["pid"]] = event["args"]["name"];
    if (event["name"] == "thread_name") thread[{event["pid"], event["tid"]}] = event["args"]["name"];
    if (event["ph"] != "X") continue;
    const std::pair<int, int> track{event["pid"], event["tid"]};
    CHECK(event["ts"].get<double>() >= busy_until[track]);
    busy_until[track] = event["ts"].get<double>() + event["dur"].get<double>();
    by_name[event["name"]] = event;
  }
  for (const auto& entry : busy_until) {
    CHECK(process.count(entry.first.first) == 1);
    CHECK(thread.count(entry.first) == 1);
  }
  // The two flows ran at once, so the class PCI Express has two tracks; the GPU has its lane.
  CHECK(thread.size() == 4);
  // Kernels start at 2 s at half pace: conv1 takes 2 s, relu 6 s. Microseconds.
  CHECK(by_name["conv1"]["ts"].get<double>() == doctest::Approx(2e6));
  CHECK(by_name["conv1"]["dur"].get<double>() == doctest::Approx(2e6));
  CHECK(by_name["relu"]["dur"].get<double>() == doctest::Approx(6e6));
  CHECK(by_name["relu"]["args"]["kind"] == "gpu.memory");
  CHECK(by_name["conv1"]["cat"] == "forward");
}

TEST_CASE("the story of a task says why it started, what slowed it, and what led to it") {
  const study::Run run = sample_run();
  const TaskStory story = task_story(run, task::TaskId{2});
  CHECK(story.span.start == at(2));
  REQUIRE(story.spent.size() == 2);
  // 8 s: own 1 s matrix and 3 s memory, 4 s cost the crowd on the memory: 7 s memory.
  CHECK(story.spent[0].kind == Kind::kGpuMemory);
  CHECK(story.spent[0].seconds == doctest::Approx(7));
  CHECK(story.spent[1].seconds == doctest::Approx(1));
  const std::string text = printed([&](std::ostream& out) { task_text(out, run, story); });
  CHECK(contains(text, "ran from 2.00 s to 10.0 s (8.00 s), on lane gpu0 stream"));
  CHECK(contains(text, "started when the last task it needed had ended: "));
  CHECK(contains(text, "50.0 % of its pace alone, limited by gpu0.memory"));
  const Json document = Json::parse(printed([&](std::ostream& out) { task_json(out, run, story); }));
  CHECK(document["task"] == 2);
  CHECK(document["waited_for"] == "predecessor");
  CHECK(document["steps"][0]["limiter"] == "gpu0.memory");
  CHECK(document["causes"].size() == story.causes.size());
}

TEST_CASE("the list of passes has their counts") {
  study::Run run = sample_run();
  run.lowered.passes = {{"place_ranks", "ranks to GPUs", 0, 0},
                        {"forward", "kernels of the forward pass", 5, 4}};
  CHECK(printed([&](std::ostream& out) { passes_text(out, run.lowered); }) ==
        "pass             tasks      edges  what it does\n"
        "place_ranks          0          0  ranks to GPUs\n"
        "forward              5          4  kernels of the forward pass\n");
  const Json document = Json::parse(printed([&](std::ostream& out) { passes_json(out, run.lowered); }));
  CHECK(document["passes"][1]["name"] == "forward");
  CHECK(document["passes"][1]["tasks"] == 5);
}

}  // namespace
}  // namespace rigcast::report
