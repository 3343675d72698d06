#include "base/diagnostics.h"

#include <doctest/doctest.h>

#include <string>

using namespace rigcast;

TEST_CASE("an error reads file, line, column, what is wrong, where in the document, and what to do") {
  CHECK(to_text({Severity::kError,
                 {"s.json", 3, 14, "/plan/precison"},
                 "unknown key \"precison\"",
                 "did you mean \"precision\"?"}) ==
        "s.json:3:14: error: unknown key \"precison\" (/plan/precison)\n  did you mean \"precision\"?");
}

TEST_CASE("what is not known of the origin is left out") {
  CHECK(to_text({Severity::kWarning, {"s.json", 3, 0, ""}, "odd", ""}) == "s.json:3: warning: odd");
  CHECK(to_text({Severity::kError, {"--set", 0, 0, "/plan/gpus"}, "odd", ""}) ==
        "--set: error: odd (/plan/gpus)");
  CHECK(to_text({Severity::kError, {"s.json", 0, 7, ""}, "odd", ""}) == "s.json: error: odd");
  CHECK(to_text({Severity::kError, {}, "odd", ""}) == "error: odd");
}

TEST_CASE(
    "warnings alone leave an input ok; an error does not; an unreadable file is an error of its own kind") {
  Diagnostics diagnostics;
  CHECK(diagnostics.ok());
  diagnostics.warning({}, "no effect");
  CHECK(diagnostics.ok());
  diagnostics.error({}, "wrong");
  CHECK_FALSE(diagnostics.ok());
  CHECK_FALSE(diagnostics.has_unreadable());
  diagnostics.unreadable("lost.json", "cannot be opened");
  CHECK(diagnostics.has_unreadable());
  CHECK(to_text(diagnostics.entries().back()) == "lost.json: error: cannot be opened");
}

TEST_CASE("append keeps the order and carries what was counted") {
  Diagnostics first, second, empty;
  first.warning({}, "a");
  second.error({}, "b");
  second.unreadable("f", "c");
  first.append(second);
  first.append(empty);
  REQUIRE(first.entries().size() == 3);
  CHECK(first.entries()[0].message == "a");
  CHECK(first.entries()[1].message == "b");
  CHECK(first.entries()[2].message == "c");
  CHECK_FALSE(first.ok());
  CHECK(first.has_unreadable());
}
