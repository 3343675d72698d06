#pragma once

#include "config/load.h"
#include "cost/gpu_model.h"

namespace rigcast::test {

/// The shipped catalogue; loaded once.
inline const config::Library& library() {
  static const config::Library loaded = [] {
    Diagnostics diagnostics;
    return config::load_library({}, {}, diagnostics);
  }();
  return loaded;
}

inline plan::ResolvedPlan plan(plan::Precision precision) {
  plan::ResolvedPlan p;
  p.precision = precision;
  p.optimizer = plan::Optimizer::kSgdMomentum;
  return p;
}

inline cost::GpuModel gpu(const char* id, plan::Precision precision) {
  const hardware::Catalogue& catalogue = library().catalogue;
  return cost::gpu_model(catalogue.gpus.find(id)->second, catalogue.cpus.find("xeon-gold-6148")->second,
                         plan(precision), catalogue.profile);
}

}  // namespace rigcast::test
