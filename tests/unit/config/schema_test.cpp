#include <doctest/doctest.h>

#include "config/json.h"
#include "config/plan_file.h"
#include "helpers.h"

using namespace rigcast;
using namespace rigcast::config;

namespace {

Value schema_of(const char* kind) {
  Diagnostics diagnostics;
  return parse_json(*schema(kind), "", diagnostics).value();
}

}  // namespace

TEST_CASE("every kind has a schema of the 2020-12 dialect, other kinds have none") {
  for (const std::string& kind : schema_kinds())
    CHECK(schema_of(kind.c_str()).find("$schema")->text == "https://json-schema.org/draft/2020-12/schema");
  CHECK(!schema("plan"));
}

TEST_CASE("the scenario's schema has the plan's keys, with their limits, and no others") {
  const Value whole = schema_of("scenario");
  const Value& plan = *whole.find("properties")->find("plan");
  CHECK(!plan.find("additionalProperties")->boolean);
  const Value& batch = *plan.find("properties")->find("batch_per_gpu");
  CHECK(batch.find("type")->text == "number");
  CHECK(batch.find("exclusiveMinimum")->number == 0);
  const Value& precision = *plan.find("properties")->find("precision");
  CHECK(precision.find("enum")->elements.size() == 10);
  const std::vector<std::string> keys = plan_keys();
  CHECK(std::find(keys.begin(), keys.end(), "input.sample_bytes") != keys.end());
}

TEST_CASE("a device's schema knows what each type has") {
  const Value whole = schema_of("topology");
  const Value& nodes = *whole.find("anyOf")->elements[0].find("properties")->find("nodes");
  const Value& forms = *nodes.find("items")->find("anyOf");
  CHECK(forms.elements.size() == 10);
  const Value& gpu = *forms.elements[0].find("properties");
  CHECK(gpu.find("type")->find("const")->text == "gpu");
  CHECK(gpu.find("multiprocessors") != nullptr);
  CHECK(gpu.find("capacity") == nullptr);
}
