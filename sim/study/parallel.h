#pragma once

/// Independent items on several threads.

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace rigcast::study {

/// Calls body(i) for every i in [0, count), on `jobs` threads; items are handed out in order. The body must
/// not touch what another item writes.
template <class Body>
void for_each_item(std::size_t count, int jobs, const Body& body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::thread> threads;
  for (int t = 1; t < jobs; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace rigcast::study
