/// Compares the timelines of shipped machines with the hashes on file; with --write prints the file.

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "config/load.h"
#include "engine/simulate.h"
#include "lower/lower.h"

using namespace rigcast;

namespace {

/// "machine,workload,source,hash", or nothing for a machine without GPUs.
std::string line(const config::Library& library, const std::string& machine, const std::string& workload,
                 const std::string& source) {
  config::Request request;
  request.machine = machine;
  request.workload = workload;
  request.set = {{"plan.input.source", source}};
  Diagnostics diagnostics;
  const auto loaded = config::load_scenario(library, request, diagnostics);
  if (!loaded) return {};
  const lower::Lowered lowered = lower::lower(loaded->scenario);
  const auto timeline = engine::simulate(lowered.graph, lowered.resources);
  char hash[32];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, timeline ? timeline->fingerprint : 0);
  return machine + "," + workload + "," + source + "," + hash;
}

}  // namespace

int main(int count, char** arguments) {
  Diagnostics diagnostics;
  const config::Library library = config::load_library({}, {}, diagnostics);
  std::string now = "machine,workload,source,hash\n";
  for (const auto& [name, source] : library.machines)
    for (const auto& [workload, input] :
         {std::pair<std::string, std::string>{"resnet50", "dataset"}, {"bert-base", "synthetic"}})
      if (const std::string text = line(library, name, workload, input); !text.empty()) now += text + "\n";
  const std::string argument = count > 1 ? arguments[1] : "";
  if (argument == "--write") {
    std::cout << now;
    return 0;
  }
  std::ifstream file(argument);
  std::stringstream expected;
  expected << file.rdbuf();
  if (expected.str() == now) return 0;
  std::stringstream a(expected.str()), b(now);
  std::string left, right;
  while (std::getline(b, right)) {
    if (!std::getline(a, left)) left.clear();
    if (left != right) std::cout << "on file " << left << "\nnow     " << right << "\n";
  }
  std::cout << "Predictions changed. If they should have: write the file anew and say why in "
               "tests/fingerprint/README.md\n";
  return 1;
}
