#include "report/memory.h"

namespace rigcast::report {

std::vector<MemoryPart> parts(const cost::GpuMemory& gpu) {
  return {{"parameters", gpu.parameters},   {"master_weights", gpu.master_weights},
          {"gradients", gpu.gradients},     {"optimizer", gpu.optimizer},
          {"activations", gpu.activations}, {"kv_cache", gpu.kv_cache},
          {"workspace", gpu.workspace},     {"communication", gpu.communication},
          {"reserved", gpu.reserved},       {"context", gpu.context}};
}

std::vector<MemoryPart> parts(const cost::HostMemory& host) {
  return {{"pinned", host.pinned},
          {"page_cache", host.page_cache},
          {"offload", host.offload},
          {"workers", host.workers}};
}

const cost::GpuMemory* fullest_gpu(const cost::MemoryLedger& ledger) {
  const cost::GpuMemory* fullest = nullptr;
  for (const cost::GpuMemory& gpu : ledger.gpus)
    if (fullest == nullptr || gpu.capacity - gpu.used() < fullest->capacity - fullest->used()) fullest = &gpu;
  return fullest;
}

}  // namespace rigcast::report
