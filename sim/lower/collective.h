#pragma once

/// A collective over one channel as tasks: one activity, or the ring step by step.

#include <vector>

#include "lower/state.h"

namespace rigcast::lower {

/// A channel's part of `messages` equal messages one after the other, by the chosen algorithm.
struct Exchange {
  const Channel* channel = nullptr;
  cost::CollectiveChoice choice;  ///< of one message
  double part = 1;                ///< of the bytes: this channel's
  double bytes = 0;               ///< of this channel, all messages
  double messages = 1;
  std::vector<task::DemandId> demands;  ///< one for the whole, or one a ring position
};

Exchange prepare_exchange(State& state, const Channel& channel, const cost::CollectiveChoice& choice,
                          double bytes, double messages);

/// Adds the tasks after `before`; returns those that end it.
std::vector<task::TaskId> add_exchange(State& state, const Exchange& exchange, task::Label label,
                                       task::LaneId lane, task::TaskId before);

/// Fills Channel::uses: links, staging and memory for every byte a hop carries.
void cost_hops(const State& state, Channel& channel);

/// What crossing `hops` uses of links for a byte of a collective: more than a byte where collectives reach
/// less than plain copies do.
void add_collective_uses(const State& state, const std::vector<hardware::Hop>& hops, double per_byte,
                         std::vector<task::Use>& uses);

/// Time of one collective of that size with nothing else on the machine: the formula of the cost model, and
/// never faster than what the links and memories that its channels share let through.
struct AloneTime {
  Seconds time;
  task::Kind limit = task::Kind::kCollectiveLatency;  ///< what most of it is spent on
};
AloneTime time_alone(const State& state, cost::Collective op, Bytes size,
                     const cost::CollectiveChoice& choice);

}  // namespace rigcast::lower
