/// Storage: a random read of s bytes costs a device 1 / iops + s / sequential rate; sequential records cost s
/// / sequential rate. A reader waits the device's latency for each file, so w workers get w s / (latency + s
/// / rate) at most. Decode: a fitted law, rate = r1 x threads^e x GHz x instructions per clock, r1 for one
/// reference core and kind of decoding, e of the loader; and no more bytes a second than the loader's
/// batches take. TensorFlow's input pipelines leave four threads a GPU to launches, copies and events
/// (github.com/tensorflow/benchmarks, benchmark_cnn.py) and cast images to the type the GPU computes in.

#include "cost/input.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/math.h"
#include "cost/gpu_model.h"

namespace rigcast::cost {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

bool prepared_already(const plan::ResolvedPlan& plan) {
  return !plan.dataset || plan.loader == plan::Loader::kPrebatched || plan.decode == plan::Decode::kNone;
}

}  // namespace

StorageRate storage_rate(const hardware::Device& device, const plan::ResolvedPlan& plan) {
  const hardware::StoragePart& part = device.storage();
  const double drives = std::max(1, device.count);
  const double sequential = part.sequential_read.value;
  if (plan.layout == plan::Layout::kRecords) return {{sequential * drives}, {kUnlimited}};
  const double bytes = std::max(1.0, plan.sample_bytes.value);
  const double seeks = part.random_read_iops > 0 ? 1 / part.random_read_iops : 0;
  const double wait = part.read_latency.value + bytes / sequential;
  return {{drives * bytes / (seeks + bytes / sequential)}, {std::max(1, plan.workers) * bytes / wait}};
}

BytesPerSecond access_rate(const hardware::StoragePart& part, const Access& access) {
  const double sequential = access.sustained ? part.sustained_write.value
                            : access.write   ? part.sequential_write.value
                                             : part.sequential_read.value;
  const double operations = access.write ? part.random_write_iops : part.random_read_iops;
  const double bytes = std::max(1.0, access.block.value);
  // A disk's head stays where it is when what follows is next; flash handles every request anew.
  const bool seeks = access.random || part.kind != "hdd";
  const double device = bytes / ((seeks && operations > 0 ? 1 / operations : 0) + bytes / sequential);
  // One request lies on part of an array's drives. Writes are done when they are in the device's cache.
  const double own = part.kind == "raid" ? sequential / 2 : sequential;
  const double wait = access.write ? 0 : seeks ? part.read_latency.value : 0;
  return {std::min(device, access.outstanding * bytes / (wait + bytes / own))};
}

double page_cache_hit(const plan::ResolvedPlan& plan, Bytes free) {
  const double size = plan.samples * plan.sample_bytes.value;
  if (!(size > 0)) return 0;
  return std::clamp(free.value / size, 0.0, 1.0);
}

double decode_rate(const plan::Scenario& scenario) {
  const plan::ResolvedPlan& plan = scenario.plan;
  if (prepared_already(plan)) return kUnlimited;
  double threads = 0, speed = 0;
  for (const hardware::DeviceId id : scenario.machine.all(hardware::DeviceType::kCpu)) {
    const hardware::CpuPart& cpu = scenario.machine.device(id).cpu();
    threads += cpu.threads;
    speed = thread_speed(cpu, scenario.profile);
  }
  const hardware::Profile& profile = scenario.profile;
  const std::string decode(plan::name(plan.decode)), loader(plan::name(plan.loader));
  // Libraries with their own thread pools use every core; framework loaders what the user gave them.
  const bool own_threads = plan.loader != plan::Loader::kFramework;
  const double kept =
      plan.gpus / std::max(1, plan.nodes) * profile.value("loader", loader, "threads_kept_per_gpu");
  const double workers =
      own_threads ? std::max(1.0, threads - kept) : std::min<double>(plan.workers, threads);
  if (workers <= 0) return kUnlimited;
  const bool volume = plan.decode == plan::Decode::kVolume;  // whatever its size: crops, slices, whole scans
  const double decoded = volume
                             ? profile.value("decode", decode, "bytes_per_s") / prepared_bytes(scenario).value
                             : profile.value("decode", decode, "samples_per_s");
  // TensorFlow's detection pipelines match boxes with anchors before the GPU; others leave it to the network.
  const double matching =
      plan.loader == plan::Loader::kTfData ? profile.value("decode", decode, "matching_s") : 0;
  const double one = 1 / (1 / (decoded * profile.value("loader", loader, "speed")) + matching);
  const double decode_rate =
      one * exact_pow(workers, profile.value("loader", loader, "core_exponent")) * speed;
  return std::min(decode_rate, profile.value("loader", loader, "node_Bps") / prepared_bytes(scenario).value);
}

double rank_feed_rate(const plan::Scenario& scenario) {
  if (prepared_already(scenario.plan)) return kUnlimited;
  const std::string loader(plan::name(scenario.plan.loader));
  const double bytes = scenario.profile.value("loader", loader, "rank_Bps");
  return bytes / std::max(1.0, prepared_bytes(scenario).value);
}

Bytes prepared_bytes(const plan::Scenario& scenario) {
  const double decoded = scenario.network.dataset.decoded_bytes;
  if (decoded <= 0) return {scenario.plan.sample_bytes.value};
  const bool cast = scenario.plan.loader == plan::Loader::kTfData && plan::is_mixed(scenario.plan.precision);
  return {cast ? decoded / 2 : decoded};
}

Bytes decode_traffic(const plan::Scenario& scenario) {
  if (prepared_already(scenario.plan)) return {};
  return scenario.plan.sample_bytes + prepared_bytes(scenario) * 3;
}

}  // namespace rigcast::cost
