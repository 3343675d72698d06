#pragma once

/// Why things are as they are: the lowering passes, and the life of one task.

#include <iosfwd>

#include "study/forecast.h"

namespace rigcast::report {

void passes_text(std::ostream& out, const lower::Lowered& lowered);
void passes_json(std::ostream& out, const lower::Lowered& lowered);
/// One line a task: what the graph is made of after the passes that ran.
void graph_text(std::ostream& out, const lower::Lowered& lowered);

/// Everything about one task of a run.
struct TaskStory {
  task::TaskId task;
  std::string description;
  timeline::Span span;
  std::vector<timeline::RateStep> steps;  ///< in order of time
  struct Spent {
    task::Kind kind;
    std::string resource;  ///< "" when none is meant
    double seconds = 0;
  };
  std::vector<Spent> spent;          ///< adds up to the span; largest first
  std::vector<task::TaskId> causes;  ///< the task's cause, that one's cause, ... back to time 0
};
TaskStory task_story(const study::Run& run, task::TaskId task);

void task_text(std::ostream& out, const study::Run& run, const TaskStory& story);
void task_json(std::ostream& out, const study::Run& run, const TaskStory& story);

}  // namespace rigcast::report
