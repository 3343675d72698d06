#include "base/check.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "base/id.h"

using namespace rigcast;

namespace {

[[noreturn]] void throw_text(const char* text) { throw std::logic_error(text); }

/// The text a failed check hands to the program's handler; "" when it held.
std::string bug_text(bool holds) {
  set_bug_handler(throw_text);
  std::string text;
  try {
    RIG_CHECK(holds, "levels must rise");
  } catch (const std::logic_error& error) {
    text = error.what();
  }
  set_bug_handler(nullptr);
  return text;
}

}  // namespace

TEST_CASE("a check that holds is silent; one that fails tells message, condition and place") {
  CHECK(bug_text(true).empty());
  const std::string text = bug_text(false);
  CHECK(text.find("bug in rigcast: levels must rise (holds) at ") == 0);
  CHECK(text.find("check_test.cpp:") != std::string::npos);
}

TEST_CASE("an id is none until it is set, and ids compare by index") {
  using CarId = Id<struct CarTag>;
  CHECK_FALSE(CarId().valid());
  CHECK(CarId() == CarId::none());
  CHECK(CarId{0}.valid());
  CHECK(CarId{1} < CarId{2});
}
