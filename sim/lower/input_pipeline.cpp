/// What a batch goes through before a GPU has it: read (storage, or the page cache for the part that fits in
/// free memory), decode on the node's cores, a bounded queue, copy over PCIe on the copy engine. A slot of
/// the queue is taken when the read starts and given back when the copy ends, so a loader runs ahead by
/// `prefetch` batches. Synthetic input lies on the GPU.

#include <algorithm>
#include <limits>

#include "cost/input.h"
#include "cost/memory.h"
#include "lower/state.h"

namespace rigcast::lower {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct Demands {
  task::DemandId read, decode, copy;
};

/// Reading a byte: the part the page cache has costs a memory copy, the rest the device and its path.
task::DemandId read_demand(State& state, const Rank& rank, double hit) {
  const plan::Scenario& s = state.scenario;
  task::Demand demand;
  demand.bound_kind = task::Kind::kStorage;
  demand.rate_bound = kUnlimited;
  const hardware::DeviceId device = s.machine.find(s.plan.storage);
  if (device.valid() && hit < 1) {
    const double miss = 1 - hit;
    add_use(demand.uses, state.storage.at(device.index), miss);
    add_uses(state, state.router.host(device, rank.memory).hops, miss, demand.uses);
    const double requesters = cost::storage_rate(s.machine.device(device), s.plan).requesters.value;
    demand.rate_bound =
        requesters / static_cast<double>(state.ranks.size()) / miss * state.speedup(task::Kind::kStorage);
  }
  const double copy =
      s.profile.value("host", "default", "memory_copy_Bps") *
      std::max(1.0, static_cast<double>(s.plan.workers) / static_cast<double>(state.ranks.size()));
  if (copy < demand.rate_bound) {
    demand.rate_bound = copy * state.speedup(task::Kind::kHostMemory);
    demand.bound_kind = task::Kind::kHostMemory;
  }
  add_uses(state, state.router.host(rank.cpu, rank.memory).hops, 1, demand.uses);
  return state.out.graph.intern(std::move(demand));
}

/// Preparing a sample.
task::DemandId decode_demand(State& state, const Rank& rank) {
  const plan::Scenario& s = state.scenario;
  task::Demand demand;
  demand.bound_kind = task::Kind::kHostDecode;
  demand.rate_bound = cost::rank_feed_rate(s) * state.speedup(task::Kind::kHostDecode);
  if (cost::decode_rate(s) < kUnlimited) {
    add_use(demand.uses, state.decode, 1);
    add_uses(state, state.router.host(rank.cpu, rank.memory).hops, cost::decode_traffic(s).value,
             demand.uses);
    demand.share = 1 / cost::decode_traffic(s).value;
  }
  return state.out.graph.intern(std::move(demand));
}

/// Copying a byte to the GPU.
task::DemandId copy_demand(State& state, const Rank& rank) {
  const plan::Scenario& s = state.scenario;
  task::Demand demand;
  demand.rate_bound = kUnlimited;
  demand.bound_kind = task::Kind::kGpuCopy;
  const hardware::Route& route = state.router.host(rank.memory, rank.gpu);
  add_uses(state, route.hops, 1, demand.uses);
  add_use(demand.uses, rank.memory_bandwidth, 1);
  if (s.plan.pageable) {  // the driver's thread copies into a pinned buffer first
    demand.rate_bound =
        s.profile.value("host", "default", "pageable_Bps") * state.speedup(task::Kind::kHostMemory);
    demand.bound_kind = task::Kind::kHostMemory;
  }
  demand.latency = Time::ceil(
      Seconds{s.profile.value("host", "default", "copy_latency_s") / state.speedup(task::Kind::kGpuCopy)} +
      route.latency);
  demand.latency_kind = task::Kind::kGpuCopy;
  return state.out.graph.intern(std::move(demand));
}

}  // namespace

void input_pipeline(State& state) {
  const plan::Scenario& s = state.scenario;
  state.iterations.assign(static_cast<std::size_t>(state.options.iterations),
                          std::vector<RankIteration>(state.ranks.size()));
  state.reduced.resize(state.iterations.size());
  const bool copies = s.plan.dataset || s.plan.pageable;
  if (!copies) return;

  task::Graph& graph = state.out.graph;
  const double hit =
      state.options.cold_cache ? 0 : cost::page_cache_hit(s.plan, cost::memory(s).host.page_cache);
  const std::uint32_t item = graph.item("batch");
  const double samples = s.plan.batch_per_gpu;
  for (std::size_t r = 0; r < state.ranks.size(); ++r) {
    const Rank& rank = state.ranks[r];
    const task::DemandId copy = copy_demand(state, rank);
    Demands demands{{}, {}, copy};
    task::PoolId queue;
    task::LaneId reader, worker;
    if (s.plan.dataset) {
      demands.read = read_demand(state, rank, hit);
      demands.decode = decode_demand(state, rank);
      const std::string& name = s.machine.device(rank.gpu).id;
      queue = graph.add_pool(name + " prefetch queue", std::max(1, s.plan.prefetch));
      reader = graph.add_lane(name + " reader");
      worker = graph.add_lane(name + " workers");
    }
    for (std::size_t i = 0; i < state.iterations.size(); ++i) {
      task::Label label{
          task::Phase::kRead, 0, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(r), 0, item};
      const auto add = [&](task::Phase phase, double work, task::DemandId demand, task::LaneId lane) {
        label.phase = phase;
        return graph.add({label, work, demand, lane, 0, {}});
      };
      const task::TaskId done =
          add(task::Phase::kCopyIn, cost::prepared_bytes(s).value * samples, demands.copy, rank.copy);
      state.iterations[i][r].copied = done;
      if (!s.plan.dataset) continue;
      const task::TaskId read =
          add(task::Phase::kRead, s.plan.sample_bytes.value * samples, demands.read, reader);
      const task::TaskId decoded = add(task::Phase::kDecode, samples, demands.decode, worker);
      graph.add_edge(read, decoded);
      graph.add_edge(decoded, done);
      state.iterations[i][r].prepared = decoded;
      graph.acquire(read, {queue, 1});
      graph.release(done, {queue, 1});
    }
  }
}

}  // namespace rigcast::lower
