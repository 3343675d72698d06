/// Two older ways of data parallelism in which one process drives every GPU of a machine.
///
/// data-parallel (PyTorch nn.DataParallel): each iteration the parameters are broadcast from the first GPU
/// and the modules copied in Python; the replicas' forward passes are issued by threads that take turns at
/// one interpreter lock; backward runs on a thread a GPU; when all of it is done the gradients are reduced to
/// the first GPU, whose optimizer steps. So the host's time grows with the GPUs, and nothing of the exchange
/// is hidden.
///
/// parameter-server (tf_cnn_benchmarks, variables in host memory): every gradient bucket is copied down from
/// each GPU as it is ready, summed, and the new values copied up; no rings, all of it over the GPUs' PCIe
/// links and the host's memory.

#include <limits>

#include "lower/collective.h"

namespace rigcast::lower {
namespace {

task::DemandId instant(State& state) {
  task::Demand demand;
  demand.rate_bound = 1;
  return state.out.graph.intern(std::move(demand));
}

/// A collective of the whole model; its last tasks.
std::vector<task::TaskId> exchange(State& state, cost::Collective op, double bytes, task::Label label,
                                   const std::vector<task::LaneId>& lanes, task::TaskId before) {
  const cost::CollectiveChoice choice = cost::choose(op, Bytes{bytes}, state.fabric, state.scenario.profile);
  std::vector<task::TaskId> ends;
  for (std::size_t c = 0; c < state.channels.size(); ++c) {
    label.channel = static_cast<std::uint8_t>(c);
    const Exchange part = prepare_exchange(state, state.channels[c], choice, bytes, 1);
    for (const task::TaskId end : add_exchange(state, part, label, lanes[c], before)) ends.push_back(end);
  }
  return ends;
}

std::vector<task::LaneId> lanes_of(State& state, const char* name) {
  std::vector<task::LaneId> lanes;
  for (std::size_t c = 0; c < state.channels.size(); ++c)
    lanes.push_back(state.out.graph.add_lane(name + std::to_string(c)));
  return lanes;
}

double model_bytes(const plan::Scenario& s) {
  return s.network.parameters() * plan::parameter_bytes(s.plan.precision).value;
}

/// Moving a byte between a GPU and host memory, and what the sum there reads and writes.
task::DemandId host_copy(State& state, const Rank& rank, bool up) {
  task::Demand demand;
  demand.rate_bound = std::numeric_limits<double>::infinity();
  demand.bound_kind = task::Kind::kPcie;
  const hardware::Route& route =
      up ? state.router.host(rank.memory, rank.gpu) : state.router.host(rank.gpu, rank.memory);
  add_uses(state, route.hops, 1, demand.uses);
  if (!up) add_uses(state, state.router.host(rank.memory, rank.cpu).hops, 1, demand.uses);
  return state.out.graph.intern(std::move(demand));
}

}  // namespace

void reduce_to_first(State& state) {
  task::Graph& graph = state.out.graph;
  if (state.channels.empty() || state.scenario.plan.mode != plan::Mode::kTraining) return;
  const task::DemandId ready_demand = instant(state);
  const std::uint32_t item = graph.item("gradients to the first GPU");
  const std::vector<task::LaneId> lanes = lanes_of(state, "reduce channel ");
  for (std::size_t i = 0; i < state.iterations.size(); ++i) {
    task::Label label{task::Phase::kMarker, 0, static_cast<std::uint16_t>(i), 0, 0, item};
    const task::TaskId ready = graph.add({label, 0, ready_demand, {}, 0, {}});
    for (const RankIteration& rank : state.iterations[i]) {
      graph.add_edge(rank.last.stream, ready);
      graph.add_edge(rank.last.tail, ready);
    }
    label.phase = task::Phase::kGradientSync;
    state.reduced[i] =
        exchange(state, cost::Collective::kReduce, model_bytes(state.scenario), label, lanes, ready);
  }
}

void push_and_pull(State& state) {
  task::Graph& graph = state.out.graph;
  const std::vector<Segment>& segments = state.programs.front().backward;
  const task::DemandId ready_demand = instant(state);
  std::vector<task::LaneId> down, up;
  for (const Rank& rank : state.ranks) {
    const std::string& name = state.scenario.machine.device(rank.gpu).id;
    down.push_back(graph.add_lane(name + " gradients out"));
    up.push_back(graph.add_lane(name + " variables in"));
  }
  for (std::size_t b = 0; b < segments.size(); ++b) {
    const double bytes = segments[b].gradient_bytes;
    if (bytes <= 0) continue;
    const std::uint32_t item = graph.item("gradient bucket " + std::to_string(b));
    for (std::size_t i = 0; i < state.iterations.size(); ++i) {
      task::Label label{task::Phase::kMarker, 0, static_cast<std::uint16_t>(i), 0, 0, item};
      const task::TaskId summed = graph.add({label, 0, ready_demand, {}, 0, {}});
      label.phase = task::Phase::kGradientSync;
      for (std::size_t r = 0; r < state.ranks.size(); ++r) {
        label.rank = static_cast<std::uint16_t>(r);
        const task::TaskId push =
            graph.add({label, bytes, host_copy(state, state.ranks[r], false), down[r], 0, {}});
        graph.add_edge(state.iterations[i][r].buckets[b].stream, push);
        graph.add_edge(state.iterations[i][r].buckets[b].tail, push);
        graph.add_edge(push, summed);
        const task::TaskId pull =
            graph.add({label, bytes, host_copy(state, state.ranks[r], true), up[r], 0, {}});
        graph.add_edge(summed, pull);
        state.reduced[i].push_back(pull);
      }
    }
  }
}

void replicate(State& state) {
  const plan::Scenario& s = state.scenario;
  if (s.plan.method != plan::Method::kDataParallel || state.ranks.size() < 2) return;
  task::Graph& graph = state.out.graph;
  const std::uint32_t item = graph.item("parameters to every GPU"),
                      modules = graph.item("copies of the modules");
  const std::vector<task::LaneId> lanes = lanes_of(state, "broadcast channel ");
  const double ranks = static_cast<double>(state.ranks.size());
  const hardware::CpuPart& cpu = s.machine.device(state.ranks.front().cpu).cpu();
  const double copying = s.profile.value("framework", "data-parallel", "module_s") *
                         static_cast<double>(s.network.operators.size()) * ranks /
                         cost::thread_speed(cpu, s.profile);
  task::Demand thread;
  thread.rate_bound = 1;
  thread.bound_kind = task::Kind::kHostLaunch;
  const task::DemandId host = graph.intern(std::move(thread));
  for (std::size_t i = 0; i < state.iterations.size(); ++i) {
    task::Label label{task::Phase::kIssue, 0, static_cast<std::uint16_t>(i), 0, 0, modules};
    const task::TaskId copied = graph.add({label, copying, host, state.ranks.front().host, 0, {}});
    label.item = item;
    label.phase = task::Phase::kGradientSync;
    const auto parts = exchange(state, cost::Collective::kBroadcast, model_bytes(s), label, lanes, copied);
    for (std::size_t r = 0; r < state.ranks.size(); ++r) {
      RankIteration& now = state.iterations[i][r];
      for (const task::TaskId id : {now.first.issue, now.first.tail}) graph.add_edge(copied, id);
      for (const task::TaskId part : parts) graph.add_edge(part, now.first.stream);
      if (i == 0) continue;
      // The loop reads the loss, so the next iteration begins when the last is done everywhere.
      for (const RankIteration& before : state.iterations[i - 1])
        for (const task::TaskId end : {before.end.stream, before.end.tail})
          if (r == 0) graph.add_edge(end, copied);
    }
  }
}

}  // namespace rigcast::lower
