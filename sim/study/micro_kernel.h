#pragma once

/// The kinds of kernel rows; each file holds a few. What they share: the part, the cost model of a bare
/// library call, and how kernels become a forecast.

#include <string>
#include <vector>

#include "config/load.h"
#include "cost/gpu_model.h"
#include "cost/kernel.h"
#include "study/micro.h"

namespace rigcast::study {

struct KernelRow {
  const Row& row;
  const hardware::Catalogue& catalogue;
  const hardware::Profile& profile;

  const hardware::GpuPart* gpu() const;
  /// A number of the row; 1 where it is absent.
  double count(std::string_view key) const { return row.number(key).value_or(1); }
  /// The words stand somewhere in the text member, letter case aside.
  bool says(std::string_view key, std::string_view words) const;
  double constant(std::string_view group, std::string_view member, std::string_view name) const {
    return profile.value(group, member, name);
  }
};

MicroForecast unresolved(std::string reason);

/// The cost model of a library call on a part: its kernels, no framework around them.
cost::GpuModel library_model(const KernelRow& row, const hardware::GpuPart& gpu, plan::Precision precision);

/// Precision of a row; fp32 where it states none.
std::optional<plan::Precision> precision_of(const Row& row);

/// Bytes of an element in that precision.
double bytes_per_element(const KernelRow& row);

/// Host time of one eager call that the measurement includes: rows of frameworks timed call by call.
struct CallOverhead {
  Seconds issue;        ///< a kernel cannot take less when calls follow each other
  Seconds synchronise;  ///< added when each call is waited for
};
CallOverhead call_overhead(const KernelRow& row);

/// Kernels one after another. `flops` is the row's own count, for rows measured as a rate.
MicroForecast forecast_of(const KernelRow& row, const std::vector<cost::Kernel>& kernels, Flops flops);

MicroForecast product_row(const KernelRow& row);      ///< gemm, grouped_gemm
MicroForecast convolution_row(const KernelRow& row);  ///< conv
MicroForecast recurrent_row(const KernelRow& row);    ///< rnn
MicroForecast attention_row(const KernelRow& row);    ///< attention
MicroForecast memory_row(const KernelRow& row);       ///< membw
MicroForecast launch_row(const KernelRow& row);       ///< launch

}  // namespace rigcast::study
