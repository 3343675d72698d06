#include "config/overrides.h"

#include <doctest/doctest.h>

#include "helpers.h"

using namespace rigcast;
using namespace rigcast::config;
using rigcast::config::testing::text;

namespace {

/// The scenario after one override, on one line; or the complaint.
std::string after(const std::string& scenario, const std::string& path, const std::string& value) {
  Diagnostics diagnostics;
  auto parsed = parse_json(scenario, "s.json", diagnostics);
  apply_override(*parsed, path, value, diagnostics);
  if (!diagnostics.ok()) return text(diagnostics);
  std::string flat;
  for (const char c : dump(*parsed))
    if (c != '\n' && c != ' ') flat += c;
  return flat;
}

}  // namespace

TEST_CASE("values are JSON where they are JSON, else texts") {
  CHECK(after("{}", "plan.gpus", "8") == R"({"plan":{"gpus":8}})");
  CHECK(after("{}", "plan.framework.xla", "true") == R"({"plan":{"framework":{"xla":true}}})");
  CHECK(after("{}", "plan.input.sample_bytes", "110kB") == R"({"plan":{"input":{"sample_bytes":"110kB"}}})");
  CHECK(after("{}", "machine.storage", R"([{"part":"x"}])") == R"({"machine":{"storage":[{"part":"x"}]}})");
  CHECK(after("{}", "machine", "dgx2") == R"({"machine":"dgx2"})");
  CHECK(after("{}", "plan.input", "{\"source\":") ==
        "--set plan.input:1:11: error: the file ends before the object that begins on line 1 is closed");
}

TEST_CASE("a name becomes a base, an object is changed in place") {
  CHECK(after(R"({"machine":"m"})", "machine.gpu", "h100") == R"({"machine":{"base":"m","gpu":"h100"}})");
  CHECK(after(R"({"machine":{"base":"m"}})", "machine.gpu", "h100") ==
        R"({"machine":{"base":"m","gpu":"h100"}})");
  CHECK(after(R"({"workload":"w"})", "workload.layers", "2") == R"({"workload":{"base":"w","layers":2}})");
  CHECK(after(R"({"machine":{"nodes":[],"links":[]}})", "machine.gpu", "h100") ==
        R"({"machine":{"base":{"nodes":[],"links":[]},"gpu":"h100"}})");
  CHECK(after(R"({"machine":{"nodes":[],"links":[{"count":1}]}})", "machine.links.0.count", "4") ==
        R"({"machine":{"nodes":[],"links":[{"count":4}]}})");
}

TEST_CASE("paths that lead nowhere") {
  CHECK(after("{}", "gpus", "8") ==
        "--set gpus: error: \"gpus\" does not begin with machine, workload or plan\n  did you mean "
        "\"plan.gpus\"?");
  CHECK(after("{}", "interconnect", "pcie3") ==
        "--set interconnect: error: \"interconnect\" does not begin with machine, workload or plan\n"
        "  did you mean \"machine.interconnect\"?");
  CHECK(after("{}", "plam.gpus", "8") ==
        "--set plam.gpus: error: \"plam.gpus\" does not begin with machine, workload or plan\n  did you mean "
        "\"plan\"?");
  CHECK(after("{}", "plan..gpus", "8") == "--set plan..gpus: error: \"plan..gpus\" is not a dotted path");
  CHECK(after(R"({"plan":{"gpus":8}})", "plan.gpus.x", "8") ==
        "--set plan.gpus.x: error: \"plan.gpus\" is a number and has no field \"x\"");
  CHECK(after(R"({"machine":{"nodes":[],"links":[]}})", "machine.links.7.count", "4") ==
        "--set machine.links.7.count: error: \"machine.links\" is a list of 0: expected a number below that, "
        "found \"7\"");
}
