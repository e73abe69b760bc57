// Starts: at rest, and without small overlaps.
#include <gtest/gtest.h>

#include <cmath>

#include "assembled/scene.h"
#include "carom/model/assembly/equilibrium.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using carom::testing::run;
constexpr double g = 9.81;

Matrix3 sphere(double J) { return J * Matrix3::Identity(); }

TEST(StartAtRest, AMassHangsOnItsSpring) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  const double mass = 2.0, k = 400.0, length = 0.5;
  const BodyRef weight =
      m.add_body({.name = "weight", .mass = mass, .inertia = sphere(0.01), .position = {0.2, -0.3, 0}});
  m.add_spring({.name = "spring",
                .a = m.ground().at({0, 0, 0}),
                .b = weight.at({0, 0, 0}),
                .stiffness = k,
                .free_length = length});
  m.add_joint(
      {.name = "upright", .kind = "fixed_orientation", .a = m.ground().at({0, 0, 0}), .b = weight.at({0, 0, 0})});
  m.start_at_rest();
  const Model model = m.build();
  EXPECT_NEAR(model.initial.q[0], 0.0, 1e-10);
  EXPECT_NEAR(model.initial.q[1], -length - mass * g / k, 1e-10);
  EXPECT_EQ(model.initial.v.norm(), 0.0);
}

// From anywhere, in both coordinates: all links below each other.
TEST(StartAtRest, AChainHangsDown) {
  for (const Coordinates coordinates : {Coordinates::maximal, Coordinates::joint}) {
    ModelBuilder m(Space::planar);
    m.set_coordinates(coordinates);
    m.set_gravity({0, -g, 0});
    SiteSpec end = m.ground().at({0, 0, 0});
    for (int i = 0; i < 4; ++i) {
      const BodyRef link = m.add_body({.name = "link" + std::to_string(i),
                                       .mass = 0.5,
                                       .inertia = sphere(0.002),
                                       .position = {0.1 + 0.2 * i, 0, 0}});
      m.add_joint({.name = "pin" + std::to_string(i), .kind = "revolute", .a = end, .b = link.at({-0.1, 0, 0})});
      end = link.at({0.1, 0, 0});
    }
    m.start_at_rest();
    const Model model = m.build();
    EXPECT_NEAR(model.system->energetics()->potential_energy(0, model.initial.q),
                -0.5 * g * 0.2 * (0.5 + 1.5 + 2.5 + 3.5), 1e-9);
    const State later = run(*model.system, model.initial, "moreau_jean", {}, 1e-2, 100);
    EXPECT_LT((later.q - model.initial.q).norm(), 1e-7);
  }
}

// A ball falls through the air onto the floor and stays there; a spring beside it pulls sideways without friction.
TEST(StartAtRest, ContactsCarry) {
  testing::Scene scene({.friction = 0.0});
  const BodyRef ball = scene.add("ball", geometry::Sphere(0.1), {0.3, 0, 0.5});
  scene.m.add_spring({.name = "spring",
                      .a = scene.m.ground().at({0, 0, 0.1}),
                      .b = ball.at({0, 0, 0}),
                      .stiffness = 50.0,
                      .free_length = 0.2});
  scene.m.start_at_rest();
  const Model model = scene.m.build();
  EXPECT_NEAR(model.initial.q[2], 0.1, 1e-10);
  EXPECT_NEAR(std::hypot(model.initial.q[0], model.initial.q[1]), 0.2, 1e-9);
}

// A cantilever under its own weight: w = rho A g L^4 / (8 E I) at its end, small enough for the linear theory.
TEST(StartAtRest, ACantileverSagsByItsWeight) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  PlanarBeamSpec beam;
  beam.name = "beam";
  beam.elements = 20;
  beam.length = 1.0;
  beam.section = {.EA = 1e6, .GA = 1e6, .EI = 100.0, .rho_A = 0.05, .rho_I = 1e-5};
  beam.supports = {PlanarSupport::clamped(0)};
  m.add_planar_beam(beam);
  m.start_at_rest();
  const Model model = m.build();
  const double sag = 0.05 * g / (8.0 * 100.0);
  const double tip = model.initial.q[model.initial.q.size() - 2];  // x, y, angle of the last node
  EXPECT_NEAR(tip, -sag, 0.005 * sag);  // shear adds rho A g L^2 / (2 GA), elements of one point (L/n)^2
}

// --- overlaps
// ----------------------------------------------------------------------------------------------------------------

TEST(RemoveOverlaps, PushesApartAndNoFurther) {
  for (const bool remove : {true, false}) {
    testing::Scene scene({.friction = 0.5});
    const double size = 0.2, deep = 1e-5;
    for (int k = 0; k < 4; ++k)
      scene.add_box("box" + std::to_string(k), Vector3::Constant(size), {0, 0, (size - deep) * k + size / 2 - deep});
    if (!remove) {
      EXPECT_THROW(scene.m.build(), InputError);
      continue;
    }
    scene.m.remove_overlaps(1e-3);
    const Model model = scene.m.build();
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(model.initial.q[7 * k + 2], size * (k + 0.5), 1e-9) << k;
    const State later = run(*model.system, model.initial, "moreau_jean", {}, 1e-2, 100);
    EXPECT_LT((later.q - model.initial.q).norm(), 1e-9);
  }
}

TEST(RemoveOverlaps, LeavesDeepOnesToBeRefused) {
  testing::Scene scene({});
  scene.add("ball", geometry::Sphere(0.1), {0, 0, 0.05});
  scene.m.remove_overlaps(1e-3);
  EXPECT_THROW(scene.m.build(), InputError);
}

// What a joint holds moves along: a pendulum whose ball stands a little in a wall swings out of it.
TEST(RemoveOverlaps, KeepsJointsClosed) {
  ModelBuilder m(Space::planar);
  m.set_default_contact(ContactParameters{});
  const BodyRef arm = m.add_body({.name = "arm", .mass = 1.0, .inertia = sphere(0.1), .position = {0, -1, 0}});
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = arm.at({0, 1, 0})});
  m.add_surface({.body = arm.number, .shape = geometry::Disc(0.1)});
  m.add_surface({.name = "wall", .shape = geometry::HalfPlane(Eigen::Vector2d::UnitX(), -0.1 + 1e-4)});
  m.remove_overlaps(1e-3);
  const Model model = m.build();
  EXPECT_NEAR(model.initial.q[0], 1e-4, 1e-12);
  EXPECT_NEAR(std::hypot(model.initial.q[0], model.initial.q[1]), 1.0, 1e-12);
}

}  // namespace
}  // namespace carom::model
