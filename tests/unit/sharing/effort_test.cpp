/// How little is solved again: counts of MaxMin::effort(), each derived from the system.

#include <doctest/doctest.h>

#include <limits>

#include "sharing/max_min.h"

using namespace rigcast::sharing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ActivityId add(MaxMin& solver, std::initializer_list<Use> uses, double bound = kInfinity) {
  return solver.add(std::span(uses.begin(), uses.size()), bound);
}

}  // namespace

TEST_CASE("an activity alone on its constraints costs no solve, neither coming nor going") {
  MaxMin solver;
  const ConstraintId a = solver.add_constraint(8), b = solver.add_constraint(6);
  for (int i = 0; i < 100; ++i) {
    const ActivityId x = add(solver, {{a, 2}, {b, 1}});
    REQUIRE(solver.solve().size() == 1);
    CHECK(solver.rate(x) == 4);  // min(8 / 2, 6 / 1)
    CHECK(solver.limiter(x) == a);
    solver.remove(x);
    CHECK(solver.solve().empty());
  }
  CHECK(solver.effort().solves == 0);
}

TEST_CASE("a thousand components: a change in one computes only its own constraint again") {
  MaxMin solver;
  std::vector<ConstraintId> links;
  for (int i = 0; i < 1000; ++i) {
    links.push_back(solver.add_constraint(10));
    add(solver, {{links.back(), 1}});
    add(solver, {{links.back(), 1}});
  }
  solver.solve();
  const MaxMin::Effort before = solver.effort();
  add(solver, {{links[500], 1}});
  CHECK(solver.solve().size() == 3);
  CHECK(solver.effort().evaluations - before.evaluations == 1);
  CHECK(solver.effort().settled - before.settled == 3);
}

TEST_CASE("inside a component levels below the change are not touched") {
  // 100 links of capacity 1 with two flows each, x = 1/2, all crossing a trunk of 1000 that only y fills: y =
  // 1000 - 50. Removing a second flow z of the trunk (y = z = 475 before) lies above 1/2: only the trunk and
  // y are solved again.
  MaxMin solver;
  const ConstraintId trunk = solver.add_constraint(1000);
  for (int i = 0; i < 100; ++i) {
    const ConstraintId link = solver.add_constraint(1);
    add(solver, {{link, 1}, {trunk, 1}});
    add(solver, {{link, 1}});
  }
  const ActivityId y = add(solver, {{trunk, 1}}), z = add(solver, {{trunk, 1}});
  solver.solve();
  CHECK(solver.rate(y) == 475);
  const MaxMin::Effort before = solver.effort();
  solver.remove(z);
  CHECK(solver.solve().size() == 1);
  CHECK(solver.rate(y) == 950);
  CHECK(solver.effort().settled - before.settled == 1);
  CHECK(solver.effort().evaluations - before.evaluations == 2);
}

TEST_CASE("the change ends where an activity keeps its level") {
  // A chain of links of capacity 10, each with a local flow bounded by 1 and a flow to the next link bounded
  // by 2: nothing is full, and what happens on the first link stays there.
  MaxMin solver;
  std::vector<ConstraintId> links;
  for (int i = 0; i < 50; ++i) links.push_back(solver.add_constraint(10));
  for (int i = 0; i + 1 < 50; ++i) {
    add(solver, {{links[i], 1}}, 1);
    add(solver, {{links[i], 1}, {links[i + 1], 1}}, 2);
  }
  solver.solve();
  const MaxMin::Effort before = solver.effort();
  const ActivityId x = add(solver, {{links[0], 1}});
  CHECK(solver.solve().size() == 1);
  CHECK(solver.rate(x) == 7);  // 10 - 1 - 2
  CHECK(solver.effort().evaluations - before.evaluations == 1);
}

TEST_CASE("leaving a constraint that was not full solves nothing") {
  MaxMin solver;
  const ConstraintId c = solver.add_constraint(100);
  const ActivityId x = add(solver, {{c, 1}}, 3);
  add(solver, {{c, 1}}, 4);
  solver.solve();
  const MaxMin::Effort before = solver.effort();
  solver.remove(x);
  CHECK(solver.solve().empty());
  CHECK(solver.effort().solves == before.solves);
}
