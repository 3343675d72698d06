#include <doctest/doctest.h>

#include <limits>

#include "task/graph.h"

using namespace rigcast;
using namespace rigcast::task;

namespace {

/// A sound graph of three tasks in a chain over one resource; each case breaks one thing.
struct Sound {
  Graph graph;
  Resources resources;
  ResourceId link;
  PoolId pool;
  DemandId demand;
  TaskId a, b, c;

  Sound() {
    link = resources.add({"link", Kind::kPcie, 10, "B"});
    pool = graph.add_pool("queue", 2);
    demand = graph.intern({.uses = {{link, 1}}, .rate_bound = 5});
    a = add("a", 1);
    b = add("b", 1);
    c = add("c", 1);
    graph.add_edge(a, b);
    graph.add_edge(b, c);
  }

  TaskId add(const char* text, double work) {
    return graph.add(
        {.label = {.phase = Phase::kForward, .item = graph.item(text)}, .work = work, .demand = demand});
  }

  std::vector<std::string> problems() {
    graph.seal();
    return verify(graph, resources);
  }
};

/// The single problem, or how many there are.
std::string only(const std::vector<std::string>& problems) {
  return problems.size() == 1 ? problems[0] : std::to_string(problems.size()) + " problems";
}

}  // namespace

TEST_CASE("a sound graph has no problems") { CHECK(Sound().problems().empty()); }

TEST_CASE("a cycle is reported with its tasks in order, and nothing of what only hangs on it") {
  Sound sound;
  sound.graph.add_edge(sound.c, sound.b);
  const TaskId after = sound.add("d", 1);
  sound.graph.add_edge(sound.c, after);
  CHECK(
      only(sound.problems()) ==
      "cycle: forward b iteration 0 rank 0 -> forward c iteration 0 rank 0 -> forward b iteration 0 rank 0");
}

TEST_CASE("a task that waits for itself is a cycle") {
  Sound sound;
  sound.graph.add_edge(sound.b, sound.b);
  CHECK(only(sound.problems()) == "cycle: forward b iteration 0 rank 0 -> forward b iteration 0 rank 0");
}

TEST_CASE("rates, shares and capacities must be above 0") {
  Sound sound;
  sound.graph.intern({.uses = {{sound.link, 1}}, .rate_bound = 0});
  CHECK(only(sound.problems()) == "demand 1: rate bound 0 is not above 0");

  Sound share;
  share.graph.intern({.uses = {{share.link, 1}}, .rate_bound = 1, .share = -1});
  CHECK(only(share.problems()) == "demand 1: share -1");

  Sound use;
  use.graph.intern({.uses = {{use.link, 0}}, .rate_bound = 1});
  CHECK(only(use.problems()) == "demand 1: 0 units of resource 0 per unit of work");

  Sound capacity;
  capacity.resources.add({"dead", Kind::kPcie, 0, "B"});
  CHECK(only(capacity.problems()) == "resource dead: capacity 0 is not above 0");
}

TEST_CASE("work must be finite and at least 0") {
  Sound sound;
  sound.add("d", std::numeric_limits<double>::quiet_NaN());
  sound.add("e", -1);
  sound.add("f", std::numeric_limits<double>::infinity());
  CHECK(sound.problems().size() == 3);
}

TEST_CASE("unknown ids are named") {
  Sound lane;
  lane.graph.add({.work = 1, .demand = lane.demand, .lane = {7}});
  CHECK(only(lane.problems()) == "other iteration 0 rank 0 (task 3): unknown lane 7");

  Sound resource;
  resource.graph.intern({.uses = {{{9}, 1}}, .rate_bound = 1});
  CHECK(only(resource.problems()) == "demand 1: unknown resource 9");

  Sound twice;
  twice.graph.intern({.uses = {{twice.link, 1}, {twice.link, 2}}, .rate_bound = 1});
  CHECK(only(twice.problems()) == "demand 1: resource 0 is named twice");
}

TEST_CASE("no task may ask for more than a pool has") {
  Sound sound;
  sound.graph.acquire(sound.a, {sound.pool, 3});
  CHECK(only(sound.problems()) ==
        "forward a iteration 0 rank 0 (task 0): asks for 3 of pool queue, which has 2");
}

TEST_CASE("the slices of a breakdown add up to work / rate bound") {
  // work 10 at 5 a second: 2 s.
  Sound good;
  good.graph.add({.work = 10,
                  .demand = good.demand,
                  .breakdown = good.graph.add_breakdown({{0, {}, 0.5}, {0, {}, 1.5}})});
  CHECK(good.problems().empty());

  Sound bad;
  bad.graph.add({.work = 10, .demand = bad.demand, .breakdown = bad.graph.add_breakdown({{0, {}, 0.5}})});
  CHECK(only(bad.problems()) ==
        "other iteration 0 rank 0 (task 3): slices add up to 0.5 s, the task takes 2 s alone");
}
