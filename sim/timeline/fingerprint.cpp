#include "timeline/fingerprint.h"

namespace rigcast::timeline {

/// FNV-1a over 64-bit words instead of bytes, then the finaliser of SplitMix64 so that sums of terms do not
/// cancel.
std::uint64_t fingerprint_term(task::TaskId task, Time start, Time end) {
  constexpr std::uint64_t kPrime = 0x100000001b3u;
  std::uint64_t hash = 0xcbf29ce484222325u;
  hash = (hash ^ task.index) * kPrime;
  hash = (hash ^ static_cast<std::uint64_t>(start.picoseconds)) * kPrime;
  hash = (hash ^ static_cast<std::uint64_t>(end.picoseconds)) * kPrime;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

std::uint64_t fingerprint(std::span<const Span> spans) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < spans.size(); ++i) sum += fingerprint_term({i}, spans[i].start, spans[i].end);
  return sum;
}

}  // namespace rigcast::timeline
