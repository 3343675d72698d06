/// Streams and pointer chases. A stream on a GPU reaches the memory kind's achieved rate when enough bytes
/// are in flight (Little's law): occupancy x multiprocessors x threads x bytes a thread has outstanding, over
/// the latency of memory, and the two bounds blend. A CPU's stream is bounded by its cores (outstanding lines
/// over latency) and by its channels; stores that allocate in cache read the line first, which benchmarks do
/// not count. A chase pays one latency a step: that of the level its buffer fits into.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/math.h"
#include "base/text.h"
#include "cost/stream.h"
#include "hardware/compose.h"
#include "study/micro_kernel.h"

namespace rigcast::study {
namespace {

/// Resident threads of a multiprocessor (CUDA C++ Programming Guide, technical specifications; CDNA: 32 waves
/// of 64).
double threads_of(const hardware::GpuPart& gpu) {
  const std::string architecture = lower_case(gpu.architecture);
  if (architecture == "turing") return 1024;
  if (architecture == "ampere-ga10x" || architecture == "ada" || architecture == "blackwell-gb20x")
    return 1536;
  return 2048;
}

/// Rate of a stream at an occupancy: bounds a and b blend as (a^-p + b^-p)^(-1/p), scaled so that full
/// occupancy reaches the achieved rate.
double occupied_rate(const KernelRow& row, const hardware::GpuPart& gpu, double achieved, double occupancy) {
  constexpr double kOutstanding = 16;  // bytes: the two 8-byte loads of a triad
  constexpr double kBlend = 1.6;
  const double latency = row.constant("memory", lower_case(gpu.memory_kind), "latency_s");
  const auto fraction = [&](double at) {
    const double flight = at * gpu.multiprocessors * threads_of(gpu) * kOutstanding / latency;
    return exact_pow(1 + exact_pow(achieved / flight, kBlend), -1 / kBlend);
  };
  return achieved * fraction(std::max(1e-3, occupancy)) / fraction(1);
}

MicroForecast chase(const KernelRow& row, const hardware::GpuPart& gpu) {
  const double bytes = row.count("buffer_bytes");
  const std::string architecture = lower_case(gpu.architecture);
  MicroForecast forecast;
  forecast.bottleneck = "gpu.latency";
  if (bytes <= gpu.shared_memory.value)
    forecast.value = row.constant("architecture", architecture, "l1_cycles") / gpu.boost_clock.value;
  else if (bytes <= gpu.l2.value)
    forecast.value = row.constant("architecture", architecture, "l2_latency_s");
  else
    forecast.value = row.constant("memory", lower_case(gpu.memory_kind), "latency_s");
  return forecast;
}

MicroForecast gpu_stream(const KernelRow& row, const hardware::GpuPart& gpu) {
  if (row.says("op", "chase")) return chase(row, gpu);
  const cost::GpuModel model = library_model(row, gpu, plan::Precision::kFp32);
  double rate = model.memory_rate.value;
  if (const auto occupancy = row.row.number("occupancy")) rate = occupied_rate(row, gpu, rate, *occupancy);
  MicroForecast forecast;
  forecast.bottleneck = "gpu.memory";
  forecast.value = rate;
  // A stated size: one read and one write an element, and what a call costs beside them.
  if (const auto elements = row.row.number("elements")) {
    const double bytes = 2 * bytes_per_element(row) * *elements;
    const double moving = bytes / rate, call = call_overhead(row).issue.value;
    if (call > moving) forecast.bottleneck = "host.launch";
    forecast.value = bytes / std::max(moving + (call > 0 ? 0 : model.execution.kernel_latency.value), call);
  }
  return forecast;
}

/// "2x8 DDR4-2666": sockets, channels, kind and rate; "2x DDR5-4800": channels of one socket.
struct Channels {
  double sockets = 1, channels = 0, transfers = 0;
  std::string kind;
};

std::optional<Channels> parse_channels(const std::string& text) {
  Channels channels;
  const char* at = text.data();
  const char* const end = at + text.size();
  auto [next, error] = std::from_chars(at, end, channels.channels);
  if (error != std::errc() || next == end || *next != 'x') return std::nullopt;
  ++next;
  double second = 0;
  if (next != end && std::isdigit(static_cast<unsigned char>(*next)) != 0) {
    next = std::from_chars(next, end, second).ptr;
    channels.sockets = channels.channels;
    channels.channels = second;
  }
  const std::string rest = lower_case(std::string(next, end));
  const std::size_t begin = rest.find("ddr");
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t dash = rest.find('-', begin);
  channels.kind = rest.substr(begin, dash == std::string::npos ? dash : dash - begin);
  if (dash != std::string::npos)
    std::from_chars(rest.data() + dash + 1, rest.data() + rest.size(), channels.transfers);
  if (channels.transfers <= 0)  // the fastest of the first servers with that kind
    channels.transfers = channels.kind == "ddr3" ? 1600 : channels.kind == "ddr4" ? 2400 : 4800;
  return channels;
}

/// Bytes that move over bytes a benchmark counts: stores that allocate read their line first.
double allocation(const KernelRow& row) {
  const bool streams =
      (row.row.text("software").starts_with("STREAM") && !row.says("statistic", "slowest")) ||
      row.says("op", "memcpy");
  if (streams || row.says("op", "read") || row.says("op", "dot")) return 1;
  return row.says("op", "triad") || row.says("op", "add") ? 4.0 / 3 : 1.5;
}

MicroForecast cpu_stream(const KernelRow& row) {
  const std::string stated = row.row.text("cpu", row.row.text("cpu_stated"));
  const auto cpu = hardware::find_cpu(row.catalogue, stated);
  const auto channels = parse_channels(row.row.text("channels"));
  if (!cpu && !channels) return unresolved("neither the CPU nor its memory channels are known: " + stated);
  double peak = 0;
  std::string kind = "ddr4";
  double sockets = cpu ? cpu->sockets : 1;
  if (channels) {
    peak = channels->sockets * channels->channels * channels->transfers * 8e6;
    kind = channels->kind;
    sockets = channels->sockets;
  } else if (row.says("cpu_stated", "hbm")) {
    peak = sockets * 1638.4e9;  // four HBM2e stacks a socket (Intel Xeon CPU Max data sheet)
    kind = "hbm2e";
  } else {
    peak = sockets * cpu->part.memory_bandwidth.value;
    kind = lower_case(cpu->part.memory_kind);
  }
  const double memory = peak * row.constant("memory", kind, "achieved");
  const bool amd = row.says("cpu_stated", "epyc") || (cpu && lower_case(cpu->part.vendor) == "amd");
  const bool server = row.says("cpu_stated", "xeon") || (cpu && cpu->part.memory_channels > 2);
  const char* member = amd ? "amd" : server ? "intel-server" : "default";
  const double core = row.constant("cpu", member, "core_stream_Bps");
  double cores = row.row.number("cores").value_or(row.row.number("threads").value_or(0));
  MicroForecast forecast;
  forecast.bottleneck = "host.memory";
  forecast.value = memory;
  if (cores > 0 && cores * core < memory) {
    forecast.value = cores * core;
    forecast.bottleneck = "host.compute";
  }
  forecast.value /= allocation(row);
  return forecast;
}

}  // namespace

double bytes_per_element(const KernelRow& row) {
  const auto precision = precision_of(row.row);
  return precision ? plan::activation_bytes(*precision).value : 4;
}

MicroForecast memory_row(const KernelRow& row) {
  if (const hardware::GpuPart* gpu = row.gpu()) return gpu_stream(row, *gpu);
  const std::string id = row.row.text("gpu", "none");
  if (id != "none") return unresolved("no such gpu in the catalogue: " + id);
  return cpu_stream(row);
}

}  // namespace rigcast::study
