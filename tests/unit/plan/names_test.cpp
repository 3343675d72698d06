#include <doctest/doctest.h>

#include "plan/plan.h"

using namespace rigcast::plan;

namespace {

/// Every text names exactly one value, and the value has that text again.
template <class Enum>
void check_names() {
  for (const std::string& text : names<Enum>()) {
    REQUIRE(parse<Enum>(text));
    CHECK(name(*parse<Enum>(text)) == text);
  }
  CHECK(!parse<Enum>(""));
  CHECK(!parse<Enum>("Training"));
}

}  // namespace

TEST_CASE("texts and values of every enumeration belong together") {
  check_names<Mode>();
  check_names<Precision>();
  check_names<Execution>();
  check_names<Method>();
  check_names<Layout>();
  check_names<Decode>();
  check_names<Loader>();
  check_names<Optimizer>();
  CHECK(parse<Precision>("amp-bf16") == Precision::kAmpBf16);
  CHECK(parse<Optimizer>("novograd") == Optimizer::kNovograd);
  CHECK(names<Decode>().size() == 8);
}

TEST_CASE("autocast keeps 32-bit parameters and computes in 16 bits; four-bit weights are half a byte") {
  for (const Precision precision : {Precision::kAmpFp16, Precision::kAmpBf16}) {
    CHECK(is_mixed(precision));
    CHECK(parameter_bytes(precision).value == 4);
    CHECK(activation_bytes(precision).value == 2);
  }
  CHECK(!is_mixed(Precision::kFp16));
  CHECK(parameter_bytes(Precision::kFp16).value == 2);
  CHECK(activation_bytes(Precision::kTf32).value == 4);
  CHECK(parameter_bytes(Precision::kFp64).value == 8);
  CHECK(parameter_bytes(Precision::kInt4).value == 0.5);
}
