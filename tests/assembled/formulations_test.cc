// One body in three formulations (parts/spatial_bodies.h) does the same whatever holds, pulls and touches it.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

// A heavy top on a ball joint, a spring at its tip.
Model heavy_top(Formulation formulation, double stiffness) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  const BodyRef top = m.add_body({.name = "top",
                                  .mass = 0.4,
                                  .inertia = Vector3(2e-3, 2.5e-3, 1e-3).asDiagonal(),
                                  .position = {0.1, 0, 0},
                                  .orientation = quaternion_exp(Vector3(0, 0.5 * M_PI, 0)),
                                  .velocity = {0, -0.02, -0.01},  // about the foot
                                  .spin = {0.2, 0.1, 30.0},
                                  .formulation = formulation});
  m.add_joint({.name = "foot", .kind = "spherical", .a = m.ground().at({0, 0, 0}), .b = top.at({0, 0, -0.1})});
  if (stiffness > 0.0)
    m.add_spring({.name = "spring",
                  .a = m.ground().at({0, 0, 0.4}),
                  .b = top.at({0, 0, 0.05}),
                  .stiffness = stiffness,
                  .free_length = 0.3});
  return m.build();
}

double energy(const Model& model, const State& x) {
  const Energetics& e = *model.system->energetics();
  return e.kinetic_energy(x.t, x.q, x.v) + e.potential_energy(x.t, x.q);
}

TEST(Formulations, AHeavyTopOnABallJointMovesAlike) {
  for (const Formulation formulation : {Formulation::scalable, Formulation::affine}) {
    double far[2];
    for (int fine = 0; fine < 2; ++fine) {
      const double dt = fine ? 5e-4 : 1e-3;
      const int steps = fine ? 400 : 200;
      const Model usual = heavy_top(Formulation::quaternion, 20.0), other = heavy_top(formulation, 20.0);
      ASSERT_LE(std::abs(energy(usual, usual.initial) - energy(other, other.initial)), 1e-12);
      const State a = testing::run(*usual.system, usual.initial, "ggl_unified", {}, dt, steps);
      const State b = testing::run(*other.system, other.initial, "ggl_unified", {}, dt, steps);
      far[fine] = (a.q.head<3>() - b.q.head<3>()).norm();
      EXPECT_NEAR(b.q.head<3>().norm(), 0.1, 1e-9) << "the joint holds";
    }
    if (formulation == Formulation::scalable) {
      EXPECT_LT(far[0], 1e-13) << "held rigid it is the same body";
    } else {
      EXPECT_LT(far[1], 1e-6);
      EXPECT_NEAR(std::log2(far[0] / far[1]), 2.0, 0.1) << "both are of second order";
    }
  }
}

// As many velocities as coordinates: the consistent schemes in coordinates take joints to bodies, and keep the energy.
TEST(Formulations, AScalableBodyOnAJointKeepsItsEnergy) {
  const Model model = heavy_top(Formulation::scalable, 0.0);
  ASSERT_NE(model.system->decomposed(), nullptr);
  EXPECT_EQ(heavy_top(Formulation::quaternion, 0.0).system->decomposed(), nullptr);
  const double E_0 = energy(model, model.initial);
  const State end = testing::run(*model.system, model.initial, "consistent_decomposed", {}, 1e-3, 500);
  EXPECT_NEAR(energy(model, end), E_0, 1e-10);
  EXPECT_NEAR(end.q.head<3>().norm(), 0.1, 1e-11);
  EXPECT_GT((end.q.head<3>() - model.initial.q.head<3>()).norm(), 0.02) << "it precesses";
}

// A ball of any formulation falls on a floor and comes to rest on it.
TEST(Formulations, BallsFallAndRest) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -9.81});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace(), .material = "floor"});
  for (const std::string_view name : formulation_names) {
    const BodyRef ball = m.add_body({.name = std::string(name),
                                     .mass = 0.5,
                                     .inertia = 1e-3 * Matrix3::Identity(),
                                     .position = {name.size() * 1.0, 0, 0.11},
                                     .velocity = {0.1, 0, 0},
                                     .formulation = formulation_named(name)});
    m.add_surface({.body = ball.number, .shape = geometry::Sphere(0.1), .material = "ball"});
  }
  m.add_contact({.a = "ball", .b = "floor", .law = ContactParameters{.restitution = 0.0, .friction = 0.5}});
  const Model model = m.build();
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 400);
  // q: seven numbers of the usual ball, then of the scalable, then twelve of the affine one.
  EXPECT_NEAR(end.q[2], 0.1, 2e-4);
  for (const Index z : {9, 16}) EXPECT_NEAR(end.q[z], end.q[2], 1e-12) << z;
  // Rolling: x' = radius times spin; J = 1e-3 takes (1 + J/(m r^2))^-1 = 5/6 of the speed.
  for (const Index x : {0, 6, 13}) EXPECT_NEAR(end.v[x], 0.1 * 5.0 / 6.0, 1e-3) << x;
}

}  // namespace
}  // namespace carom::model
