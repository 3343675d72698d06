#pragma once

/// The state of one run. Private to the room: simulate() is the interface.

#include <cstdint>
#include <vector>

#include "engine/admission.h"
#include "engine/heap.h"
#include "engine/simulate.h"
#include "engine/timers.h"
#include "sharing/max_min.h"

namespace rigcast::engine {

class Simulation {
 public:
  Simulation(const task::Graph& graph, const task::Resources& resources, const Options& options,
             Observer* observer);
  Expected<timeline::Timeline, Deadlock> run();

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  /// A task between start and end.
  struct Running {
    task::TaskId task;
    sharing::ActivityId activity;  ///< none: in its latency, or nothing it uses is limited
    Time start;
    Time since;  ///< `remaining` is as of then; the start of the work before it has a rate
    Time step;   ///< start of the current step
    double remaining = 0;
    double rate = 0;  ///< 0: not known yet
    task::ResourceId limiter;
    std::uint32_t position = kNowhere;  ///< in `ends_`
    bool working = false;               ///< past its latency
  };
  struct RememberPosition {
    std::vector<Running>* running;
    void operator()(const Due& due, std::size_t position) const {
      (*running)[due.slot].position = static_cast<std::uint32_t>(position);
    }
  };

  void convert_demands(const task::Resources& resources);
  Time next_instant();
  bool any_due();
  void finish_all_due();
  void latency_over(std::uint32_t slot);
  void start(const Start& start);
  void begin_work(std::uint32_t slot);
  void restamp(sharing::ActivityId activity);
  void finish(std::uint32_t slot);
  void record_step(const Running& running);
  std::uint32_t take_slot();

  const task::Graph& graph_;
  const Options options_;
  Observer* const observer_;
  Admission admission_;
  sharing::MaxMin sharing_;
  std::vector<sharing::Use> uses_;  ///< of all demands, unlimited resources left out
  std::vector<std::uint32_t> first_use_;

  Time now_;
  std::vector<std::uint32_t> missing_;  ///< predecessors that have not ended; kEnded: ended itself
  std::size_t ended_ = 0;
  std::vector<Running> running_;  ///< by slot
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> slot_of_activity_;
  Timers timers_;                ///< what cannot change: latencies, and work that shares nothing
  Heap<RememberPosition> ends_;  ///< of work that shares resources
  timeline::Timeline timeline_;
};

}  // namespace rigcast::engine
