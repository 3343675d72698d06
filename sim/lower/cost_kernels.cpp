/// Costs every operator once for each kind of GPU and groups the kernels into segments. Backward is cut where
/// a gradient bucket is complete: buckets are filled in the order gradients appear, the first one small so
/// that communication starts early. Forward is cut where the host reads a result back, and where the
/// looked-up vectors of spread tables are exchanged. Recomputed operators run forward once more before their
/// backward.

#include <algorithm>
#include <cmath>

#include "cost/operator_kernels.h"
#include "cost/replicas.h"
#include "lower/state.h"

namespace rigcast::lower {
namespace {

using cost::Kernel;

double gradient_bytes_per_parameter(const State& state) {
  const plan::Scenario& s = state.scenario;
  if (!plan::is_mixed(s.plan.precision)) return plan::parameter_bytes(s.plan.precision).value;
  if (s.plan.half_gradients) return *s.plan.half_gradients ? 2 : 4;
  // Native autocast keeps 32-bit gradients of its 32-bit parameters; what came before it trained 16-bit
  // copies.
  return s.plan.year < s.profile.value("framework", cost::execution_member(s.plan), "native_autocast_year")
             ? 2
             : 4;
}

bool is_spread(const State& state, const workload::Operator& op) {
  const auto* table = std::get_if<workload::Embedding>(&op.attributes);
  return table != nullptr && table->sparse_gradient && state.scenario.plan.data > 1 &&
         state.scenario.plan.embedding == plan::EmbeddingPlacement::kModelParallel;
}

/// Parameters whose gradients the ranks sum: of tables only the rows that were looked up.
double summed_parameters(const State& state, const workload::Operator& op, double batch) {
  if (op.frozen || is_spread(state, op)) return 0;
  const auto* table = std::get_if<workload::Embedding>(&op.attributes);
  if (table != nullptr && table->sparse_gradient) return std::min(op.parameters, op.output_elements * batch);
  return op.parameters;
}

/// Whether an operator's forward runs again in the backward pass.
bool is_recomputed(const State& state, std::uint32_t index) {
  const workload::Operator& op = state.scenario.network.operators[index];
  if (!cost::has_backward(op)) return false;
  switch (state.scenario.plan.recompute) {
    case plan::Recompute::kNone:
      return false;
    case plan::Recompute::kSelective:
      return std::holds_alternative<workload::Attention>(op.attributes);
    case plan::Recompute::kFull:
      // Blocks are recomputed: what looks tokens up and what makes the loss is no part of one.
      return !std::holds_alternative<workload::Embedding>(op.attributes) &&
             !std::holds_alternative<workload::Loss>(op.attributes) &&
             index + 2 < state.scenario.network.operators.size();
  }
  return false;
}

/// Bytes of looked-up vectors that the busiest rank sends. A rank keeps whole tables while there are enough
/// of them: 26 tables on 8 ranks are 4 on some. Fewer tables than ranks are cut up, evenly.
double looked_up_bytes(const State& state, const workload::Operator& op, double batch, double element) {
  const double ranks = state.scenario.plan.data;
  const auto tables = static_cast<double>(std::get<workload::Embedding>(op.attributes).lookups);
  const double busiest = tables >= ranks ? std::ceil(tables / ranks) * ranks / tables : 1;
  return op.output_elements * batch * element * busiest;
}

/// How much longer a replica's host thread takes because replicas of one process take turns at its
/// interpreter, which an operator's Python part holds and its library part gives up; backward has a thread a
/// GPU beside it.
double turns(const State& state) {
  if (state.scenario.plan.method != plan::Method::kDataParallel) return 1;
  const double share = state.scenario.profile.value("framework", cost::execution_member(state.scenario.plan),
                                                    "interpreter_share");
  return std::max(1.0, share * static_cast<double>(state.ranks.size()));
}

std::vector<Segment> forward_segments(const State& state, const cost::GpuModel& gpu, double batch) {
  const workload::Network& network = state.scenario.network;
  const auto fusion = cost::fusion(network, gpu);
  std::vector<Segment> segments(1);
  std::uint32_t last_table = 0;
  double looked_up = 0;
  for (std::uint32_t op = 0; op < network.operators.size(); ++op)
    if (is_spread(state, network.operators[op])) {
      last_table = op;
      looked_up += looked_up_bytes(state, network.operators[op], batch, gpu.element_bytes);
    }
  for (std::uint32_t op = 0; op < network.operators.size(); ++op) {
    cost::append_forward(network, op, fusion[op], batch, gpu, segments.back().kernels);
    segments.back().synchronises = network.operators[op].synchronises;
    segments.back().looked_up_bytes = looked_up > 0 && op == last_table ? looked_up : 0;
    const bool cut = segments.back().synchronises || segments.back().looked_up_bytes > 0;
    if (cut && op + 1 < network.operators.size()) segments.emplace_back();
  }
  for (Segment& segment : segments)
    for (Kernel& kernel : segment.kernels) kernel.host *= turns(state);
  return segments;
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
    if (is_recomputed(state, op)) cost::append_forward(network, op, fusion[op], batch, gpu, segment.kernels);
    cost::append_backward(network, op, fusion[op], batch, gpu, segment.kernels);
    segment.gradient_bytes += summed_parameters(state, network.operators[op], batch) * per_parameter;
    if (s.plan.overlap && op > 0 && segment.gradient_bytes >= (segments.empty() ? first : coarse)) close();
  }
  close();
  return segments;
}

Program program(State& state, const cost::GpuModel& gpu) {
  const plan::Scenario& s = state.scenario;
  const double last = s.plan.batch_per_gpu - s.plan.micro_batch * (s.plan.grad_accum - 1);
  const bool training = s.plan.mode == plan::Mode::kTraining;
  const double uneven = cost::slowest_replica(s.plan, s.profile) - 1;
  const double slowest = 1 + uneven / state.speedup(task::Kind::kDependency);
  Program result;
  if (s.plan.grad_accum > 1) {
    const auto append = [&](const std::vector<Segment>& segments) {
      for (const Segment& segment : segments)
        result.accumulated.kernels.insert(result.accumulated.kernels.end(), segment.kernels.begin(),
                                          segment.kernels.end());
    };
    append(forward_segments(state, gpu, s.plan.micro_batch));
    if (training) append(backward_segments(state, gpu, s.plan.micro_batch));
    finish_segment(state, result.accumulated, slowest);
    repeat_segment(state, result.accumulated, s.plan.grad_accum - 1);
  }
  result.forward = forward_segments(state, gpu, training ? last : last * s.network.guided_passes);
  Kernel loop;
  loop.op = Kernel::kLoop;
  loop.host = gpu.execution.step;
  std::vector<Kernel>& first = result.forward.front().kernels;
  first.insert(first.begin(), loop);
  for (Segment& segment : result.forward) finish_segment(state, segment, slowest);
  if (!training) return result;
  result.backward = backward_segments(state, gpu, last);
  for (Segment& segment : result.backward) finish_segment(state, segment, slowest);
  cost::append_optimizer(s.network, gpu, s.plan, s.profile, result.optimizer.kernels);
  finish_segment(state, result.optimizer);
  return result;
}

}  // namespace

void cost_kernels(State& state) {
  for (const cost::GpuModel& gpu : state.models) state.programs.push_back(program(state, gpu));
}

}  // namespace rigcast::lower
