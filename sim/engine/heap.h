#pragma once

/// What is due when, for entries that change. A heap with four children a node: half the levels of a binary
/// one, and siblings share a cache line. `Moved` is told where each entry lies, for heaps whose entries
/// change; `Unmoved` costs nothing.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/time.h"

namespace rigcast::engine {

/// Ordered by time, then by task, so that the order within an instant never depends on the heap's history.
struct Due {
  Time time;
  std::uint32_t task = 0;
  std::uint32_t slot = 0;  ///< of the running task

  bool operator<(const Due& other) const {
    return time != other.time ? time < other.time : task < other.task;
  }
};

struct Unmoved {
  void operator()(const Due&, std::size_t) const {}
};

template <class Moved = Unmoved>
class Heap {
 public:
  explicit Heap(Moved moved = {}) : moved_(std::move(moved)) {}

  bool empty() const { return entries_.empty(); }
  const Due& top() const { return entries_.front(); }

  void push(const Due& due) {
    entries_.push_back(due);
    rise(entries_.size() - 1, due);
  }

  void pop() { erase(0); }

  void erase(std::size_t position) {
    const Due last = entries_.back();
    entries_.pop_back();
    if (position < entries_.size()) replace(position, last);
  }

  /// Puts `due` in place of the entry at `position`.
  void replace(std::size_t position, const Due& due) {
    if (position > 0 && due < entries_[(position - 1) / kChildren])
      rise(position, due);
    else
      sink(position, due);
  }

 private:
  static constexpr std::size_t kChildren = 4;

  void place(std::size_t position, const Due& due) {
    entries_[position] = due;
    moved_(due, position);
  }

  void rise(std::size_t position, const Due& due) {
    while (position > 0) {
      const std::size_t parent = (position - 1) / kChildren;
      if (!(due < entries_[parent])) break;
      place(position, entries_[parent]);
      position = parent;
    }
    place(position, due);
  }

  void sink(std::size_t position, const Due& due) {
    const std::size_t size = entries_.size();
    for (;;) {
      const std::size_t first = position * kChildren + 1;
      if (first >= size) break;
      const std::size_t last = first + kChildren < size ? first + kChildren : size;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < last; ++child)
        if (entries_[child] < entries_[least]) least = child;
      if (!(entries_[least] < due)) break;
      place(position, entries_[least]);
      position = least;
    }
    place(position, due);
  }

  std::vector<Due> entries_;
  [[no_unique_address]] Moved moved_;
};

}  // namespace rigcast::engine
