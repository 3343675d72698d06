#include <fmt/format.h>

#include <ostream>

#include "report/fit.h"
#include "report/words.h"

namespace rigcast::report {
namespace {

void errors(std::ostream& out, std::string_view label, const study::ErrorSummary& s) {
  out << fmt::format("{} {:>6} {:>7.1f} {:>7.1f} {:>7.1f} {:>+7.1f}\n", fit(label, 22), s.n, 100 * s.median,
                     100 * s.mean, 100 * s.p90, 100 * s.bias);
}

}  // namespace

void fit_text(std::ostream& out, const FitFindings& findings) {
  out << fmt::format("{} measurements, {} constants, {} steps\n\n", findings.rows,
                     findings.fit.constants.size(), findings.fit.steps);
  out << fmt::format("{} {:>6} {:>7} {:>7} {:>7} {:>7}\n", fit("errors in percent", 22), "rows", "median",
                     "mean", "90 %", "bias");
  errors(out, "before", findings.before);
  errors(out, "in sample", findings.in_sample);
  if (findings.out_of_sample) errors(out, "groups held out", *findings.out_of_sample);
  out << fmt::format("\n{} {:>10} {:>9} {:>10} {:>6}  rests on\n", fit("constant", 46), "fitted", "+-",
                     "before", "rows");
  for (const study::FittedConstant& c : findings.fit.constants) {
    std::string rests;
    for (const std::string& source : c.rests_on) rests += (rests.empty() ? "" : ", ") + source;
    out << fmt::format("{} {:>10.4g} {:>9.2g} {:>10.4g} {:>6}  {}{}\n", fit(c.key, 46), c.constant.value,
                       c.constant.uncertainty, c.before, c.rows, c.at_bound ? "(at its bound) " : "",
                       cut(rests, 60));
  }
}

}  // namespace rigcast::report
