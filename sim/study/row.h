#pragma once

/// One published measurement as it stands in a file of rows (JSON Lines, fields of the interface).

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "config/json.h"
#include "config/load.h"

namespace rigcast::study {

class Row {
 public:
  explicit Row(config::Value value);

  const std::string& id() const { return id_; }
  /// "training", "inference", "gemm", "collective", ...
  const std::string& kind() const { return kind_; }
  /// "samples_per_s", "iteration_s", "seconds", "busbw_Bps", ...
  const std::string& metric() const { return metric_; }
  double measured() const { return measured_; }
  /// True where a larger value is a slower machine: seconds.
  bool is_time() const;
  /// Neither training nor inference: one operation, scored directly.
  bool is_micro() const { return kind_ != "training" && kind_ != "inference"; }

  const config::Value& value() const { return value_; }
  /// The member of that name; null where it is absent or null.
  const config::Value* find(std::string_view key) const;
  /// A text member; `fallback` where it is absent or no text.
  std::string text(std::string_view key, std::string_view fallback = {}) const;
  std::optional<double> number(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;

 private:
  config::Value value_;
  std::string id_, kind_, metric_;
  double measured_ = 0;
};

/// All rows of files of JSON Lines, or of CSV with columns m,n,k,seconds: bf16 products on the GPU that the
/// file's name says, or `gpu` where it is not empty. Lines that are no row are errors.
std::vector<Row> read_rows(const std::vector<config::Source>& files, const std::string& gpu,
                           Diagnostics& diagnostics);

/// The text up to the next line end; `rest` moves behind it.
std::string_view take_line(std::string_view& rest);

}  // namespace rigcast::study
