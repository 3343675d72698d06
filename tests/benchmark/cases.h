#pragma once

/// Task graphs of known shape and, where theory has one, known completion time: for the benchmarks, and small
/// ones for the engine's unit tests.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "task/graph.h"

namespace rigcast::benchmark_cases {

struct Case {
  task::Graph graph;
  task::Resources resources;
};

/// Hosts around a switch that never limits; each has a link up to it and a link down from it.
struct Star {
  std::vector<task::ResourceId> up, down;
  double bandwidth;

  Star(task::Resources& resources, std::uint32_t hosts, double bytes_per_second)
      : bandwidth(bytes_per_second) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      const std::string name = "host" + std::to_string(h);
      up.push_back(resources.add({name + ".up", task::Kind::kNetwork, bandwidth, "B"}));
      down.push_back(resources.add({name + ".down", task::Kind::kNetwork, bandwidth, "B"}));
    }
  }

  /// Bytes from one host to another; alone it reaches the bandwidth of a link.
  task::Demand transfer(std::uint32_t from, std::uint32_t to, Time latency = {}) const {
    task::Demand demand;
    demand.uses = {{up[from], 1}, {down[to], 1}};
    demand.rate_bound = bandwidth;
    demand.bound_kind = task::Kind::kNetwork;
    demand.latency = latency;
    return demand;
  }
};

/// Tasks that share nothing and wait for nothing, of random lengths up to a millisecond.
inline Case independent(std::uint32_t tasks) {
  Case made;
  std::mt19937_64 random(1);
  task::Task task;
  task.demand = made.graph.intern({{}, 1, 1, task::Kind::kGpuMatrix, {}, task::Kind::kCollectiveLatency});
  made.graph.reserve(tasks, 0);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    task.work = static_cast<double>(random() % 1'000'000'000) * 1e-12;
    made.graph.add(task);
  }
  made.graph.seal();
  return made;
}

/// The same work as chains, each on a lane and a compute unit of its own: what a stream of kernels looks
/// like.
inline Case streams(std::uint32_t lanes, std::uint32_t tasks_each) {
  Case made;
  std::mt19937_64 random(1);
  made.graph.reserve(std::size_t{lanes} * tasks_each, std::size_t{lanes} * tasks_each);
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const task::ResourceId unit =
        made.resources.add({"gpu" + std::to_string(l), task::Kind::kGpuMatrix, 1, "GPU s"});
    task::Task task;
    task.lane = made.graph.add_lane("stream" + std::to_string(l));
    task.demand = made.graph.intern({{{unit, 1}}, 1, 1, task::Kind::kGpuMatrix, {}, task::Kind::kGpuLatency});
    task::TaskId before;
    for (std::uint32_t i = 0; i < tasks_each; ++i) {
      task.work = static_cast<double>(random() % 1'000'000'000) * 1e-12;
      const task::TaskId id = made.graph.add(task);
      if (before.valid()) made.graph.add_edge(before, id);
      before = id;
    }
  }
  made.graph.seal();
  return made;
}

/// Flows between random pairs of different hosts, half to one and a half megabytes, all from the start.
inline Case random_flows(std::uint32_t flows, std::uint32_t hosts) {
  Case made;
  std::mt19937_64 random(1);
  const Star star(made.resources, hosts, 50e9);
  for (std::uint32_t f = 0; f < flows; ++f) {
    const auto from = static_cast<std::uint32_t>(random() % hosts);
    const auto to = static_cast<std::uint32_t>((from + 1 + random() % (hosts - 1)) % hosts);
    task::Task task;
    task.demand = made.graph.intern(star.transfer(from, to));
    task.work = 0.5e6 + static_cast<double>(random() % 1'000'000);
    made.graph.add(task);
  }
  made.graph.seal();
  return made;
}

/// A ring all-reduce, every step of every rank: n - 1 steps of reduce-scatter, n - 1 of all-gather, in each
/// of which every rank sends a chunk of bytes / n to the next as soon as it has sent and received those of
/// the step before.
struct Ring {
  std::uint32_t ranks;
  double bytes;
  double bandwidth = 50e9;
  Time latency{500'000};

  /// 2 (n - 1) (latency + bytes / n / bandwidth): no two transfers of a step share a link.
  Time theory() const {
    const Time step = latency + Time::ceil({bytes / ranks / bandwidth});
    return {2 * (ranks - std::int64_t{1}) * step.picoseconds};
  }

  Case build() const {
    Case made;
    const Star star(made.resources, ranks, bandwidth);
    const std::uint32_t steps = 2 * (ranks - 1);
    made.graph.reserve(std::size_t{steps} * ranks, 2 * std::size_t{steps - 1} * ranks);
    std::vector<task::DemandId> demands;
    for (std::uint32_t r = 0; r < ranks; ++r)
      demands.push_back(made.graph.intern(star.transfer(r, (r + 1) % ranks, latency)));
    task::Task task;
    task.work = bytes / ranks;
    task.label.phase = task::Phase::kGradientSync;
    for (std::uint32_t s = 0; s < steps; ++s)
      for (std::uint32_t r = 0; r < ranks; ++r) {
        task.label.rank = static_cast<std::uint16_t>(r);
        task.demand = demands[r];
        const task::TaskId id = made.graph.add(task);
        if (s == 0) continue;
        const std::uint32_t previous = (s - 1) * ranks;
        made.graph.add_edge({previous + r}, id);
        made.graph.add_edge({previous + (r + ranks - 1) % ranks}, id);
      }
    made.graph.seal();
    return made;
  }
};

}  // namespace rigcast::benchmark_cases
