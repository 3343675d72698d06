/// Costs every operator once for each kind of GPU and groups the kernels into segments. Backward is cut where
/// a gradient bucket is complete: buckets are filled in the order gradients appear, the first one small so
/// that communication starts early. Consecutive slices of one operator and kind are joined, so that a
/// breakdown reads like a profile.

#include <algorithm>
#include <cmath>

#include "cost/operator_kernels.h"
#include "lower/state.h"

namespace rigcast::lower {
namespace {

using cost::Kernel;

task::Kind kind_of_bound(cost::Bound bound) {
  switch (bound) {
    case cost::Bound::kMatrix:
      return task::Kind::kGpuMatrix;
    case cost::Bound::kVector:
      return task::Kind::kGpuVector;
    case cost::Bound::kMemory:
      return task::Kind::kGpuMemory;
    case cost::Bound::kLatency:
      return task::Kind::kGpuLatency;
  }
  return task::Kind::kGpuLatency;
}

class Slices {
 public:
  void add(std::uint32_t item, task::Kind kind, Seconds time) {
    if (time.value <= 0) return;
    if (!slices_.empty() && slices_.back().item == item && slices_.back().kind == kind)
      slices_.back().seconds += time.value;
    else
      slices_.push_back({item, kind, time.value});
  }
  void kernel(std::uint32_t item, const Kernel& kernel) {
    add(item, kind_of_bound(kernel.bound()), kernel.busy());
    add(item, task::Kind::kGpuLatency, kernel.latency);
  }
  task::BreakdownId intern(task::Graph& graph) {
    return slices_.empty() ? task::BreakdownId::none() : graph.add_breakdown(std::move(slices_));
  }

 private:
  std::vector<task::Slice> slices_;
};

std::uint32_t item_of(State& state, const Kernel& kernel) {
  if (kernel.op == Kernel::kNoOperator) return state.out.graph.item("optimizer");
  return state.out.graph.item(state.scenario.network.operators[kernel.op].name);
}

/// Sums and slices of a segment whose kernels are complete, with the what-if speed-ups applied.
void finish(State& state, Segment& segment) {
  const auto faster = [&](task::Kind kind, Seconds& time) { time /= state.speedup(kind); };
  std::size_t last_issued = 0;
  Seconds rest;  // of the kernels from some j on
  for (Kernel& kernel : segment.kernels) {
    faster(task::Kind::kGpuMatrix, kernel.matrix);
    faster(task::Kind::kGpuVector, kernel.vector);
    faster(task::Kind::kGpuMemory, kernel.memory);
    faster(task::Kind::kGpuLatency, kernel.latency);
    faster(task::Kind::kHostLaunch, kernel.host);
    segment.issue += kernel.host;
    segment.stream += kernel.duration();
    (kernel.matrix.value > 0 ? segment.matrix_flops : segment.vector_flops) += kernel.flops;
    segment.bytes += kernel.bytes;
  }
  Seconds issued = segment.issue;
  segment.tail = {-1};
  for (std::size_t i = segment.kernels.size(); i-- > 0;) {
    rest += segment.kernels[i].duration();
    if (issued + rest > segment.tail) {
      segment.tail = issued + rest;
      last_issued = i;
    }
    issued -= segment.kernels[i].host;
  }
  segment.tail = std::max(segment.tail, Seconds{});
  Slices stream, tail;
  for (std::size_t i = 0; i < segment.kernels.size(); ++i) {
    const std::uint32_t item = item_of(state, segment.kernels[i]);
    stream.kernel(item, segment.kernels[i]);
    if (i <= last_issued) tail.add(item, task::Kind::kHostLaunch, segment.kernels[i].host);
  }
  for (std::size_t i = last_issued; i < segment.kernels.size(); ++i)
    tail.kernel(item_of(state, segment.kernels[i]), segment.kernels[i]);
  segment.stream_slices = stream.intern(state.out.graph);
  segment.tail_slices = tail.intern(state.out.graph);
}

double gradient_bytes_per_parameter(const State& state) {
  const plan::Scenario& s = state.scenario;
  if (!plan::is_mixed(s.plan.precision)) return plan::parameter_bytes(s.plan.precision).value;
  // Native autocast keeps 32-bit gradients of its 32-bit parameters; what came before it trained 16-bit
  // copies.
  return s.plan.year < s.profile.value("framework", cost::execution_member(s.plan), "native_autocast_year")
             ? 2
             : 4;
}

std::vector<Kernel> forward_kernels(const State& state, const cost::GpuModel& gpu, double batch) {
  const workload::Network& network = state.scenario.network;
  const auto fusion = cost::fusion(network, gpu);
  std::vector<Kernel> kernels;
  for (std::uint32_t op = 0; op < network.operators.size(); ++op)
    cost::append_forward(network, op, fusion[op], batch, gpu, kernels);
  return kernels;
}

/// Finer cuts than this change what is exposed of an exchange by less than a sixty-fourth of it; the messages
/// are counted.
constexpr double kMostSegments = 64;

/// Backward, cut where buckets are complete.
std::vector<Segment> backward_segments(State& state, const cost::GpuModel& gpu, double batch) {
  const plan::Scenario& s = state.scenario;
  const workload::Network& network = s.network;
  const auto fusion = cost::fusion(network, gpu);
  const std::string member = cost::execution_member(s.plan);
  const double per_parameter = gradient_bytes_per_parameter(state);
  const double first = s.profile.value("framework", member, "first_bucket_bytes");
  const double bucket = s.profile.value("framework", member, "bucket_bytes");
  const double coarse = std::max(bucket, network.parameters() * per_parameter / kMostSegments);
  std::vector<Segment> segments;
  Segment segment;
  const auto close = [&] {
    if (s.plan.overlap) segment.buckets = std::max(1.0, std::ceil(segment.gradient_bytes / bucket));
    segments.push_back(std::move(segment));
    segment = {};
  };
  for (auto op = static_cast<std::uint32_t>(network.operators.size()); op-- > 0;) {
    cost::append_backward(network, op, fusion[op], batch, gpu, segment.kernels);
    if (!network.operators[op].frozen)
      segment.gradient_bytes += network.operators[op].parameters * per_parameter;
    if (s.plan.overlap && op > 0 && segment.gradient_bytes >= (segments.empty() ? first : coarse)) close();
  }
  close();
  return segments;
}

/// `runs` equal runs in a row, nothing between them: throughout, the slower of host and GPU sets the pace.
void repeat(State& state, Segment& segment, int runs) {
  const bool host_bound = segment.issue > segment.stream;
  std::vector<task::Slice> stream, tail;
  const auto scaled = [&](task::BreakdownId id, double factor, std::vector<task::Slice>& into) {
    if (!id.valid()) return;
    for (task::Slice slice : state.out.graph.slices(id)) {
      slice.seconds *= factor;
      into.push_back(slice);
    }
  };
  scaled(segment.stream_slices, runs, stream);
  if (host_bound)
    tail.push_back({state.out.graph.item("accumulated micro-batches"), task::Kind::kHostLaunch,
                    segment.issue.value * (runs - 1)});
  else
    scaled(segment.stream_slices, runs - 1, tail);
  scaled(segment.tail_slices, 1, tail);
  segment.tail += std::max(segment.issue, segment.stream) * (runs - 1);
  segment.issue *= runs;
  segment.stream *= runs;
  segment.matrix_flops *= runs;
  segment.vector_flops *= runs;
  segment.bytes *= runs;
  if (!stream.empty()) segment.stream_slices = state.out.graph.add_breakdown(std::move(stream));
  if (!tail.empty()) segment.tail_slices = state.out.graph.add_breakdown(std::move(tail));
}

Program program(State& state, const cost::GpuModel& gpu) {
  const plan::Scenario& s = state.scenario;
  const double last = s.plan.batch_per_gpu - s.plan.micro_batch * (s.plan.grad_accum - 1);
  const bool training = s.plan.mode == plan::Mode::kTraining;
  Program result;
  if (s.plan.grad_accum > 1) {
    result.accumulated.kernels = forward_kernels(state, gpu, s.plan.micro_batch);
    if (training)
      for (const Segment& segment : backward_segments(state, gpu, s.plan.micro_batch))
        result.accumulated.kernels.insert(result.accumulated.kernels.end(), segment.kernels.begin(),
                                          segment.kernels.end());
    finish(state, result.accumulated);
    repeat(state, result.accumulated, s.plan.grad_accum - 1);
  }
  result.forward.kernels = forward_kernels(state, gpu, last);
  finish(state, result.forward);
  if (!training) return result;
  result.backward = backward_segments(state, gpu, last);
  for (Segment& segment : result.backward) finish(state, segment);
  cost::append_optimizer(s.network, gpu, s.plan, s.profile, result.optimizer.kernels);
  finish(state, result.optimizer);
  return result;
}

}  // namespace

void cost_kernels(State& state) {
  for (const cost::GpuModel& gpu : state.models) state.programs.push_back(program(state, gpu));
}

}  // namespace rigcast::lower
