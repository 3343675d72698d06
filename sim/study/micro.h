#pragma once

/// Forecasts of single operations: what micro rows measure.

#include <string>

#include "config/load.h"
#include "hardware/profile.h"
#include "study/row.h"

namespace rigcast::study {

/// In the row's own metric; or why there is none.
struct MicroForecast {
  double value = 0;
  std::string bottleneck;  ///< one of the interface's kinds
  std::string reason;      ///< not empty: unresolved
};

/// gemm, grouped_gemm, conv, rnn, attention, membw, launch: kernels and streams on one GPU or CPU.
MicroForecast forecast_kernel_row(const Row& row, const config::Library& library,
                                  const hardware::Profile& profile);

/// collective, p2p, h2d, storage, dataload: bytes between devices.
MicroForecast forecast_transfer_row(const Row& row, const config::Library& library,
                                    const hardware::Profile& profile);

}  // namespace rigcast::study
