#pragma once

/// Measurement rows for tests.

#include <string>
#include <vector>

#include "scenarios.h"
#include "study/validate.h"

namespace rigcast::test {

/// A training row of one named machine.
inline std::string row_text(const std::string& id, const std::string& model, int gpus, int batch,
                            double value) {
  return R"({"id":")" + id +
         R"(","source":"test","kind":"training","mode":"training","system":"dgx1-v100",)" +
         R"("gpu":"v100-sxm2-16","gpus":)" + std::to_string(gpus) +
         R"(,"nodes":1,"interconnect":"nvlink-mesh",)" + R"("network":"none","model":")" + model +
         R"(","framework":{"name":"pytorch","year":2021,)" +
         R"("execution":"eager"},"precision":"fp32","batch_per_gpu":)" + std::to_string(batch) +
         R"(,"optimizer":"sgd-momentum","parallel":{"data":)" + std::to_string(gpus) +
         R"(,"tensor":1},"data":"synthetic","metric":"iteration_s","value":)" + std::to_string(value) + "}\n";
}

inline std::vector<study::Row> rows(const std::string& text) {
  Diagnostics diagnostics;
  auto read = study::read_rows({{"rows.jsonl", text}}, "", diagnostics);
  for (const Diagnostic& d : diagnostics.entries()) FAIL(to_text(d));
  return read;
}

}  // namespace rigcast::test
