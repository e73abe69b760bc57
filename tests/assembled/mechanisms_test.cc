// Faces that end, contacts that are forgotten, torsion between bodies; mechanisms in the plane and in space move alike.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/assembly/builder.h"
#include "carom/model/mechanisms/circuit_breaker.h"
#include "carom/model/mechanisms/pendulum_in_ring.h"
#include "carom/model/mechanisms/slider_crank_clearance.h"
#include "carom/simulation/simulate.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

// A body on a table of length 1 with speed 1: it slides, loses speed to friction or not, and falls where the table
// ends.
Model on_a_table(Space space, double depth = INFINITY) {
  ModelBuilder m(space);
  m.set_gravity({0, -10, 0});
  const BodyRef body = m.add_body({.name = "body", .velocity = {1, 0, 0}});
  m.add_face({.name = "table",
              .point = body.at({0, 0, 0}),
              .face = m.ground().at({0, 0, 0}),
              .from = -0.5,
              .to = 1.0,
              .depth = depth});
  return m.build();
}

TEST(Faces, EndWhereTheirWindowDoes) {
  for (const Space space : {Space::planar, Space::spatial}) {
    const Model model = on_a_table(space);
    const State on = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 990);
    EXPECT_NEAR(on.q[0], 0.99, 1e-12);
    EXPECT_NEAR(on.q[1], 0.0, 1e-12);
    const State off = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 1500);
    EXPECT_NEAR(off.q[0], 1.5, 1e-12);
    EXPECT_NEAR(off.q[1], -0.5 * 10 * 0.5 * 0.5, 0.02);  // up to two steps late
  }
}

// A point 10 mm below a face that sees to a depth of 1 mm falls on; one that sees deeper stops it.
TEST(Faces, ForgetWhatHasSunk) {
  for (const double depth : {1e-3, 1.0}) {
    ModelBuilder m(Space::planar);
    const BodyRef body = m.add_body({.name = "body", .velocity = {0, -1, 0}});
    m.add_face({.name = "face", .point = body.at({0, 0, 0}), .face = m.ground().at({0, 0, 0}), .depth = depth});
    Model model = m.build();
    model.initial.q[1] = -0.01;
    const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 10);
    EXPECT_NEAR(end.v[1], depth > 0.01 ? 0.0 : -1.0, 1e-12);
  }
}

// The hook hangs in the ring: with W(q_0) it sinks by about v^2 dt / 2R a second, with W(q_1) it does not.
TEST(PendulumInRing, DriftsWithDirectionsOfTheStart) {
  const Model model = pendulum_in_ring({});
  const auto gap_after = [&](const testing::Given& parameters, const char* scheme) {
    const State end = testing::run(*model.system, model.initial, scheme, parameters, 5e-4, 2000);
    const double half = std::sqrt(3.0 / 5.0);
    return 1.0 - std::hypot(end.q[3] - half * std::sin(end.q[5]), end.q[4] + half * std::cos(end.q[5]));
  };
  EXPECT_LT(gap_after({{"activation_gamma", 0.0}, {"directions", std::string("start")}}, "moreau_jean"), -1e-3);
  EXPECT_GT(gap_after({{"activation_gamma", 0.0}}, "moreau_jean"), -3e-4);
  EXPECT_NEAR(gap_after({}, "projection_combined"), 0.0, 1e-12);
}

// Both with 1,000 steps, through the first impacts of pin and slider.
TEST(SliderCrankClearance, InSpaceAsInThePlane) {
  const Model planar = slider_crank_clearance({.space = Space::planar}), spatial = slider_crank_clearance({});
  const State a = testing::run(*planar.system, planar.initial, "projection_combined", {}, 1e-5, 1000);
  const State b = testing::run(*spatial.system, spatial.initial, "projection_combined", {}, 1e-5, 1000);
  for (Index body = 0; body < 3; ++body) {
    EXPECT_NEAR(b.q[7 * body], a.q[3 * body], 1e-9);
    EXPECT_NEAR(b.q[7 * body + 1], a.q[3 * body + 1], 1e-9);
    EXPECT_NEAR(b.q[7 * body + 2], 0.0, 1e-12);
    EXPECT_NEAR(b.v[6 * body + 5], a.v[3 * body + 2], 1e-5);
  }
}

// Closed, the latch holds; without its friction the springs open the breaker.
TEST(CircuitBreaker, IsHeldByTheFrictionOfItsLatch) {
  const auto scheme = make_scheme("projection_combined", {});
  const auto solver = make_solver("automatic");
  for (const double friction : {0.2, 0.0}) {
    const Model model = circuit_breaker({.latch_friction = friction, .trip_force = 0.0});
    const SimulationSummary done =
        simulate(*model.system, *scheme, *solver, model.initial, {.t_end = 1e-2, .dt = 1e-5});
    ASSERT_EQ(done.outcome, Outcome::finished) << done.advice;
    const double carrier = done.last.q[8];
    if (friction > 0.0)
      EXPECT_LT(std::abs(carrier), 0.02);
    else
      EXPECT_GT(carrier, 0.1);
  }
}

}  // namespace
}  // namespace carom::model
