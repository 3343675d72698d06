/// The event queues against a sorted list.

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "engine/heap.h"
#include "engine/timers.h"

using namespace rigcast;
using namespace rigcast::engine;

namespace {

struct Earlier {
  bool operator()(const Due& a, const Due& b) const { return a < b; }
};

}  // namespace

TEST_CASE("timers come out by time, then task, whatever is pushed between; never before the present") {
  for (const int span : {3, 50, 100'000}) {
    std::mt19937_64 random(static_cast<std::uint64_t>(span));
    Timers timers;
    std::set<Due, Earlier> expected;
    std::int64_t now = 0;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      // Grows first, shrinks later.
      const bool grow = static_cast<int>(random() % 100) < (i < 10'000 ? 70 : 30);
      if (grow || expected.empty()) {
        const Due due{{now + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span))}, i, 0};
        timers.push(due);
        expected.insert(due);
      } else {
        REQUIRE(timers.top().task == expected.begin()->task);
        now = timers.top().time.picoseconds;
        timers.pop();
        expected.erase(expected.begin());
      }
      REQUIRE(timers.empty() == expected.empty());
    }
  }
}

TEST_CASE("an entry of the heap can be moved earlier or later, or taken out, by its place") {
  std::vector<std::size_t> place(200);
  struct Remember {
    std::vector<std::size_t>* place;
    void operator()(const Due& due, std::size_t at) const { (*place)[due.slot] = at; }
  };
  Heap<Remember> heap(Remember{&place});
  std::mt19937_64 random(5);
  std::set<Due, Earlier> expected;
  std::vector<Due> current(200);
  for (std::uint32_t i = 0; i < 200; ++i) {
    current[i] = {{static_cast<std::int64_t>(random() % 1000)}, i, i};
    heap.push(current[i]);
    expected.insert(current[i]);
  }
  for (int step = 0; step < 5'000; ++step) {
    const auto i = static_cast<std::uint32_t>(random() % 200);
    expected.erase(current[i]);
    current[i].time = {static_cast<std::int64_t>(random() % 1000)};
    heap.replace(place[i], current[i]);
    expected.insert(current[i]);
    REQUIRE(heap.top().task == expected.begin()->task);
  }
  for (std::uint32_t i = 0; i < 200; i += 3) {
    heap.erase(place[i]);
    expected.erase(current[i]);
  }
  for (const Due& due : expected) {
    REQUIRE(heap.top().task == due.task);
    heap.pop();
  }
  CHECK(heap.empty());
}
