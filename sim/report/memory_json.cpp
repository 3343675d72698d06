#include <ostream>

#include "report/json.h"
#include "report/memory.h"

namespace rigcast::report {
namespace {

template <class Owner>
Json parts_object(const Owner& owner) {
  Json object = Json::object();
  for (const MemoryPart& part : parts(owner)) object[part.name] = part.bytes.value;
  return object;
}

}  // namespace

Json memory_object(const cost::MemoryLedger& ledger, std::optional<double> largest_batch_that_fits) {
  Json gpus = Json::array();
  for (const cost::GpuMemory& gpu : ledger.gpus)
    gpus.push_back({{"id", gpu.id},
                    {"used_bytes", gpu.used().value},
                    {"capacity_bytes", gpu.capacity.value},
                    {"parts", parts_object(gpu)}});
  return {{"fits", ledger.fits},
          {"gpus", std::move(gpus)},
          {"host",
           {{"used_bytes", ledger.host.used().value},
            {"capacity_bytes", ledger.host.capacity.value},
            {"parts", parts_object(ledger.host)}}},
          {"largest_batch_that_fits", number_or_null(largest_batch_that_fits)}};
}

void memory_json(std::ostream& out, const MemoryFindings& findings) {
  Json operators = Json::array();
  for (const cost::OperatorMemory& op : findings.ledger.operators)
    operators.push_back({{"name", op.name},
                         {"kind", op.kind},
                         {"parameters_bytes", op.parameters.value},
                         {"saved_bytes", op.saved.value}});
  Json remedies = Json::array();
  for (const Remedy& remedy : findings.remedies)
    remedies.push_back({{"text", remedy.text},
                        {"used_bytes", remedy.used.value},
                        {"capacity_bytes", remedy.capacity.value}});
  const Json document = {{"memory", memory_object(findings.ledger, findings.largest_batch_that_fits)},
                         {"operators", std::move(operators)},
                         {"remedies", std::move(remedies)}};
  out << document.dump(2) << '\n';
}

}  // namespace rigcast::report
