#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "report/memory.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

constexpr std::size_t kOperatorRows = 12;

/// What each part holds, for readers of the text.
std::string_view meaning(std::string_view part) {
  if (part == "parameters") return "weights the GPU computes with";
  if (part == "master_weights") return "32-bit copies the optimizer updates";
  if (part == "gradients") return "one value per weight";
  if (part == "optimizer") return "momentum and variance";
  if (part == "activations") return "kept from forward for backward";
  if (part == "kv_cache") return "keys and values of earlier tokens";
  if (part == "workspace") return "scratch memory of kernels";
  if (part == "communication") return "buffers of collectives";
  if (part == "reserved") return "held by the allocator, not in use";
  if (part == "context") return "driver and libraries";
  if (part == "pinned") return "buffers the GPU copies from";
  if (part == "page_cache") return "the data set, as far as it is cached";
  if (part == "offload") return "moved out of GPU memory";
  if (part == "workers") return "processes that prepare samples";
  return "";
}

template <class Owner>
void print_parts(std::ostream& out, const Owner& owner) {
  for (const MemoryPart& part : parts(owner))
    if (part.bytes.value > 0)
      out << fmt::format("  {} {:>10}  {}\n", fit(part.name, 16), binary_bytes(part.bytes.value),
                         meaning(part.name));
  out << fmt::format("  {} {:>10}  of {} ({})\n", fit("in all", 16), binary_bytes(owner.used().value),
                     binary_bytes(owner.capacity.value),
                     owner.capacity.value > 0 ? percent(owner.used() / owner.capacity) : "none there");
}

bool equal(const cost::GpuMemory& a, const cost::GpuMemory& b) {
  const std::vector<MemoryPart> left = parts(a), right = parts(b);
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i].bytes != right[i].bytes) return false;
  return a.capacity == b.capacity;
}

/// Runs of GPUs with equal ledgers are printed once.
void print_gpus(std::ostream& out, const std::vector<cost::GpuMemory>& gpus, const Ink& ink) {
  for (std::size_t first = 0, last = 0; first < gpus.size(); first = last) {
    while (last < gpus.size() && equal(gpus[first], gpus[last])) ++last;
    const std::string who =
        last - first == 1 ? gpus[first].id : fmt::format("{} to {}, each", gpus[first].id, gpus[last - 1].id);
    out << '\n' << ink.bold(who) << '\n';
    print_parts(out, gpus[first]);
  }
}

void print_operators(std::ostream& out, std::vector<cost::OperatorMemory> operators, const Ink& ink) {
  std::stable_sort(operators.begin(), operators.end(),
                   [](const cost::OperatorMemory& a, const cost::OperatorMemory& b) {
                     return a.parameters + a.saved > b.parameters + b.saved;
                   });
  if (operators.empty()) return;
  const std::size_t shown = std::min(operators.size(), kOperatorRows);
  out << '\n'
      << ink.bold(shown < operators.size()
                      ? fmt::format("The {} largest of {} operators", shown, operators.size())
                      : std::string("Operators"))
      << "\n"
      << fmt::format("  {} {} {:>11} {:>11}\n", fit("", 34), fit("", 16), "parameters", "kept");
  for (std::size_t i = 0; i < shown; ++i)
    out << fmt::format("  {} {} {:>11} {:>11}\n", fit(operators[i].name, 34), fit(operators[i].kind, 16),
                       binary_bytes(operators[i].parameters.value), binary_bytes(operators[i].saved.value));
}

}  // namespace

void memory_text(std::ostream& out, const plan::Scenario& scenario, const MemoryFindings& findings,
                 bool colored) {
  const Ink ink{colored};
  const cost::MemoryLedger& ledger = findings.ledger;
  out << ink.bold(fmt::format("Memory of {} on {}", scenario.network.name, scenario.machine.name)) << '\n';
  out << "  " << (ledger.fits ? ink.good("fits") : ink.bad("DOES NOT FIT"));
  if (findings.largest_batch_that_fits)
    out << fmt::format(" at batch {} a GPU; the largest batch that fits is {}",
                       count(scenario.plan.batch_per_gpu), count(*findings.largest_batch_that_fits));
  out << '\n';
  print_gpus(out, ledger.gpus, ink);
  out << '\n' << ink.bold("Host memory") << '\n';
  print_parts(out, ledger.host);
  print_operators(out, ledger.operators, ink);
  if (findings.remedies.empty()) return;
  out << '\n' << ink.bold(ledger.fits ? "What would leave more room" : "What would make it fit") << '\n';
  for (const Remedy& remedy : findings.remedies)
    out << fmt::format("  - {}: {} of {}\n", remedy.text, binary_bytes(remedy.used.value),
                       binary_bytes(remedy.capacity.value));
}

}  // namespace rigcast::report
