#include "base/text.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using namespace rigcast;

TEST_CASE("edit_distance counts insertions, deletions, substitutions and swaps of neighbours") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);  // k->s, e->i, +g
  CHECK(edit_distance("memory", "memroy") == 1);   // one swap, not two substitutions
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("abcd", "badc") == 2);
  CHECK(edit_distance("resnet50", "resnet-50") == 1);
}

TEST_CASE("edit_distance is symmetric and never less than the difference in length") {
  const std::vector<std::string> words = {"", "a", "batch", "batch_per_gpu", "global_batch", "gpus", "nodes"};
  for (const std::string& a : words)
    for (const std::string& b : words) {
      const int distance = edit_distance(a, b);
      CHECK(distance == edit_distance(b, a));
      CHECK(distance >= (a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()));
      CHECK((distance == 0) == (a == b));
    }
}

TEST_CASE("nearest takes what is within a third of the word, at least one edit; ties go to the earlier") {
  const std::vector<std::string> keys = {"precision", "optimizer", "gpus", "cpus", "nodes"};
  CHECK(nearest("presicion", keys) == "precision");  // one swap
  CHECK(nearest("optimiser", keys) == "optimizer");  // one substitution
  CHECK(nearest("xpus", keys) == "gpus");            // both one edit away
  CHECK(nearest("batch", keys).empty());             // nothing within 5 / 3 = 1
  CHECK(nearest("gpu", keys) == "gpus");             // 3 / 3 = 1
  CHECK(nearest("node count", keys).empty());        // 6 edits, 10 / 3 = 3
  CHECK(nearest("x", {}).empty());
}

TEST_CASE("did_you_mean asks, or says nothing") {
  const std::vector<std::string> keys = {"workload"};
  CHECK(did_you_mean("wokload", keys) == "did you mean \"workload\"?");
  CHECK(did_you_mean("machine", keys).empty());
}

TEST_CASE("si prints three significant digits with the prefix that keeps them below 1000") {
  CHECK(si(12.345e9, "B/s") == "12.3 GB/s");
  CHECK(si(1.2099e-3, "s") == "1.21 ms");
  CHECK(si(0, "B") == "0 B");
  CHECK(si(1, "s") == "1.00 s");
  CHECK(si(999.4, "W") == "999 W");
  CHECK(si(999.6, "W") == "1.00 kW");  // would read 1000 W
  CHECK(si(9.996, "W") == "10.0 W");   // three digits, not four
  CHECK(si(99.96, "W") == "100 W");
  CHECK(si(-2.5e-6, "s") == "-2.50 us");
  CHECK(si(1e-12, "s") == "1.00 ps");
}

TEST_CASE("si at the ends of its prefixes and for what is no number") {
  CHECK(si(5e21, "FLOP") == "5000 EFLOP");
  CHECK(si(1e-15, "s") == "0.00 ps");
  CHECK(si(std::numeric_limits<double>::infinity(), "B/s") == "unlimited");
  CHECK(si(std::numeric_limits<double>::quiet_NaN(), "s") == "unknown");
}

TEST_CASE("binary_bytes divides by 1024") {
  CHECK(binary_bytes(0) == "0 B");
  CHECK(binary_bytes(1000) == "1000 B");
  CHECK(binary_bytes(1024) == "1.00 KiB");
  CHECK(binary_bytes(1023.6) == "1.00 KiB");
  CHECK(binary_bytes(16.0 * 1024 * 1024 * 1024) == "16.0 GiB");
  CHECK(binary_bytes(80e9) == "74.5 GiB");
}
