/// Preparing samples: JPEG decoding by a library on one thread, by a loader's workers, or by a GPU's decoder;
/// streaming them as they are from object storage.
/// Time of an image = pixels and compressed bytes, each at its own cost, over the speed of the thread.
/// Workers of a framework's loader gain less than linearly, by the law of training forecasts, and only up to
/// a third of a virtual machine's threads: the rest are siblings on the same cores.

#include <algorithm>

#include "base/math.h"
#include "base/text.h"
#include "cost/gpu_model.h"
#include "cost/input.h"
#include "hardware/compose.h"
#include "study/micro_transfer.h"

namespace rigcast::study {
namespace {

/// "551x676", "300x300", "1080p"; the mean photograph of a common data set otherwise.
double pixels(const TransferRow& row) {
  for (const char* key : {"mean_image", "res", "resolution"}) {
    const std::string text = row.row.text(key);
    if (text.empty()) continue;
    const std::size_t x = text.find('x');
    const double first = std::strtod(text.c_str(), nullptr);
    if (x != std::string::npos) return first * std::strtod(text.c_str() + x + 1, nullptr);
    if (text.back() == 'p') return first * first * 16 / 9;
  }
  return row.profile.value("decode", "default", "image_pixels");
}

double compressed(const TransferRow& row, double of_pixels) {
  if (const auto size = row.row.number("size_KB")) return *size * 1000;
  return of_pixels * row.profile.value("decode", "default", "bytes_per_pixel");
}

double thread_speed(const TransferRow& row) {
  const std::string cpu = row.row.text("cpu", row.row.text("cpu_stated"));
  for (const char* arm : {"neoverse n1", "neoverse v2"})
    if (lower_case(cpu).find(arm) != std::string::npos) return row.profile.value("cpu", arm, "thread_speed");
  if (!cpu.empty())
    if (const auto choice = hardware::find_cpu(row.library.catalogue, cpu))
      return cost::thread_speed(choice->part, row.profile);
  return row.profile.value("decode", "default", "unnamed_host_speed");
}

/// "pytorch DataLoader + opencv" -> opencv; "torchvision decode_jpeg" -> torchvision.
std::string library_of(const TransferRow& row) {
  std::string text = lower_case(row.row.text("library"));
  if (const std::size_t plus = text.find(" + "); plus != std::string::npos) text = text.substr(plus + 3);
  return text.substr(0, text.find(' '));
}

MicroForecast on_gpu(const TransferRow& row) {
  // A batch may still be decoded call by call.
  const bool batched = row.row.number("batch").value_or(1) > 1 && !row.labelled("unfused");
  const double seconds = row.profile.value("decode", "gpu", batched ? "batched_s" : "call_s");
  MicroForecast forecast;
  forecast.bottleneck = "host.decode";
  forecast.value = row.row.is_time() ? seconds : 1 / seconds;
  return forecast;
}

double workers_of(const TransferRow& row, bool loader) {
  double workers = row.row.number("num_workers").value_or(row.row.number("threads").value_or(loader ? 8 : 1));
  for (int labelled = 0; labelled <= 64; ++labelled)
    if (row.labelled("w" + std::to_string(labelled))) workers = labelled;
  if (const auto threads = row.row.number("vcpus")) workers = std::min(workers, *threads / 3);
  return std::max(1.0, workers);
}

/// Encoded samples streamed from object storage: every worker keeps one batch of requests under way, so their
/// number counts, not the cores'.
MicroForecast streamed(const TransferRow& row) {
  const double rate = row.profile.value("decode", "object-store", "samples_per_s") * workers_of(row, true);
  MicroForecast forecast;
  forecast.bottleneck = "storage";
  forecast.value = row.row.is_time() ? 1 / rate : rate;
  return forecast;
}

}  // namespace

MicroForecast decode_row(const TransferRow& row) {
  const std::string gpu = row.row.text("gpu");
  if (!gpu.empty() && gpu != "none") return on_gpu(row);
  if (row.says("where", "over s3")) return streamed(row);
  const double of_pixels = pixels(row);
  const double one = row.profile.value("decode", "default", "pixel_s") * of_pixels +
                     row.profile.value("decode", "default", "byte_s") * compressed(row, of_pixels);
  const std::string library = library_of(row);
  const bool loader = row.says("library", "loader") || library == "tf.data" || library == "litdata" ||
                      library == "tensorpack.dataflow";
  const std::string cores = row.says("cpu_stated", "neoverse") ? "neoverse" : "default";
  const double rate = thread_speed(row) * row.profile.value("decode", library, "library_speed") / one *
                      exact_pow(workers_of(row, loader), row.profile.value("decode", cores, "core_exponent"));
  MicroForecast forecast;
  forecast.bottleneck = "host.decode";
  forecast.value = row.row.is_time() ? 1 / rate : rate;
  return forecast;
}

}  // namespace rigcast::study
