#include <algorithm>
#include <map>
#include <utility>

#include "analysis/attribution.h"
#include "report/explain.h"

namespace rigcast::report {

TaskStory task_story(const study::Run& run, task::TaskId task) {
  const task::Graph& graph = run.lowered.graph;
  const task::Resources& resources = run.lowered.resources;
  TaskStory story{task, graph.describe(task), run.timeline.spans[task.index], {}, {}, {}};
  for (const timeline::RateStep& step : run.timeline.steps)
    if (step.task == task) story.steps.push_back(step);

  std::map<std::pair<task::Kind, task::ResourceId>, double> spent;
  analysis::attribute(graph, resources, task, story.span, story.steps, story.span.start, story.span.end,
                      [&](task::Kind kind, task::ResourceId resource, double seconds) {
                        spent[{kind, resource}] += seconds;
                      });
  for (const auto& [what, seconds] : spent)
    story.spent.push_back({what.first, what.second.valid() ? resources[what.second].name : "", seconds});
  std::stable_sort(
      story.spent.begin(), story.spent.end(),
      [](const TaskStory::Spent& a, const TaskStory::Spent& b) { return a.seconds > b.seconds; });

  for (task::TaskId at = story.span.cause; at.valid(); at = run.timeline.spans[at.index].cause)
    story.causes.push_back(at);
  return story;
}

}  // namespace rigcast::report
