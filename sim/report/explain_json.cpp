#include <algorithm>
#include <ostream>

#include "report/explain.h"
#include "report/json.h"

namespace rigcast::report {
namespace {

/// The latest causes; a chain back to time 0 may pass through most of a large run.
constexpr std::size_t kCauses = 1000;

void print(std::ostream& out, const Json& document) {
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string_view reason_name(timeline::WaitReason reason) {
  switch (reason) {
    case timeline::WaitReason::kNone:
      return "none";
    case timeline::WaitReason::kPredecessor:
      return "predecessor";
    case timeline::WaitReason::kLane:
      return "lane";
    case timeline::WaitReason::kPool:
      return "pool";
  }
  return "";
}

Json resource_name(const task::Resources& resources, task::ResourceId id) {
  return id.valid() ? Json(resources[id].name) : Json(nullptr);
}

Json visit(const study::Run& run, task::TaskId task) {
  const timeline::Span& span = run.timeline.spans[task.index];
  return {{"task", task.index},
          {"description", run.lowered.graph.describe(task)},
          {"start_s", span.start.seconds().value},
          {"end_s", span.end.seconds().value},
          {"waited_for", reason_name(span.reason)}};
}

}  // namespace

void passes_json(std::ostream& out, const lower::Lowered& lowered) {
  Json passes = Json::array();
  for (const lower::PassReport& pass : lowered.passes)
    passes.push_back({{"name", pass.name},
                      {"purpose", pass.purpose},
                      {"tasks", pass.tasks_after},
                      {"edges", pass.edges_after}});
  print(out, {{"passes", std::move(passes)}});
}

void task_json(std::ostream& out, const study::Run& run, const TaskStory& story) {
  const task::Graph& graph = run.lowered.graph;
  const task::Resources& resources = run.lowered.resources;
  const task::Demand& demand = graph.demand(story.task);
  const task::LaneId lane = graph.lane(story.task);
  Json document = visit(run, story.task);
  document["cause"] = story.span.cause.valid() ? Json(story.span.cause.index) : Json(nullptr);
  document["lane"] = lane.valid() ? Json(graph.lanes()[lane.index]) : Json(nullptr);
  document["work"] = graph.work(story.task);
  document["rate_bound"] = number_or_null(demand.rate_bound);
  document["latency_s"] = demand.latency.seconds().value;
  document["uses"] = Json::array();
  for (const task::Use& use : demand.uses)
    document["uses"].push_back({{"resource", resources[use.resource].name}, {"per_work", use.per_work}});
  document["spent"] = Json::array();
  for (const TaskStory::Spent& spent : story.spent)
    document["spent"].push_back({{"kind", task::name(spent.kind)},
                                 {"resource", spent.resource.empty() ? Json(nullptr) : Json(spent.resource)},
                                 {"seconds", spent.seconds}});
  document["steps"] = Json::array();
  for (const timeline::RateStep& step : story.steps)
    document["steps"].push_back({{"start_s", step.start.seconds().value},
                                 {"end_s", step.end.seconds().value},
                                 {"rate", step.rate},
                                 {"limiter", resource_name(resources, step.limiter)}});
  document["causes"] = Json::array();
  const std::size_t shown = std::min(story.causes.size(), kCauses);
  for (std::size_t i = 0; i < shown; ++i) document["causes"].push_back(visit(run, story.causes[i]));
  document["causes_left_out"] = story.causes.size() - shown;
  print(out, document);
}

}  // namespace rigcast::report
