#include "config/json.h"

#include <doctest/doctest.h>

#include "helpers.h"

using namespace rigcast;
using namespace rigcast::config;
using rigcast::config::testing::text;

namespace {

std::string complaints_of(const std::string& json) {
  Diagnostics diagnostics;
  const auto value = parse_json(json, "f.json", diagnostics);
  CHECK(value.has_value() == diagnostics.ok());
  return text(diagnostics);
}

}  // namespace

TEST_CASE("every value knows its line and column") {
  Diagnostics diagnostics;
  const auto value = parse_json("{\n  \"a\": [1,\n    {\"b\\\"\": \"x\"}]\n}", "f.json", diagnostics);
  REQUIRE(value);
  const Value& list = *value->find("a");
  CHECK(list.place.line == 2);
  CHECK(list.place.column == 8);
  CHECK(list.elements[0].place.column == 9);
  const JsonMember& member = list.elements[1].members[0];
  CHECK(member.key == "b\"");
  CHECK(member.place.line == 3);
  CHECK(member.place.column == 6);
  CHECK(member.value.place.column == 13);
  CHECK(*member.value.place.file == "f.json");
}

TEST_CASE("a byte order mark is skipped and does not move the first column") {
  Diagnostics diagnostics;
  const auto value = parse_json("\xEF\xBB\xBF[true]", "f.json", diagnostics);
  REQUIRE(value);
  CHECK(value->place.column == 1);
  CHECK(value->elements[0].place.column == 2);
}

TEST_CASE("malformed texts: what stands there and where") {
  CHECK(complaints_of("") == "f.json:1:1: error: the file is empty");
  CHECK(complaints_of("{\"a\": [1,\n 2") ==
        "f.json:2:3: error: the file ends before the array that begins on line 1 is closed");
  CHECK(complaints_of("{\"a\":\n") ==
        "f.json:2:1: error: the file ends before the object that begins on line 1 is closed");
  CHECK(complaints_of("[\"ab") == "f.json:1:2: error: the file ends inside a text");
  CHECK(complaints_of("{\"a\": NaN}") == "f.json:1:7: error: NaN is not a number in JSON");
  CHECK(complaints_of("[-Infinity]") == "f.json:1:2: error: -Infinity is not a number in JSON");
  CHECK(complaints_of("[1e999]") == "f.json:1:2: error: the number is too large");
  CHECK(complaints_of("[1,,2]") ==
        "f.json:1:4: error: not JSON: unexpected ','; expected '[', '{', or a literal");
  CHECK(complaints_of("{\"a\" 1}") == "f.json:1:6: error: not JSON: unexpected number literal; expected ':'");
  CHECK(complaints_of("[1] 2") ==
        "f.json:1:5: error: not JSON: unexpected number literal; expected end of input");
  CHECK(complaints_of("[\"\xff\"]") == "f.json:1:2: error: not JSON: invalid string: ill-formed UTF-8 byte");
}

TEST_CASE("keys that stand twice are named with both lines, however large the object") {
  CHECK(complaints_of("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}") ==
        "f.json:3:2: error: the key \"a\" stands twice: on line 1 and on line 3");
  std::string many = "{";
  for (int i = 0; i < 100000; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  CHECK(complaints_of(many + "\"k5\":1}") ==
        "f.json:1:1088892: error: the key \"k5\" stands twice: on line 1 and on line 1");
}

TEST_CASE("a million levels of nesting are an error, not a stack overflow") {
  const std::string text = "f.json:1:257: error: arrays and objects are nested more than 256 deep";
  CHECK(complaints_of(std::string(1000000, '[')) == text);
  CHECK(complaints_of(std::string(256, '[') + std::string(256, ']')) == "");
}

TEST_CASE("files beyond 64 MiB are refused by size, before they are read") {
  CHECK(too_large(std::uintmax_t{64} << 20) == "");
  CHECK(too_large(1000000000) == "file is 1.0 GB; the largest accepted is 64 MiB");
  CHECK(too_large(70000000) == "file is 70.0 MB; the largest accepted is 64 MiB");
  CHECK(complaints_of(std::string((std::size_t{64} << 20) + 1, ' ')) ==
        "f.json: error: file is 67.1 MB; the largest accepted is 64 MiB");
}

TEST_CASE("a value that is dumped and parsed again is the same value") {
  const std::string source =
      R"({"b": [0.1, -3, 1e300, 9007199254740993, true, null], "a": {"x/y~z": "text\n"}})";
  Diagnostics diagnostics;
  const auto value = parse_json(source, "", diagnostics);
  REQUIRE(value);
  const std::string dumped = dump(*value);
  const auto again = parse_json(dumped, "", diagnostics);
  REQUIRE(again);
  CHECK(dump(*again) == dumped);
  CHECK(again->find("b")->elements[0].number == 0.1);
  CHECK(again->members[0].key == "b");  // order is kept
  CHECK(dumped.find("-3,") != std::string::npos);
  CHECK(pointer_step("x/y~z") == "/x~1y~0z");
}
