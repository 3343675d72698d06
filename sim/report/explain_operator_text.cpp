#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "base/text.h"
#include "report/explain_operator.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

std::string_view bound_words(const cost::Kernel& kernel) {
  if (kernel.latency > kernel.busy()) return "latency";
  switch (kernel.bound()) {
    case cost::Bound::kMatrix:
      return "matrix units";
    case cost::Bound::kVector:
      return "ordinary lanes";
    case cost::Bound::kMemory:
      return "memory";
    case cost::Bound::kLatency:
      break;
  }
  return "latency";
}

void kernel_lines(std::ostream& out, const study::KernelStory& story, std::size_t position) {
  const cost::Kernel& k = story.kernel;
  out << fmt::format("  {}. {}, {} launch{}: {}\n", position, story.backward ? "backward" : "forward",
                     number(k.launches), k.launches == 1 ? "" : "es", bound_words(k));
  if (k.flops.value > 0) {
    const Seconds arithmetic = std::max(k.matrix, k.vector);
    out << fmt::format("     arithmetic  {} in {}", si(k.flops.value, "FLOP"), si(arithmetic.value, "s"));
    if (arithmetic.value > 0) out << fmt::format(" = {}", si(k.flops.value / arithmetic.value, "FLOP/s"));
    out << '\n';
  }
  if (k.bytes.value > 0) {
    out << fmt::format("     memory      {} in {}", si(k.bytes.value, "B"), si(k.memory.value, "s"));
    if (k.memory.value > 0) out << fmt::format(" = {}", si(k.bytes.value / k.memory.value, "B/s"));
    out << '\n';
  }
  out << fmt::format("     time        {} + {} latency = {}; issued in {}\n", si(k.busy().value, "s"),
                     si(k.latency.value, "s"), si(k.duration().value, "s"), si(k.host.value, "s"));
}

}  // namespace

void operator_text(std::ostream& out, const study::OperatorStory& story) {
  out << fmt::format("{} ({}), {} sample{} of {}\n", story.name, story.kind, number(story.batch),
                     story.batch == 1 ? "" : "s", story.shape.empty() ? "no shape" : story.shape);
  out << fmt::format("on {}: products {} of {}, lanes {}, memory {}\n\n", story.gpu,
                     si(story.product_rate.value, "FLOP/s"), si(story.peak.value, "FLOP/s"),
                     si(story.vector_rate.value, "FLOP/s"), si(story.memory_rate.value, "B/s"));
  out << fmt::format(
      "Time {} on the GPU, the larger of arithmetic and memory plus latency, kernel by kernel; {} to "
      "issue\n",
      si(story.time.value, "s"), si(story.host.value, "s"));
  for (std::size_t i = 0; i < story.kernels.size(); ++i) kernel_lines(out, story.kernels[i], i + 1);
  out << "\nConstants, by how far 1 % of each moves the time and its issuing\n";
  for (const study::ConstantEffect& effect : story.constants) {
    out << fmt::format("  {:+.2f} %  {} = {:.4g} {}\n", effect.elasticity, effect.key, effect.constant.value,
                       effect.constant.unit);
    for (const std::string& line : wrap(effect.constant.source, 66)) out << "           " << line << '\n';
  }
}

}  // namespace rigcast::report
