#include "task/graph.h"

#include <doctest/doctest.h>

#include <limits>

using namespace rigcast;
using namespace rigcast::task;

TEST_CASE("equal demands share an id whatever the order of their uses; different ones do not") {
  Graph graph;
  const ResourceId a{0}, b{1};
  const DemandId first = graph.intern({.uses = {{a, 1}, {b, 2}}, .rate_bound = 5});
  CHECK(graph.intern({.uses = {{b, 2}, {a, 1}}, .rate_bound = 5}) == first);
  CHECK(graph.intern({.uses = {{a, 1}, {b, 2}}, .rate_bound = 6}) != first);
  CHECK(graph.intern({.uses = {{a, 1}, {b, 3}}, .rate_bound = 5}) != first);
  CHECK(graph.intern({.uses = {{a, 1}, {b, 2}}, .rate_bound = 5, .latency = {1}}) != first);
  CHECK(graph.demands()[first.index].uses.front().resource == a);
  CHECK(graph.demands().size() == 4);
}

TEST_CASE("equal texts share an index, and index 0 is the empty text") {
  Graph graph;
  CHECK(graph.item("") == 0);
  const std::uint32_t conv = graph.item("conv1");
  CHECK(graph.item("relu") != conv);
  CHECK(graph.item("conv1") == conv);
  CHECK(graph.items()[conv] == "conv1");
}

TEST_CASE("sealing gives each task its successors in the order their edges were added") {
  Graph graph;
  const DemandId demand = graph.intern({.rate_bound = 1});
  TaskId t[4];
  for (TaskId& task : t) task = graph.add({.demand = demand});
  graph.add_edge(t[2], t[3]);
  graph.add_edge(t[0], t[3]);
  graph.add_edge(t[0], t[1]);
  CHECK_FALSE(graph.sealed());
  graph.seal();
  CHECK(graph.sealed());
  CHECK(graph.edge_count() == 3);
  CHECK(std::vector(graph.successors(t[0]).begin(), graph.successors(t[0]).end()) == std::vector{t[3], t[1]});
  CHECK(graph.successors(t[1]).empty());
  CHECK(graph.successors(t[2]).size() == 1);
  CHECK(graph.successors(t[3]).empty());
  CHECK(graph.predecessor_count(t[3]) == 2);
  CHECK(graph.predecessor_count(t[0]) == 0);
}

TEST_CASE("pool uses are found by task, and a task without any has none") {
  Graph graph;
  const PoolId slots = graph.add_pool("slots", 4), bytes = graph.add_pool("bytes", 100);
  const DemandId demand = graph.intern({.rate_bound = 1});
  const TaskId a = graph.add({.demand = demand}), b = graph.add({.demand = demand}),
               c = graph.add({.demand = demand});
  CHECK_FALSE(graph.uses_pools());
  graph.acquire(c, {slots, 1});
  graph.acquire(a, {bytes, 7});
  graph.acquire(c, {bytes, 9});
  graph.release(b, {slots, 1});
  graph.seal();
  CHECK(graph.uses_pools());
  REQUIRE(graph.acquires(a).size() == 1);
  CHECK(graph.acquires(a)[0].amount == 7);
  CHECK(graph.acquires(b).empty());
  REQUIRE(graph.acquires(c).size() == 2);
  CHECK(graph.acquires(c)[0].pool == slots);
  CHECK(graph.acquires(c)[1].pool == bytes);
  CHECK(graph.releases(b).size() == 1);
  CHECK(graph.releases(a).empty());
}

TEST_CASE("a breakdown belongs to the tasks that name it") {
  Graph graph;
  const DemandId demand = graph.intern({.rate_bound = 1});
  const BreakdownId first = graph.add_breakdown({{graph.item("conv"), Kind::kGpuMatrix, 2}});
  const BreakdownId second = graph.add_breakdown(
      {{graph.item("bias"), Kind::kGpuMemory, 1}, {graph.item("relu"), Kind::kGpuMemory, 3}});
  const TaskId a = graph.add({.work = 4, .demand = demand, .breakdown = second});
  const TaskId b = graph.add({.work = 2, .demand = demand, .breakdown = first});
  const TaskId none = graph.add({.work = 2, .demand = demand});
  graph.seal();
  REQUIRE(graph.breakdown(a).size() == 2);
  CHECK(graph.breakdown(a)[1].seconds == 3);
  CHECK(graph.breakdown(b).size() == 1);
  CHECK(graph.breakdown(none).empty());
}

TEST_CASE("describe names phase, item, iteration and rank, and micro-batch and channel when not 0") {
  Graph graph;
  const DemandId demand = graph.intern({.rate_bound = 1});
  Label label{.phase = Phase::kForward, .iteration = 2, .rank = 3, .item = graph.item("conv1")};
  const TaskId plain = graph.add({.label = label, .demand = demand});
  label.micro_batch = 4;
  label.channel = 1;
  label.phase = Phase::kGradientSync;
  const TaskId full = graph.add({.label = label, .demand = demand});
  CHECK(graph.describe(plain) == "forward conv1 iteration 2 rank 3");
  CHECK(graph.describe(full) == "gradient-sync conv1 iteration 2 micro-batch 4 channel 1 rank 3");
}

TEST_CASE("resources keep their order and are looked up by id") {
  Resources resources;
  resources.add({"gpu0.memory", Kind::kGpuMemory, 2e12, "B"});
  const ResourceId link = resources.add({"plx0->gpu0", Kind::kPcie, 12e9, "B"});
  CHECK(link.index == 1);
  CHECK(resources[link].name == "plx0->gpu0");
  CHECK(resources.size() == 2);
}

TEST_CASE("every phase has its own name") {
  CHECK(name(Phase::kRead) == "read");
  CHECK(name(Phase::kOther) == "other");
  for (int i = 0; i < kPhaseCount; ++i)
    for (int j = 0; j < i; ++j) CHECK(name(static_cast<Phase>(i)) != name(static_cast<Phase>(j)));
}
