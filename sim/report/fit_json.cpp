#include <ostream>

#include "report/fit.h"
#include "report/json.h"

namespace rigcast::report {
namespace {

Json errors(const study::ErrorSummary& s) {
  return Json{
      {"rows", s.n}, {"median_ape", s.median}, {"mape", s.mean}, {"p90_ape", s.p90}, {"bias", s.bias}};
}

}  // namespace

void fit_json(std::ostream& out, const FitFindings& findings) {
  Json json = Json::object();
  json["rows"] = findings.rows;
  json["steps"] = findings.fit.steps;
  json["before"] = errors(findings.before);
  json["in_sample"] = errors(findings.in_sample);
  json["out_of_sample"] = findings.out_of_sample ? errors(*findings.out_of_sample) : Json();
  json["constants"] = Json::array();
  for (const study::FittedConstant& c : findings.fit.constants)
    json["constants"].push_back(Json{{"name", c.key},
                                     {"value", c.constant.value},
                                     {"unit", c.constant.unit},
                                     {"uncertainty", c.constant.uncertainty},
                                     {"before", c.before},
                                     {"low", c.constant.low},
                                     {"high", c.constant.high},
                                     {"at_bound", c.at_bound},
                                     {"rows", c.rows},
                                     {"rests_on", c.rests_on}});
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rigcast::report
