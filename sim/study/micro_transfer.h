#pragma once

/// The kinds of transfer rows; each file holds a few. What they share: the machine of a row, composed as a
/// user would write it down.

#include <optional>
#include <string>
#include <utility>

#include "config/load.h"
#include "hardware/machine.h"
#include "plan/scenario.h"
#include "study/micro.h"

namespace rigcast::lower {
struct State;
}

namespace rigcast::study {

struct TransferRow {
  const Row& row;
  const config::Library& library;
  const hardware::Profile& profile;

  /// The words stand somewhere in the text member, letter case aside.
  bool says(std::string_view key, std::string_view words) const;
  /// One of the dashed words of the row's name, which is the publisher's label of the run.
  bool labelled(std::string_view word) const;
  int ranks() const;
  int nodes() const;
};

MicroForecast no_forecast(std::string reason);

/// The machine a row ran on; what is wrong with it in `reason`.
std::optional<hardware::Machine> machine_of(const TransferRow& row, std::string& reason);

/// Ranks of a job that only communicates on that machine.
plan::Scenario communicating(hardware::Machine machine, int ranks, int nodes,
                             const hardware::Profile& profile);

MicroForecast collective_row(const TransferRow& row);  ///< collective, and send/receive between two
MicroForecast peer_row(const TransferRow& row);        ///< p2p
/// p2p behind switches of two GPUs; `state` has its ranks placed.
MicroForecast switch_tree_row(const TransferRow& row, const lower::State& state);
MicroForecast host_copy_row(const TransferRow& row);  ///< h2d
MicroForecast storage_row(const TransferRow& row);    ///< storage
MicroForecast decode_row(const TransferRow& row);     ///< dataload

}  // namespace rigcast::study
