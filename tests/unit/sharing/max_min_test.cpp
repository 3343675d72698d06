/// Systems small enough to solve by hand: given, expected and why.

#include "sharing/max_min.h"

#include <doctest/doctest.h>

#include <limits>

using namespace rigcast::sharing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ConstraintId kOwnBound = ConstraintId::none();

ActivityId add(MaxMin& solver, std::initializer_list<Use> uses, double bound = kInfinity, double share = 1) {
  return solver.add(std::span(uses.begin(), uses.size()), bound, share);
}

}  // namespace

TEST_CASE("one constraint, two activities: each gets half") {
  // x + y <= 10, max-min: x = y = 5.
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(10);
  const ActivityId x = add(solver, {{c, 1}}), y = add(solver, {{c, 1}});
  solver.solve();
  CHECK(solver.rate(x) == 5);
  CHECK(solver.rate(y) == 5);
  CHECK(solver.limiter(x) == c);
}

TEST_CASE("a bound below the fair share leaves the rest to the others") {
  // x + y <= 10, x <= 2: x = 2 by its bound, y = 10 - 2 = 8.
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(10);
  const ActivityId x = add(solver, {{c, 1}}, 2), y = add(solver, {{c, 1}});
  solver.solve();
  CHECK(solver.rate(x) == 2);
  CHECK(solver.limiter(x) == kOwnBound);
  CHECK(solver.rate(y) == 8);
  CHECK(solver.limiter(y) == c);
}

TEST_CASE(
    "weights: who uses more of the constraint per unit of rate does not get more of the constraint's units") {
  // 1 x + 4 y <= 10 with equal rates: 5 r = 10, x = y = 2.
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(10);
  const ActivityId x = add(solver, {{c, 1}}), y = add(solver, {{c, 4}});
  solver.solve();
  CHECK(solver.rate(x) == 2);
  CHECK(solver.rate(y) == 2);
}

TEST_CASE("shares: rates are proportional to them where one constraint holds both") {
  // x + y <= 12, x / 1 = y / 3: x = 3, y = 9.
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(12);
  const ActivityId x = add(solver, {{c, 1}}, kInfinity, 1), y = add(solver, {{c, 1}}, kInfinity, 3);
  solver.solve();
  CHECK(solver.rate(x) == 3);
  CHECK(solver.rate(y) == 9);
}

TEST_CASE("share 1 / weight gives a kernel and a copy equal bytes a second of one memory") {
  // A kernel counts seconds and moves 4 bytes each second of work; a copy counts bytes. Memory: 10 bytes a
  // second. 4 k + c <= 10, k / (1/4) = c / 1: 4 k = c = 5, k = 5/4.
  MaxMin solver;
  const ConstraintId memory = solver.add_constraint(10);
  const ActivityId kernel = add(solver, {{memory, 4}}, kInfinity, 0.25), copy = add(solver, {{memory, 1}});
  solver.solve();
  CHECK(solver.rate(kernel) == 1.25);
  CHECK(solver.rate(copy) == 5);
}

TEST_CASE("the line: one long flow against a short one on each link") {
  // a: x + y <= 1; b: x + z <= 3. Filling: a is full at 1/2 and stops x and y; z = 3 - 1/2.
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(1), b = solver.add_constraint(3);
  const ActivityId x = add(solver, {{a, 1}, {b, 1}}), y = add(solver, {{a, 1}}), z = add(solver, {{b, 1}});
  solver.solve();
  CHECK(solver.rate(x) == 0.5);
  CHECK(solver.rate(y) == 0.5);
  CHECK(solver.rate(z) == 2.5);
  CHECK(solver.limiter(x) == a);
  CHECK(solver.limiter(z) == b);
}

TEST_CASE("three levels in a chain, each link loaded by what the one before left") {
  // a (3): x1 x2 x3 -> 1 each. b (5): x1 y1 y2 -> (5 - 1) / 2 = 2. c (9): y1 z -> 9 - 2 = 7.
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(3), b = solver.add_constraint(5), c = solver.add_constraint(9);
  const ActivityId x1 = add(solver, {{a, 1}, {b, 1}});
  add(solver, {{a, 1}});
  add(solver, {{a, 1}});
  const ActivityId y1 = add(solver, {{b, 1}, {c, 1}}), y2 = add(solver, {{b, 1}}), z = add(solver, {{c, 1}});
  solver.solve();
  CHECK(solver.rate(x1) == 1);
  CHECK(solver.rate(y1) == 2);
  CHECK(solver.rate(y2) == 2);
  CHECK(solver.rate(z) == 7);
}

TEST_CASE("removing an activity lifts its neighbours, and lowers theirs") {
  // a (2): x b1; b (10): x y. With b1: x = 1, y = 9. Without: a lets x have 2, so y = 8.
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(2), b = solver.add_constraint(10);
  const ActivityId x = add(solver, {{a, 1}, {b, 1}}), other = add(solver, {{a, 1}}),
                   y = add(solver, {{b, 1}});
  solver.solve();
  CHECK(solver.rate(x) == 1);
  CHECK(solver.rate(y) == 9);
  solver.remove(other);
  solver.solve();
  CHECK(solver.rate(x) == 2);
  CHECK(solver.rate(y) == 8);
}

TEST_CASE("a capacity may be changed under way") {
  // x + y <= 10 -> 4: 5 each, then 2 each; then unlimited: each its bound, 7.
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(10);
  const ActivityId x = add(solver, {{c, 1}}, 7), y = add(solver, {{c, 1}}, 7);
  solver.solve();
  CHECK(solver.rate(x) == 5);
  solver.set_capacity(c, 4);
  solver.solve();
  CHECK(solver.rate(x) == 2);
  solver.set_capacity(c, kInfinity);
  solver.solve();
  CHECK(solver.rate(x) == 7);
  CHECK(solver.rate(y) == 7);
  CHECK(solver.limiter(y) == kOwnBound);
}

TEST_CASE("an unlimited constraint holds nobody back; without any limit the rate is infinite") {
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(kInfinity);
  const ActivityId x = add(solver, {{c, 1}}), y = add(solver, {{c, 1}}, 3);
  solver.solve();
  CHECK(solver.rate(x) == kInfinity);
  CHECK(solver.rate(y) == 3);
}

TEST_CASE("ties: the own bound is named before a constraint, the lower id before the higher") {
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(4), b = solver.add_constraint(4), c = solver.add_constraint(2);
  const ActivityId both = add(solver, {{b, 1}, {a, 1}}), bounded = add(solver, {{c, 1}}, 2);
  solver.solve();
  CHECK(solver.limiter(both) == a);
  CHECK(solver.limiter(bounded) == kOwnBound);
}

TEST_CASE("solve() names the activities whose rate or limiter changed, ascending, and no others") {
  // a: x y; b: z alone. Adding w to a changes x, y and w, not z.
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(6), b = solver.add_constraint(6);
  const ActivityId x = add(solver, {{a, 1}}), y = add(solver, {{a, 1}}), z = add(solver, {{b, 1}});
  const auto first = solver.solve();
  CHECK(std::vector(first.begin(), first.end()) == std::vector{x, y, z});
  CHECK(solver.solve().empty());
  const ActivityId w = add(solver, {{a, 1}});
  const auto second = solver.solve();
  CHECK(std::vector(second.begin(), second.end()) == std::vector{x, y, w});
}

TEST_CASE("the id of a removed activity is used again, and its old uses are forgotten") {
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(6), b = solver.add_constraint(8);
  const ActivityId x = add(solver, {{a, 1}});
  const ActivityId y = add(solver, {{a, 1}});
  solver.solve();
  solver.remove(x);
  const ActivityId z = add(solver, {{b, 1}});
  solver.solve();
  CHECK(z == x);
  CHECK(solver.rate(z) == 8);
  CHECK(solver.rate(y) == 6);
}
