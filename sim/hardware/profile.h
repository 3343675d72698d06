#pragma once

/// The constants that data sheets do not give: what fraction of a peak is reached, how long a launch takes.
/// Each belongs to a part, an architecture, a memory or link kind, or a framework's way of executing, and
/// says where it comes from.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rigcast::hardware {

struct Constant {
  double value = 0;
  std::string unit;          ///< "" for fractions
  std::string source;        ///< a publication, or "fitted on ROWS, date"
  double uncertainty = 0;    ///< one standard deviation, same unit; 0 when not known
  double low = 0, high = 0;  ///< physical bounds between which a fit may move it; both 0: a fact, not fitted

  bool fitted() const { return high > low; }
};

/// Keys are "group.member.name": "architecture.volta.matrix_fp16", "memory.hbm2.achieved",
/// "framework.pytorch.eager.operator". A member "default" serves those that have none of their own.
class Profile {
 public:
  std::string date;

  void set(std::string key, Constant constant);
  /// The member's own constant, else the group's default; nothing when neither is there. O(log n).
  const Constant* find(std::string_view group, std::string_view member, std::string_view name) const;
  /// As `find`, for a constant the shipped catalogue is known to have; its absence is a bug.
  double value(std::string_view group, std::string_view member, std::string_view name) const;
  const std::map<std::string, Constant, std::less<>>& all() const { return constants_; }

  /// From now on every key that is looked up and found is added to `used`; null: no longer. `used` must
  /// outlive the recording, and a profile that records serves one thread.
  void record(std::set<std::string>* used) { used_ = used; }

 private:
  std::map<std::string, Constant, std::less<>> constants_;
  std::set<std::string>* used_ = nullptr;
};

}  // namespace rigcast::hardware
