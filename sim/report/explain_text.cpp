#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "base/text.h"
#include "report/explain.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

constexpr std::size_t kCauses = 12, kSteps = 12;

std::string at(Time time) { return si(time.seconds().value, "s"); }

std::string_view reason_words(timeline::WaitReason reason) {
  switch (reason) {
    case timeline::WaitReason::kNone:
      return "at once: there was nothing to wait for";
    case timeline::WaitReason::kPredecessor:
      return "when the last task it needed had ended";
    case timeline::WaitReason::kLane:
      return "when its lane was free again";
    case timeline::WaitReason::kPool:
      return "when a place it needed was given back";
  }
  return "";
}

std::string lane_words(const task::Graph& graph, task::TaskId task) {
  const task::LaneId lane = graph.lane(task);
  return lane.valid() ? "on lane " + graph.lanes()[lane.index] : std::string("beside others of its kind");
}

}  // namespace

void passes_text(std::ostream& out, const lower::Lowered& lowered) {
  std::size_t width = 4;
  for (const lower::PassReport& pass : lowered.passes) width = std::max(width, columns(pass.name));
  out << fmt::format("{}  {:>9}  {:>9}  {}\n", fit("pass", width), "tasks", "edges", "what it does");
  for (const lower::PassReport& pass : lowered.passes)
    out << fmt::format("{}  {:>9}  {:>9}  {}\n", fit(pass.name, width), pass.tasks_after, pass.edges_after,
                       pass.purpose);
}

void graph_text(std::ostream& out, const lower::Lowered& lowered) {
  const task::Graph& graph = lowered.graph;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const task::TaskId task{i};
    out << fmt::format("{} {}: work {:.6g}, {}; then", i, graph.describe(task), graph.work(task),
                       lane_words(graph, task));
    for (const task::TaskId next : graph.successors(task)) out << ' ' << next.index;
    out << (graph.successors(task).empty() ? " nothing\n" : "\n");
  }
}

void task_text(std::ostream& out, const study::Run& run, const TaskStory& story) {
  const task::Graph& graph = run.lowered.graph;
  const task::Resources& resources = run.lowered.resources;
  const task::Demand& demand = graph.demand(story.task);
  const double length = (story.span.end - story.span.start).seconds().value;
  out << fmt::format("Task {}: {}\n", story.task.index, story.description);
  out << fmt::format("  ran from {} to {} ({}), {}\n", at(story.span.start), at(story.span.end),
                     si(length, "s"), lane_words(graph, story.task));
  out << fmt::format("  started {}{}\n", reason_words(story.span.reason),
                     story.span.cause.valid() ? ": " + graph.describe(story.span.cause) : "");

  out << "\nSpent on\n";
  for (const TaskStory::Spent& spent : story.spent)
    out << fmt::format("  {:>7}  {:>8}  {} {}{}\n", percent(length > 0 ? spent.seconds / length : 0),
                       si(spent.seconds, "s"), fit(task::name(spent.kind), 18), words(spent.kind),
                       spent.resource.empty() ? "" : ", " + spent.resource);

  out << "\nPace\n";
  if (demand.latency.picoseconds > 0)
    out << fmt::format("  {:>8} to {:>8}  latency, before the work\n", at(story.span.start),
                       at(story.span.start + demand.latency));
  for (std::size_t i = 0; i < story.steps.size() && i < kSteps; ++i) {
    const timeline::RateStep& step = story.steps[i];
    const std::string pace = std::isinf(demand.rate_bound)
                                 ? fmt::format("{:.4g} a second", step.rate)
                                 : percent(step.rate / demand.rate_bound) + " of its pace alone";
    out << fmt::format("  {:>8} to {:>8}  {}, limited by {}\n", at(step.start), at(step.end), pace,
                       step.limiter.valid() ? resources[step.limiter].name : std::string("itself"));
  }
  if (story.steps.size() > kSteps)
    out << fmt::format("  and {} more changes of pace\n", story.steps.size() - kSteps);

  if (story.causes.empty()) return;
  out << "\nWhat led to it, latest first\n";
  for (std::size_t i = 0; i < story.causes.size() && i < kCauses; ++i) {
    const timeline::Span& span = run.timeline.spans[story.causes[i].index];
    out << fmt::format("  {:>8} to {:>8}  {} {}\n", at(span.start), at(span.end), story.causes[i].index,
                       graph.describe(story.causes[i]));
  }
  if (story.causes.size() > kCauses)
    out << fmt::format("  and {} more, back to the start\n", story.causes.size() - kCauses);
}

}  // namespace rigcast::report
