#pragma once

/// What the passes share: the scenario on one side, the growing task graph on the other, and between them
/// what earlier passes decided.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cost/collective.h"
#include "cost/gpu_model.h"
#include "cost/kernel.h"
#include "hardware/routing.h"
#include "lower/lower.h"

namespace rigcast::lower {

/// A run of kernels on one stream between two points where anything else may meet it. With host times h_i and
/// kernel times k_i the run that starts on the stream at G and whose issuing starts at H ends at
///   max over j of (max(G, H + h_1 + .. + h_j) + k_j + .. + k_n) = max(G + stream, H + tail),
/// because both are sums along one path of the two-row grid: stream = k_1 + .. + k_n, tail = max over j of
/// (h_1 + .. + h_j + k_j + .. + k_n). So three tasks are exact: the issue (host), the stream (GPU), the tail
/// (a pure delay).
struct Segment {
  std::vector<cost::Kernel> kernels;
  Seconds issue, stream, tail;
  Flops matrix_flops, vector_flops;
  Bytes bytes;
  task::BreakdownId stream_slices, tail_slices;
  double gradient_bytes = 0;   ///< of the buckets that are complete when this segment ends; 0: none
  double buckets = 1;          ///< messages they are exchanged in
  bool synchronises = false;   ///< the host waits for its end before it issues more
  double looked_up_bytes = 0;  ///< vectors of spread tables that every rank sends and receives at its end
};

/// Kernels of one optimizer step on one kind of GPU.
struct Program {
  Segment accumulated;  ///< all micro-batches but the last, in a row; empty without accumulation
  std::vector<Segment>
      forward;  ///< of the last micro-batch, cut where the host or other ranks are waited for
  std::vector<Segment> backward;  ///< one a gradient bucket, in order of completion
  Segment optimizer;
};

/// One way round all ranks; a collective is split over its channels by width.
struct Channel {
  std::vector<std::vector<hardware::Hop>> hops;  ///< from rank i to its successor in the ring
  std::vector<int> order;                        ///< ring position -> rank
  std::vector<bool> staged;                      ///< by ring position
  cost::HopClass hop_class = cost::HopClass::kGpuLink;
  std::vector<std::vector<task::Use>> uses;  ///< by ring position: what its hop uses per byte it carries
  Seconds latency;                           ///< of the links of its longest hop
  BytesPerSecond rate;                       ///< bus rate alone
};

/// A node's way into the network.
struct NetworkCard {
  hardware::DeviceId device;
  task::ResourceId out, in;
  BytesPerSecond rate;   ///< one direction
  std::size_t rank = 0;  ///< of the GPU that drives it
};

struct Rank {
  hardware::DeviceId gpu, cpu, memory;
  std::size_t program = 0;  ///< index into State::programs
  task::ResourceId matrix, multiprocessors, memory_bandwidth;
  task::LaneId stream, copy, host;
};

/// Issue, stream and tail of a segment. What follows on the stream waits for both of the latter.
struct Emitted {
  task::TaskId issue, stream, tail;
};

/// Tasks of one rank and iteration that other passes attach to. Invalid ids: nothing there.
struct RankIteration {
  task::TaskId prepared;         ///< the batch is in host memory
  task::TaskId copied;           ///< the batch is on the GPU
  Emitted first;                 ///< first run of kernels
  std::vector<Emitted> forward;  ///< by run of the forward pass
  std::vector<Emitted> buckets;  ///< by bucket: the run that completes its gradients
  Emitted last;                  ///< last run before the optimizer
  Emitted end;                   ///< last run of the iteration
};

struct State {
  State(const plan::Scenario& s, const Options& o) : scenario(s), options(o), router(s.machine) {}

  const plan::Scenario& scenario;
  const Options& options;
  hardware::Router router;
  Lowered out;

  std::vector<Rank> ranks;
  std::vector<cost::GpuModel> models;  ///< by program
  std::vector<Program> programs;       ///< by kind of GPU
  std::vector<Channel> channels;
  std::vector<NetworkCard> cards;       ///< of one node; empty where the plan stays on one
  std::vector<task::Use> network_uses;  ///< per byte that leaves and enters the node, spread over its cards
  cost::Fabric fabric;                  ///< what the channels and cards are together
  bool steps = false;                   ///< collectives are played step by step
  std::vector<std::pair<task::ResourceId, task::ResourceId>> link_resources;  ///< by link: forward, backward
  std::map<std::uint32_t, task::ResourceId> staging;  ///< by CPU device: copying between staged peers
  std::map<std::uint32_t, task::ResourceId> storage;  ///< by storage device
  task::ResourceId decode;
  std::vector<std::vector<RankIteration>> iterations;  ///< [iteration][rank]
  std::vector<std::vector<task::TaskId>> reduced;      ///< [iteration]: last tasks of its collectives

  task::ResourceId resource(const hardware::Hop& hop) const {
    const auto& both = link_resources[hop.link];
    return hop.forward ? both.first : both.second;
  }
  double speedup(task::Kind kind) const { return options.speedup[kind]; }
};

/// The passes, in order; see lower.cpp for the list with purposes.
void place_ranks(State& state);
void make_resources(State& state);
void cost_kernels(State& state);
void network_cards(State& state);
void build_channels(State& state);
void input_pipeline(State& state);
void compute(State& state);
void spread_tables(State& state);
void gradient_sync(State& state);
void optimizer_step(State& state);
void replicate(State& state);

// Parts of build_channels.
void cost_cards(State& state);
void describe_fabric(State& state);

// Parts of gradient_sync for methods in which one process drives every GPU.
void reduce_to_first(State& state);
void push_and_pull(State& state);

// Helpers shared by passes.

task::Kind kind_of(hardware::LinkClass link_class);

/// Adds per-work use of every hop; the same resource twice adds up.
void add_uses(const State& state, const std::vector<hardware::Hop>& hops, double per_work,
              std::vector<task::Use>& uses);
void add_use(std::vector<task::Use>& uses, task::ResourceId resource, double per_work);

/// Adds the three tasks of a segment on a rank.
Emitted emit(State& state, std::size_t rank, const Segment& segment, task::Label label);

/// `next` follows `previous` on the same rank: its issue after the issue, its stream after stream and tail.
/// With `waits` the host too waits for stream and tail.
void follow(State& state, const Emitted& previous, const Emitted& next, bool waits = false);

/// Sums and slices of a segment whose kernels are complete, with the what-if speed-ups applied; `slowest`:
/// time of the slowest replica, which the others wait for, over this one's.
void finish_segment(State& state, Segment& segment, double slowest = 1);
/// `runs` equal runs in a row, nothing between them: throughout, the slower of host and GPU sets the pace.
void repeat_segment(State& state, Segment& segment, int runs);

}  // namespace rigcast::lower
