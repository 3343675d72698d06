/// Thousands of random changes, every step held against the dense reference, a second MaxMin built from
/// nothing, and the conditions that define max-min fairness.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "sharing/max_min.h"
#include "sharing/reference.h"

using namespace rigcast::sharing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Asked {
  std::vector<Use> uses;
  double bound;
  double share;
};

/// Draws capacities, weights, shares and bounds. A coarse world draws from a few round numbers, so that ties
/// abound.
struct World {
  std::mt19937_64 random;
  bool coarse;
  int constraints;

  int below(int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }
  double amount() {
    static constexpr double kRound[] = {0.5, 1, 1, 1, 2, 3};
    return coarse ? kRound[below(6)] : 0.05 + static_cast<double>(random() % 100000) / 10007.0;
  }
  double capacity() { return below(12) == 0 ? kInfinity : 4 * amount(); }
  Asked activity() {
    Asked asked{{}, below(3) == 0 ? amount() : kInfinity, coarse && below(2) == 0 ? 1 : amount()};
    const int uses = 1 + below(4);
    for (int i = 0; i < uses; ++i) {
      const ConstraintId id{static_cast<std::uint32_t>(below(constraints))};
      const auto same = [&](const Use& use) { return use.constraint == id; };
      if (std::none_of(asked.uses.begin(), asked.uses.end(), same)) asked.uses.push_back({id, amount()});
    }
    return asked;
  }
};

struct Checker {
  World world;
  MaxMin solver;
  std::vector<double> capacity;
  std::map<std::uint32_t, Asked> alive;                            // by id
  std::map<std::uint32_t, std::pair<double, ConstraintId>> known;  // rate and limiter after the last solve

  explicit Checker(World w) : world(std::move(w)) {
    for (int c = 0; c < world.constraints; ++c) {
      capacity.push_back(world.capacity());
      solver.add_constraint(capacity.back());
    }
  }

  void change(std::size_t crowd) {
    const int what = world.below(8);
    if (what == 0) {
      const auto c = static_cast<std::uint32_t>(world.below(world.constraints));
      capacity[c] = world.capacity();
      solver.set_capacity({c}, capacity[c]);
    } else if (alive.empty() || (alive.size() < crowd && what < 5)) {
      Asked asked = world.activity();
      alive[solver.add(asked.uses, asked.bound, asked.share).index] = std::move(asked);
    } else {
      auto it = alive.begin();
      std::advance(it, world.below(static_cast<int>(alive.size())));
      solver.remove({it->first});
      known.erase(it->first);
      alive.erase(it);
    }
  }

  void check() {
    check_changed();
    check_reference();
    check_from_nothing();
    check_conditions();
  }

  /// solve() names exactly the activities whose rate or limiter is new.
  void check_changed() {
    std::vector<std::uint32_t> expected, got;
    for (const ActivityId id : solver.solve()) got.push_back(id.index);
    for (const auto& [id, asked] : alive) {
      const std::pair now{solver.rate({id}), solver.limiter({id})};
      const auto it = known.find(id);
      if (it == known.end() || it->second != now) expected.push_back(id);
      known[id] = now;
    }
    // An id given to a new activity between two solves is new, whatever it was before.
    CHECK(std::includes(got.begin(), got.end(), expected.begin(), expected.end()));
    for (const std::uint32_t id : got) CHECK(alive.count(id) == 1);
  }

  void check_reference() {
    const auto n = static_cast<Eigen::Index>(alive.size());
    Reference reference{Eigen::MatrixXd::Zero(world.constraints, n),
                        Eigen::Map<Eigen::VectorXd>(capacity.data(), world.constraints), Eigen::VectorXd(n)};
    Eigen::Index column = 0;
    for (const auto& [id, asked] : alive) {
      for (const Use& use : asked.uses)
        reference.use(use.constraint.index, column) = use.weight * asked.share;
      reference.bound_level[column++] = asked.bound / asked.share;
    }
    // Infinite capacities would make infinity x 0 in the dense products.
    reference.capacity = reference.capacity.cwiseMin(1e300);
    const Eigen::VectorXd level = reference.solve();
    column = 0;
    for (const auto& [id, asked] : alive) {
      const double expected = level[column++] * asked.share;
      if (expected < 1e250)
        CHECK(std::fabs(solver.rate({id}) - expected) <= 1e-12 * expected);
      else
        CHECK(solver.rate({id}) == kInfinity);
    }
  }

  /// Activities added in order of id to an empty MaxMin get the very same rates and limiters, bit for bit. In
  /// a coarse world constraints that fill at one level can differ in the last place, and which of them is
  /// seen as first may then depend on history: there rates may differ by a few units in the last place.
  void check_from_nothing() {
    MaxMin fresh;
    for (const double c : capacity) fresh.add_constraint(c);
    std::vector<std::pair<std::uint32_t, ActivityId>> ids;
    for (const auto& [id, asked] : alive)
      ids.emplace_back(id, fresh.add(asked.uses, asked.bound, asked.share));
    fresh.solve();
    for (const auto& [id, other] : ids) {
      if (world.coarse && solver.rate({id}) != kInfinity) {
        CHECK(std::fabs(solver.rate({id}) - fresh.rate(other)) <= 4e-15 * fresh.rate(other));
      } else {
        CHECK(solver.rate({id}) == fresh.rate(other));
        CHECK(solver.limiter({id}) == fresh.limiter(other));
      }
    }
  }

  /// No constraint is exceeded; every activity has a limiter, full, on which no level is above its own, or
  /// its bound.
  void check_conditions() {
    std::vector<double> used(capacity.size()), highest(capacity.size());
    for (const auto& [id, asked] : alive)
      for (const Use& use : asked.uses) {
        used[use.constraint.index] += use.weight * solver.rate({id});
        double& level = highest[use.constraint.index];
        level = std::max(level, solver.rate({id}) / asked.share);
      }
    for (std::size_t c = 0; c < capacity.size(); ++c) CHECK(used[c] <= capacity[c] * (1 + 1e-12));
    for (const auto& [id, asked] : alive) {
      const ConstraintId limiter = solver.limiter({id});
      if (!limiter.valid()) {
        CHECK(solver.rate({id}) == asked.bound);
        continue;
      }
      CHECK(solver.rate({id}) <= asked.bound);
      CHECK(used[limiter.index] >= capacity[limiter.index] * (1 - 1e-12));
      CHECK(solver.rate({id}) / asked.share >= highest[limiter.index] * (1 - 1e-12));
    }
  }
};

}  // namespace

TEST_CASE(
    "after every random change rates equal the dense reference, a solve from nothing, and the max-min "
    "conditions") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Checker checker({std::mt19937_64(seed), seed % 2 == 0, 2 + static_cast<int>(seed % 9)});
    for (int step = 0; step < 80; ++step) {
      CAPTURE(step);
      for (int changes = 1 + checker.world.below(3); changes > 0; --changes) checker.change(4 + seed % 24);
      checker.check();
    }
  }
}
