#pragma once

/// Max-min fair sharing by the textbook, on dense matrices, from nothing at every call: slow, short and easy
/// to believe. All levels rise together; the lowest limit met, a constraint that fills or a bound, stops
/// those it holds; repeat.

#include <Eigen/Dense>
#include <limits>
#include <vector>

namespace rigcast::sharing {

struct Reference {
  Eigen::MatrixXd use;          ///< constraints x activities: units per unit of level
  Eigen::VectorXd capacity;     ///< by constraint
  Eigen::VectorXd bound_level;  ///< by activity

  /// The level of each activity.
  Eigen::VectorXd solve() const {
    const Eigen::Index activities = use.cols();
    Eigen::VectorXd level = Eigen::VectorXd::Zero(activities);
    Eigen::VectorXd open = Eigen::VectorXd::Ones(activities);
    while (open.sum() > 0) {
      const Eigen::VectorXd left = capacity - use * level;
      const Eigen::VectorXd rising = use * open;
      double lowest = std::numeric_limits<double>::infinity();
      Eigen::Index full = -1, bounded = -1;
      for (Eigen::Index c = 0; c < use.rows(); ++c)
        if (rising[c] > 0 && left[c] / rising[c] < lowest) lowest = left[c] / rising[c], full = c;
      for (Eigen::Index a = 0; a < activities; ++a)
        if (open[a] > 0 && bound_level[a] <= lowest) lowest = bound_level[a], bounded = a;
      for (Eigen::Index a = 0; a < activities; ++a) {
        const bool stops = bounded >= 0 ? a == bounded : full < 0 || use(full, a) > 0;
        if (open[a] > 0 && stops) level[a] = lowest, open[a] = 0;
      }
    }
    return level;
  }
};

}  // namespace rigcast::sharing
