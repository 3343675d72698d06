#pragma once

/// Small graphs for the engine's tests. Works are in bytes, capacities in bytes a second.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/simulate.h"
#include "task/graph.h"

namespace rigcast::engine {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

constexpr Time seconds(double s) { return Time::ceil({s}); }

struct World {
  task::Graph graph;
  task::Resources resources;

  task::ResourceId link(double capacity) {
    return resources.add({"link" + std::to_string(resources.size()), task::Kind::kPcie, capacity, "B"});
  }

  task::Demand demand(std::vector<task::Use> uses, double bound = kUnbounded, Time latency = {}) {
    task::Demand made;
    made.uses = std::move(uses);
    made.rate_bound = bound;
    made.latency = latency;
    return made;
  }

  /// A task named `text` for deadlock messages.
  task::TaskId add(double work, const task::Demand& demand, task::LaneId lane = {}, std::int32_t priority = 0,
                   const char* text = "") {
    task::Task task;
    task.label.item = graph.item(text);
    task.work = work;
    task.demand = graph.intern(demand);
    task.lane = lane;
    task.priority = priority;
    return graph.add(task);
  }

  /// Something that takes that long and shares nothing.
  task::TaskId wait(double s, task::LaneId lane = {}, std::int32_t priority = 0, const char* text = "") {
    return add(s, demand({}, 1), lane, priority, text);
  }

  timeline::Timeline play(Observer* observer = nullptr) {
    if (!graph.sealed()) graph.seal();
    const std::vector<std::string> problems = task::verify(graph, resources);
    REQUIRE_MESSAGE(problems.empty(), (problems.empty() ? "" : problems[0]));
    auto result = simulate(graph, resources, {}, observer);
    REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().text));
    return *std::move(result);
  }
};

}  // namespace rigcast::engine
