#pragma once

/// How far to trust a forecast: the spread of comparable measurements around theirs.

#include <string>
#include <vector>

#include "hardware/residuals.h"
#include "plan/scenario.h"

namespace rigcast::study {

inline constexpr double kIntervalCoverage = 0.8;

/// An interval of iteration time as factors on the forecast, and what it rests on.
struct Spread {
  double low = 1, high = 1;
  std::string basis;  ///< "87 measurements: resnet on ampere-ga100, one GPU"
};

/// What makes measurements comparable.
struct Comparable {
  std::string family;        ///< of networks, or the kind of a single operation
  std::string architecture;  ///< of GPUs
  int gpus = 1, nodes = 1;

  /// "one", "node" or "nodes".
  std::string scale() const;
};
Comparable comparable_by(const plan::Scenario& scenario);

/// The most specific group of comparable measurements that is large enough; wider where there are few.
Spread interval(const std::vector<hardware::ResidualGroup>& groups, const Comparable& what);

/// A forecast row's measured over forecast time, with what it is comparable by.
struct Residual {
  Comparable what;
  double ratio = 1;
};

/// Groups of every combination of family, architecture and scale that has enough members.
std::vector<hardware::ResidualGroup> group_residuals(const std::vector<Residual>& residuals);

}  // namespace rigcast::study
