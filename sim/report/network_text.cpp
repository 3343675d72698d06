#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/facts.h"
#include "report/list.h"
#include "report/network.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

constexpr std::size_t kNameColumns = 44;

}  // namespace

void network_text(std::ostream& out, const workload::Network& network) {
  facts_text(out, facts(network));
  std::size_t name = 8;
  for (const workload::Operator& op : network.operators)
    name = std::max(name, std::min(columns(op.name), kNameColumns));
  out << fmt::format("\n{}  {}  {:>18}  {:>12}  {:>15}\n", fit("operator", name), fit("kind", 14),
                     "output a sample", "parameters", "multiply-adds");
  for (const workload::Operator& op : network.operators) {
    const double macs = workload::forward_macs(op);
    out << fmt::format(
        "{}  {}  {:>18}  {:>12}  {:>15}\n", fit(op.name, name), fit(workload::kind_name(op.attributes), 14),
        fmt::format("{}", fmt::join(op.shape, " x ")), op.parameters > 0 ? large_count(op.parameters) : "-",
        macs > 0 ? large_count(macs) : "-");
  }
  for (const std::string& note : network.notes) out << "\nnote: " << note << '\n';
}

}  // namespace rigcast::report
