// The timeline as trace events. A lane ("gpu0.compute") is a thread of the process its name begins with;
// tasks without a lane run side by side in any number, so each class of them (storage, PCI Express, ...) is a
// process with as many tracks as run at once: taking the tracks in order of start and the first one that is
// free needs no more than that. A task that stands for a run of kernels is written as its kernels: their own
// time, walked through at the pace of the task's rate steps, says when each began and ended.

#include "report/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/attribution.h"
#include "report/json.h"

namespace rigcast::report {
namespace {

/// Microseconds, exact to the picosecond.
std::string microseconds(Time time) {
  return fmt::format("{}.{:06}", time.picoseconds / 1000000, time.picoseconds % 1000000);
}

std::string json_text(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Processes and threads by name, numbered as they come.
class Tracks {
 public:
  struct Track {
    int process, thread;
  };

  Track find(const std::string& process, const std::string& thread) {
    const auto [entry, fresh] = processes_.try_emplace(process, static_cast<int>(processes_.size()) + 1);
    const auto [track, first] = threads_.try_emplace({entry->second, thread}, 0);
    if (first) track->second = ++thread_count_[entry->second];
    return {entry->second, track->second};
  }

  template <class Emit>
  void describe(const Emit& emit) const {
    for (const auto& [name, process] : processes_)
      emit(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process,
                       json_text(name)));
    for (const auto& [track, thread] : threads_)
      emit(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
                       track.first, thread, json_text(track.second)));
  }

 private:
  std::map<std::string, int> processes_;
  std::map<std::pair<int, std::string>, int> threads_;
  std::map<int, int> thread_count_;
};

/// The class of a task without a lane: the most remote thing it uses, else its phase.
std::string class_of(const study::Run& run, task::TaskId task) {
  using task::Kind;
  static constexpr std::pair<Kind, const char*> kClasses[] = {{Kind::kStorage, "storage"},
                                                              {Kind::kNetwork, "network"},
                                                              {Kind::kGpuLink, "links between GPUs"},
                                                              {Kind::kPcie, "PCI Express"},
                                                              {Kind::kSocketLink, "socket links"},
                                                              {Kind::kHostDecode, "host CPU"},
                                                              {Kind::kHostCompute, "host CPU"},
                                                              {Kind::kHostMemory, "host memory"}};
  for (const auto& [kind, name] : kClasses)
    for (const task::Use& use : run.lowered.graph.demand(task).uses)
      if (run.lowered.resources[use.resource].kind == kind) return name;
  return std::string(task::name(run.lowered.graph.label(task).phase));
}

class Writer {
 public:
  Writer(std::ostream& out, const study::Run& run)
      : out_(out), run_(run), graph_(run.lowered.graph), first_step_(graph_.size() + 1, 0) {
    for (const timeline::RateStep& step : run.timeline.steps) ++first_step_[step.task.index + 1];
    for (std::size_t i = 1; i < first_step_.size(); ++i) first_step_[i] += first_step_[i - 1];
    steps_.resize(run.timeline.steps.size());
    std::vector<std::uint32_t> next(first_step_.begin(), first_step_.end() - 1);
    for (const timeline::RateStep& step : run.timeline.steps) steps_[next[step.task.index]++] = step;
  }

  void write() {
    out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
    std::vector<task::TaskId> free_tasks;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
      const task::TaskId task{i};
      if (graph_.label(task).phase == task::Phase::kMarker) {
        emit(fmt::format(R"({{"ph":"i","s":"g","name":{},"ts":{},"pid":0,"tid":0}})",
                         json_text(fmt::format("end of iteration {}", graph_.label(task).iteration)),
                         microseconds(span(task).end)));
      } else if (graph_.lane(task).valid()) {
        write_task(task, lane_track(graph_.lane(task)));
      } else {
        free_tasks.push_back(task);
      }
    }
    write_free(std::move(free_tasks));
    tracks_.describe([this](const std::string& event) { emit(event); });
    out_ << "\n]}\n";
  }

 private:
  const timeline::Span& span(task::TaskId task) const { return run_.timeline.spans[task.index]; }
  std::span<const timeline::RateStep> steps(task::TaskId task) const {
    return {steps_.data() + first_step_[task.index], steps_.data() + first_step_[task.index + 1]};
  }

  Tracks::Track lane_track(task::LaneId lane) {
    const std::string& name = graph_.lanes()[lane.index];
    const std::size_t dot = name.find_first_of(" .");
    return dot == std::string::npos ? tracks_.find(name, name)
                                    : tracks_.find(name.substr(0, dot), name.substr(dot + 1));
  }

  void write_free(std::vector<task::TaskId> tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [this](task::TaskId a, task::TaskId b) { return span(a).start < span(b).start; });
    std::map<std::string, std::vector<Time>> busy_until;  // by class, by track
    for (const task::TaskId task : tasks) {
      const std::string name = class_of(run_, task);
      std::vector<Time>& ends = busy_until[name];
      auto track = std::find_if(ends.begin(), ends.end(), [&](Time end) { return end <= span(task).start; });
      if (track == ends.end()) track = ends.insert(ends.end(), Time{});
      *track = span(task).end;
      write_task(task, tracks_.find(name, std::to_string(track - ends.begin() + 1)));
    }
  }

  void write_task(task::TaskId task, Tracks::Track track) {
    if (graph_.breakdown(task).empty()) {
      const task::Label& label = graph_.label(task);
      complete(task, track, graph_.items()[label.item], span(task).start, span(task).end,
               task::name(longest_kind(task)));
    } else {
      write_slices(task, track);
    }
  }

  void write_slices(task::TaskId task, Tracks::Track track) {
    const std::span<const task::Slice> slices = graph_.breakdown(task);
    double own_total = 0;
    for (const task::Slice& slice : slices) own_total += slice.seconds;
    double own = 0;
    Time start = span(task).start;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      own += slices[i].seconds;
      const bool last = i + 1 == slices.size();
      const Time end = last ? span(task).end : std::max(start, time_at(task, own / own_total));
      complete(task, track, graph_.items()[slices[i].item], start, end, task::name(slices[i].kind));
      start = end;
    }
  }

  /// When a task has done a fraction of its work.
  Time time_at(task::TaskId task, double fraction) const {
    double left = fraction * graph_.work(task);
    for (const timeline::RateStep& step : steps(task)) {
      const double all = step.rate * (step.end - step.start).seconds().value;
      if (all >= left) return std::min(step.end, step.start + Time::ceil({left / step.rate}));
      left -= all;
    }
    return span(task).end;
  }

  task::Kind longest_kind(task::TaskId task) const {
    std::map<task::Kind, double> spent;
    analysis::attribute(graph_, run_.lowered.resources, task, span(task), steps(task), span(task).start,
                        span(task).end,
                        [&](task::Kind kind, task::ResourceId, double seconds) { spent[kind] += seconds; });
    task::Kind longest = graph_.demand(task).bound_kind;
    double most = 0;
    for (const auto& [kind, seconds] : spent)
      if (seconds > most) longest = kind, most = seconds;
    return longest;
  }

  void complete(task::TaskId task, Tracks::Track track, const std::string& name, Time start, Time end,
                std::string_view kind) {
    const task::Label& label = graph_.label(task);
    emit(fmt::format(
        R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"task":{},"iteration":{},"rank":{},"micro_batch":{},"kind":"{}"}}}})",
        json_text(name.empty() ? task::name(label.phase) : std::string_view(name)),
        json_text(task::name(label.phase)), track.process, track.thread, microseconds(start),
        microseconds(end - start), task.index, label.iteration, label.rank, label.micro_batch, kind));
  }

  void emit(const std::string& event) {
    out_ << (first_ ? "\n" : ",\n") << event;
    first_ = false;
  }

  std::ostream& out_;
  const study::Run& run_;
  const task::Graph& graph_;
  std::vector<std::uint32_t> first_step_;
  std::vector<timeline::RateStep> steps_;  ///< by task
  Tracks tracks_;
  bool first_ = true;
};

}  // namespace

void trace(std::ostream& out, const study::Run& run) { Writer(out, run).write(); }

}  // namespace rigcast::report
