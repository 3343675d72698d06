#pragma once

/// What is due when, for entries that never change: a queue that sorts only what is about to be due. Entries
/// lie in three places: the earliest in a sorted run, those that came too late for it in a heap, and all
/// beyond the horizon in no order at all. When run and heap are used up, the earliest quarter of the rest
/// becomes the next run. With a million entries this moves a third of the memory that a heap alone would.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/heap.h"

namespace rigcast::engine {

class Timers {
 public:
  bool empty() const { return next_ == run_.size() && late_.empty() && far_.empty(); }

  void push(const Due& due) {
    if (due.time <= horizon_)
      late_.push(due);
    else
      far_.push_back(due);
  }

  const Due& top() {
    if (next_ == run_.size() && late_.empty()) refill();
    return run_is_first() ? run_[next_] : late_.top();
  }

  /// One that will be due soon, or none: what it needs may be fetched meanwhile.
  const Due* soon() const { return next_ + kAhead < run_.size() ? &run_[next_ + kAhead] : nullptr; }

  /// Removes what top() returned.
  void pop() {
    if (run_is_first())
      ++next_;
    else
      late_.pop();
  }

 private:
  static constexpr std::size_t kSmall = 64;
  static constexpr std::size_t kAhead = 8;

  bool run_is_first() const { return next_ < run_.size() && (late_.empty() || run_[next_] < late_.top()); }

  void refill() {
    const std::size_t keep = far_.size() > kSmall ? far_.size() - far_.size() / 4 : 0;
    const auto kept = far_.begin() + static_cast<std::ptrdiff_t>(keep);
    std::nth_element(far_.begin(), kept, far_.end(),
                     [](const Due& a, const Due& b) { return a.time > b.time; });
    horizon_ = kept->time;
    // Entries of one instant stay together.
    const auto first =
        std::partition(far_.begin(), kept, [this](const Due& due) { return due.time > horizon_; });
    run_.assign(first, far_.end());
    far_.erase(first, far_.end());
    std::sort(run_.begin(), run_.end());
    next_ = 0;
  }

  std::vector<Due> run_;
  std::size_t next_ = 0;  ///< of run_
  Heap<> late_;
  std::vector<Due> far_;
  Time horizon_{-1};  ///< run_ and late_ hold all up to here, far_ all beyond
};

}  // namespace rigcast::engine
