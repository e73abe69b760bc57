// Loads by functions of time and motion: derivatives against differences between all kinds of frames, closed forms, the
// audit.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/assembly/builder.h"
#include "carom/simulation/simulate.h"
#include "model/system_checks.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using carom::testing::run;
using carom::testing::SystemChecks;

Matrix3 inertia(double a, double b, double c) { return Vector3(a, b, c).asDiagonal(); }

// Nothing is special in it: every motion counts, in every direction.
Load tangled(double t, std::span<const SiteMotion> sites) {
  Load load;
  load.force = Vector3(std::sin(t), 1.0, -0.3);
  for (const SiteMotion& site : sites) {
    load.force += 0.7 * site.position.cross(site.velocity) + site.axes.col(0) * site.spin.squaredNorm();
    load.torque +=
        site.axes.col(2).cross(site.position) - 0.2 * site.velocity + site.spin.dot(site.position) * site.axes.col(1);
  }
  return load;
}

TEST(SiteLoads, DerivativesAreThoseOfTheForce) {
  ModelBuilder m(Space::spatial);
  const BodyRef a = m.add_body({.name = "a", .mass = 1.2, .inertia = inertia(1, 2, 2.5), .position = {0.3, -0.2, 0.5}});
  const BodyRef b =
      m.add_body({.name = "b", .mass = 0.7, .inertia = inertia(0.3, 0.2, 0.4), .position = {-0.4, 0.1, 0.9}});
  const BodyRef c =
      m.add_planar_body({.name = "c", .mass = 2.0, .inertia = inertia(1, 1, 0.6), .position = {0.2, 0.4, 0}});
  m.add_load({.name = "own", .site = a.at({0.1, 0.2, -0.3}), .load = tangled});
  m.add_load({.name = "others",
              .site = a.at({-0.2, 0.1, 0.3}),
              .watched = {b.at({0.3, 0, 0.1}), c.at({0, 0.2, 0})},
              .load = tangled});
  m.add_load({.name = "both",
              .site = b.at({0.5, 0, 0}),
              .watched = {a.at({0, 0.3, 0}), b.at({0.1, 0.1, 0.1}), b.at({0, 0, 0.4})},
              .load = tangled});
  m.add_load({.name = "planar",
              .site = c.at({0.1, -0.2, 0}),
              .watched = {a.at({0, 0, 0.2}), c.at({0.3, 0, 0})},
              .load = tangled});
  const Model model = m.build();
  carom::testing::Random random(7);
  for (int sample = 0; sample < 20; ++sample) {
    Vector q, dq(model.system->nv()), v(model.system->nv());
    for (double& x : dq) x = random(-0.8, 0.8);
    for (double& x : v) x = random(-1.0, 1.0);
    model.system->move(model.initial.q, dq, q);
    SystemChecks(*model.system, random(0.0, 2.0), q, v).expect_force_derivatives(2e-6);
  }
}

// A ball falls with drag c v: v = m g / c (1 - exp(-c t / m)).
TEST(SiteLoads, AFallWithDrag) {
  const double mass = 2.0, drag = 3.0, g = 9.81;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  const BodyRef ball = m.add_body({.name = "ball", .mass = mass});
  m.add_load({.name = "air", .site = ball.at({0, 0, 0}), .load = [&](double, std::span<const SiteMotion> own) {
                return Load{-drag * own[0].velocity, Vector3::Zero()};
              }});
  const Model model = m.build();
  for (const char* scheme : {"moreau_jean", "nonsmooth_generalized_alpha", "half_explicit_velocity", "ggl_unified"}) {
    const State end = run(*model.system, model.initial, scheme, {}, 1e-3, 1000);
    EXPECT_NEAR(end.v[2], -mass * g / drag * (1.0 - std::exp(-drag / mass)), 1e-5) << scheme;
  }
}

// A wheel is turned to an angle by a controller that watches another body, and its work is booked.
TEST(SiteLoads, AControllerFollowsALeader) {
  ModelBuilder m(Space::planar);
  const BodyRef leader = m.add_body({.name = "leader", .mass = 1.0, .inertia = inertia(1, 1, 1), .spin = {0, 0, 1.5}});
  const BodyRef wheel =
      m.add_body({.name = "wheel", .mass = 1.0, .inertia = inertia(1, 1, 0.5), .position = {2, 0, 0}});
  m.add_load({.name = "controller",
              .site = wheel.at({0, 0, 0}),
              .watched = {leader.at({0, 0, 0}), wheel.at({0, 0, 0})},
              .load = [](double, std::span<const SiteMotion> seen) {
                const double lag = seen[1].axes.col(0).cross(seen[0].axes.col(0)).z();
                return Load{Vector3::Zero(), Vector3(0, 0, 40.0 * lag + 8.0 * (seen[0].spin.z() - seen[1].spin.z()))};
              }});
  const Model model = m.build();
  const auto scheme = make_scheme("moreau_jean");
  const auto solver = make_solver("automatic");
  const SimulationSummary summary =
      simulate(*model.system, *scheme, *solver, model.initial, {.t_end = 5.0, .dt = 1e-3});
  EXPECT_NEAR(summary.last.q[5], summary.last.q[2], 1e-6);
  EXPECT_NEAR(summary.audit.other_work, 0.5 * 0.5 * 1.5 * 1.5, 1e-4);
  EXPECT_NEAR(summary.audit.scheme_residual, 0.0, 1e-4);
}

}  // namespace
}  // namespace carom::model
