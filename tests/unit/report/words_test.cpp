#include "report/words.h"

#include <doctest/doctest.h>

#include <numeric>

namespace rigcast::report {
namespace {

TEST_CASE("numbers have three significant digits and thousands separators") {
  CHECK(number(0) == "0");
  CHECK(number(1) == "1.00");
  CHECK(number(0.4821) == "0.48");
  CHECK(number(0.004821) == "0.00482");
  CHECK(number(12.34) == "12.3");
  CHECK(number(256) == "256");
  CHECK(number(999.4) == "999");
  CHECK(number(999.6) == "1,000");
  CHECK(number(14449) == "14,400");
  CHECK(number(1281167) == "1,280,000");
  CHECK(number(-2500) == "-2,500");
}

TEST_CASE("whole numbers are written without decimals that say nothing") {
  CHECK(count(1) == "1");
  CHECK(count(256) == "256");
  CHECK(count(2048) == "2,048");
  CHECK(count(1281167) == "1,281,167");
  CHECK(count(10.5) == "10.5");
}

TEST_CASE("tenths of a percent add up to 1000, the largest remainders get what is missing") {
  // Thirds: 333 each, one is missing, ties go to the first.
  CHECK(tenths_of_percent({1.0 / 3, 1.0 / 3, 1.0 / 3}) == std::vector<int>{334, 333, 333});
  // 0.0996 and 0.9004: 99.6 and 900.4 tenths; the remainder .6 is the larger.
  CHECK(tenths_of_percent({0.0996, 0.9004}) == std::vector<int>{100, 900});
  for (int n = 1; n < 40; ++n) {
    const std::vector<int> tenths =
        tenths_of_percent(std::vector<double>(static_cast<std::size_t>(n), 1.0 / n));
    CHECK(std::accumulate(tenths.begin(), tenths.end(), 0) == 1000);
  }
}

TEST_CASE("columns count code points, and cutting never splits one") {
  CHECK(columns("2 x \xC2\xB5") == 5);
  CHECK(fit("abc", 5) == "abc  ");
  CHECK(cut("abcdefgh", 6) == "abc...");
  CHECK(cut("\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5", 4) == "\xC2\xB5...");
}

TEST_CASE("text wraps at spaces, words longer than a line are split") {
  CHECK(wrap("one two three", 8) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("abcdefghij", 4) == std::vector<std::string>{"abcd", "efgh", "ij"});
  CHECK(wrap("", 4) == std::vector<std::string>{""});
}

TEST_CASE("every kind has words of its own that fit their column") {
  for (int k = 0; k < task::kKindCount; ++k) {
    const auto kind = static_cast<task::Kind>(k);
    CHECK(!words(kind).empty());
    CHECK(columns(words(kind)) <= 29);
    CHECK(columns(doubled_words(kind)) <= 40);
    for (int other = 0; other < k; ++other) CHECK(words(kind) != words(static_cast<task::Kind>(other)));
  }
  CHECK(words(task::Kind::kHostDecode, plan::Decode::kJpeg224) == "JPEG decoding on CPU cores");
  CHECK(words(task::Kind::kHostDecode, plan::Decode::kAudio) == "CPU cores preparing samples");
}

}  // namespace
}  // namespace rigcast::report
