#pragma once

/// How far measurements lay from forecasts: the base of every interval.

#include <string>
#include <vector>

namespace rigcast::hardware {

/// Quantiles of measured over forecast time of comparable measurements, from fits in which those
/// measurements took no part. An empty field stands for every value.
struct ResidualGroup {
  std::string family;        ///< of networks: "resnet"; or the kind of a single operation: "gemm"
  std::string architecture;  ///< of GPUs: "volta"
  std::string scale;         ///< "one" GPU, "node": several of one machine, "nodes": several machines
  int n = 0;                 ///< measurements
  double low = 1, high = 1;  ///< an 80 % interval: the 10 % and 90 % quantiles
};

}  // namespace rigcast::hardware
