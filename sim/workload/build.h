#pragma once

/// From what a workload file says to a Network: a layer list, a family with dimensions, or totals.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "workload/network.h"

namespace rigcast::workload {

/// One entry of a layer list, in field terms. Attributes keep their JSON kind: numbers, lists of numbers,
/// texts, booleans (0/1).
struct LayerSpec {
  std::string type;                 ///< "conv2d", "linear", "batch-norm", ...
  std::string name;                 ///< "": type and position
  std::vector<std::string> inputs;  ///< names; empty: the layer before
  std::map<std::string, std::vector<double>, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;
  int repeat = 1;                 ///< a block of `layers` in a row, or one layer several times
  std::vector<LayerSpec> layers;  ///< a block
  std::vector<std::vector<LayerSpec>>
      branches;  ///< all from the same input; joined by the layer that follows
  Origin origin;
};

struct WorkloadSpec {
  std::string name, title, source;
  std::optional<std::string> family;
  std::map<std::string, std::vector<double>, std::less<>>
      dimensions;  ///< model_params of the family; numbers, booleans 0/1
  std::map<std::string, std::string, std::less<>> options;  ///< texts among them: norm, position, cell
  std::vector<std::int64_t> input;                          ///< layer lists: shape of a sample
  std::vector<LayerSpec> layers;
  std::optional<double> forward_macs, forward_activations, parameters;
  std::optional<std::string> optimizer;
  std::optional<std::int64_t> seq_len;  ///< default sequence
  Dataset dataset;
  Origin origin;
};

/// Values of the plan that shape the network; they override the workload's own.
struct Shaping {
  std::optional<std::int64_t> seq_len;
};

/// Everything wrong is reported (unknown type or family, missing dimension, shape mismatch naming both
/// layers, a cycle with its members); no network then.
std::optional<Network> build(const WorkloadSpec& spec, const Shaping& shaping, Diagnostics& diagnostics);

/// Names for "did you mean" and schemas.
std::vector<std::string> family_names();
std::vector<std::string> layer_types();
/// Dimensions a family reads, with the ones it cannot do without first.
struct DimensionInfo {
  std::string name;
  bool required = false;
  std::string meaning;
};
std::vector<DimensionInfo> family_dimensions(std::string_view family);

}  // namespace rigcast::workload
