#include <ostream>

#include "report/explain_operator.h"
#include "report/json.h"

namespace rigcast::report {

void operator_json(std::ostream& out, const study::OperatorStory& story) {
  Json kernels = Json::array();
  for (const study::KernelStory& k : story.kernels)
    kernels.push_back(Json{{"pass", k.backward ? "backward" : "forward"},
                           {"launches", k.kernel.launches},
                           {"flops", k.kernel.flops.value},
                           {"bytes", k.kernel.bytes.value},
                           {"matrix_s", k.kernel.matrix.value},
                           {"vector_s", k.kernel.vector.value},
                           {"memory_s", k.kernel.memory.value},
                           {"latency_s", k.kernel.latency.value},
                           {"host_s", k.kernel.host.value},
                           {"duration_s", k.kernel.duration().value}});
  Json constants = Json::array();
  for (const study::ConstantEffect& c : story.constants)
    constants.push_back(Json{{"name", c.key},
                             {"value", c.constant.value},
                             {"unit", c.constant.unit},
                             {"source", c.constant.source},
                             {"elasticity", c.elasticity}});
  const Json op{{"name", story.name},
                {"kind", story.kind},
                {"shape", story.shape},
                {"batch", story.batch},
                {"gpu", story.gpu},
                {"peak_FLOPps", story.peak.value},
                {"product_rate_FLOPps", story.product_rate.value},
                {"vector_rate_FLOPps", story.vector_rate.value},
                {"memory_rate_Bps", story.memory_rate.value},
                {"time_s", story.time.value},
                {"host_s", story.host.value},
                {"kernels", kernels},
                {"constants", constants}};
  out << Json{{"op", op}}.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rigcast::report
