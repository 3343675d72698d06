#pragma once

/// An all-reduce over one channel as tasks: one activity, or the ring step by step.

#include <vector>

#include "lower/state.h"

namespace rigcast::lower {

/// Bytes of a channel's part in `messages` equal messages one after the other, by the chosen algorithm and
/// protocol.
struct AllReduce {
  const Channel* channel = nullptr;
  cost::CollectiveChoice choice;  ///< of one message
  double bytes = 0;
  double messages = 1;
  std::vector<task::DemandId> demands;  ///< one for the whole, or one a ring position
};

AllReduce prepare_all_reduce(State& state, const Channel& channel, const cost::CollectiveChoice& choice,
                             double bytes, double messages);

/// Adds the tasks after `before`; returns those that end it.
std::vector<task::TaskId> add_all_reduce(State& state, const AllReduce& collective, task::Label label,
                                         task::LaneId lane, task::TaskId before);

/// Fills Channel::uses: links, staging and memory for every byte a hop carries.
void cost_hops(const State& state, Channel& channel);

}  // namespace rigcast::lower
