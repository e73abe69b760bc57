// Friction in joints, screws, backlash, bushings, pins with edges in their bores: against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using carom::testing::run;

Matrix3 sphere(double J) { return J * Matrix3::Identity(); }
constexpr double g = 9.81;

class JointFrictionTest : public ::testing::TestWithParam<const char*> {};

// The bearing of a flywheel carries its weight; the spin falls evenly by mu r m g / J and ends at zero.
TEST_P(JointFrictionTest, AFlywheelRunsDown) {
  const double m = 3.0, J = 0.05, mu = 0.2, r = 0.01, spin = 4.0;
  for (const Space space : {Space::planar, Space::spatial}) {
    ModelBuilder b(space);
    b.set_gravity({0, -g, 0});
    const BodyRef wheel = b.add_body({.name = "wheel", .mass = m, .inertia = sphere(J), .spin = {0, 0, spin}});
    b.add_joint({.name = "bearing",
                 .kind = "revolute",
                 .a = b.ground().at({0, 0, 0}),
                 .b = wheel.at({0, 0, 0}),
                 .friction = JointFriction{mu, r}});
    const Model model = b.build();
    EXPECT_TRUE(model.system->features().contains(Feature::joint_friction));
    const Index turning = space == Space::planar ? 2 : 5;
    const double dt = 1e-3, slowing = mu * r * m * g / J, stop = spin / slowing;
    EXPECT_NEAR(run(*model.system, model.initial, GetParam(), {}, dt, 1000).v[turning], spin - slowing * 1.0, 1e-9);
    EXPECT_NEAR(
        run(*model.system, model.initial, GetParam(), {}, 10 * dt, static_cast<int>(stop / (10 * dt)) + 50).v[turning],
        0.0, 1e-9);
  }
}

// A slide on an inclined rail: it holds below the angle of friction and slides with g (sin - mu cos) above.
TEST_P(JointFrictionTest, ASlideHoldsAndSlides) {
  const double mu = 0.4;
  for (const double angle : {0.3, 0.37, 0.39, 0.6}) {
    ModelBuilder b(Space::planar);
    b.set_gravity({0, -g, 0});
    const BodyRef slide = b.add_body({.name = "slide", .mass = 2.0, .inertia = sphere(0.1), .angle = 0.0});
    const Vector3 along(std::cos(angle), -std::sin(angle), 0);
    b.add_joint({.name = "rail",
                 .kind = "prismatic",
                 .a = b.ground().at({0, 0, 0}).sliding_along(along),
                 .b = slide.at({0, 0, 0}).sliding_along(along),
                 .friction = JointFriction{mu}});
    const Model model = b.build();
    const State end = run(*model.system, model.initial, GetParam(), {}, 1e-3, 500);
    const double expected = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)) * 0.5);
    EXPECT_NEAR(end.v.head<2>().norm(), expected, 1e-9) << angle;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, JointFrictionTest,
                         ::testing::Values("moreau_jean", "projection_combined", "moreau_jean_explicit",
                                           "moreau_midpoint"),
                         [](const auto& scheme) { return std::string(scheme.param); });

TEST(JointFriction, OthersRefuseIt) {
  ModelBuilder b(Space::planar);
  const BodyRef wheel = b.add_body({.name = "wheel", .mass = 1.0, .inertia = sphere(0.1)});
  b.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = b.ground().at({0, 0, 0}),
               .b = wheel.at({0, 0, 0}),
               .friction = JointFriction{0.1, 0.1}});
  const Model model = b.build();
  EXPECT_EQ(untreated(scheme_registry().find("nonsmooth_generalized_alpha"), *model.system), Feature::joint_friction);
  EXPECT_FALSE(untreated(scheme_registry().find("moreau_jean"), *model.system));
}

// A nut falls along its bolt: (m + J (2 pi / p)^2) z'' = m g.
TEST(Screw, ANutFallsAndTurns) {
  const double m = 0.5, J = 1e-4, pitch = 0.05;
  ModelBuilder b(Space::spatial);
  b.set_gravity({0, 0, -g});
  const BodyRef nut = b.add_body({.name = "nut", .mass = m, .inertia = sphere(J)});
  b.add_screw({.name = "thread", .a = b.ground().at({0, 0, 0}), .b = nut.at({0, 0, 0}), .pitch = pitch});
  const Model model = b.build();
  const double ratio = 2 * std::numbers::pi / pitch, acceleration = m * g / (m + J * ratio * ratio);
  const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 1000);
  EXPECT_NEAR(end.v[2], -acceleration, 1e-7);
  EXPECT_NEAR(end.v[5], -acceleration * ratio, 1e-5);
}

// The first wheel runs through half the play, strikes the second, and the law holds for the difference of their spins.
TEST(Backlash, WheelsStrikeAfterThePlay) {
  const double J1 = 0.02, J2 = 0.05, e = 0.3, play = 0.1, spin = 2.0;
  ModelBuilder b(Space::planar);
  const BodyRef one = b.add_body({.name = "one", .mass = 1, .inertia = sphere(J1), .spin = {0, 0, spin}});
  const BodyRef two = b.add_body({.name = "two", .mass = 1, .inertia = sphere(J2), .position = {1, 0, 0}});
  b.add_joint({.name = "first", .kind = "revolute", .a = b.ground().at({0, 0, 0}), .b = one.at({0, 0, 0})});
  b.add_joint({.name = "second", .kind = "revolute", .a = b.ground().at({1, 0, 0}), .b = two.at({0, 0, 0})});
  b.add_backlash({.name = "mesh", .terms = {{"first", 1.0}, {"second", -1.0}}, .backlash = play, .restitution = e});
  const Model model = b.build();
  const double dt = 1e-3;
  const State before =
      run(*model.system, model.initial, "moreau_jean", {}, dt, static_cast<int>(0.5 * play / spin / dt) - 2);
  EXPECT_NEAR(before.v[2], spin, 1e-12);
  const State end = run(*model.system, model.initial, "moreau_jean", {}, dt, 40);
  EXPECT_NEAR(end.v[5] - end.v[2], e * spin, 1e-10);
  EXPECT_NEAR(J1 * end.v[2] + J2 * end.v[5], J1 * spin, 1e-12);
}

TEST(Bushing, OscillatesAlongAndAboutItsAxes) {
  const double m = 2.0, J = 0.1;
  const Vector3 k(50.0, 80.0, 120.0), turning(3.0, 5.0, 7.0);
  for (int axis = 0; axis < 6; ++axis) {
    ModelBuilder b(Space::spatial);
    const bool turns = axis >= 3;
    const double speed = 1e-3;
    const BodyRef body = b.add_body({.name = "body",
                                     .mass = m,
                                     .inertia = sphere(J),
                                     .velocity = turns ? Vector3::Zero() : Vector3(speed * Vector3::Unit(axis)),
                                     .spin = turns ? Vector3(speed * Vector3::Unit(axis - 3)) : Vector3::Zero()});
    b.add_bushing({.name = "mount",
                   .a = b.ground().at({0, 0, 0}),
                   .b = body.at({0, 0, 0}),
                   .stiffness = k,
                   .turning_stiffness = turning});
    const Model model = b.build();
    const double w = std::sqrt(turns ? turning[axis - 3] / J : k[axis] / m), period = 2 * std::numbers::pi / w;
    const int steps = 2000;
    const State end = run(*model.system, model.initial, "moreau_jean", {}, period / steps, steps);
    EXPECT_NEAR(end.v[axis], speed, 1e-5 * speed) << axis;
  }
}

// A lever hangs by a pin with edges in a bore: it stays within its play, and energy does not grow while it swings and
// knocks.
TEST(PinWithEdges, CarriesAndSwingsWithinItsPlay) {
  for (const char* scheme : {"moreau_jean", "projection_combined"}) {
    ModelBuilder b(Space::spatial);
    b.set_gravity({0, 0, -g});
    // The axis of the pin is y.
    const BodyRef lever = b.add_body({.name = "lever",
                                      .mass = 1.0,
                                      .inertia = Matrix3(Vector3(0.02, 0.02, 0.002).asDiagonal()),
                                      .position = {0.0, 0.01, -0.2},
                                      .velocity = {0.5, 0, 0},
                                      .spin = {0, -0.5 / 0.2, 0}});
    const double play = 5e-4;
    b.add_clearance({.name = "pin",
                     .pin = lever.at({0, 0, 0.2}).with_axis({0, 1, 0}),
                     .bore = b.ground().at({0, 0.01, 0}).with_axis({0, 1, 0}),
                     .pin_radius = 0.01,
                     .bore_radius = 0.01 + play,
                     .pin_length = 0.06,
                     .axial_play = 1e-3,
                     .law = {.restitution = 0.1, .friction = 0.1}});
    const Model model = b.build();
    const Energetics& energy = *model.system->energetics();
    const double start =
        energy.kinetic_energy(0, model.initial.q, model.initial.v) + energy.potential_energy(0, model.initial.q);
    double farthest = 0.0, rise = 0.0, last = start;
    const State end = run(*model.system, model.initial, scheme, {}, 1e-4, 20000, [&](const StepResult& r) {
      const Matrix3 R = rotation_matrix(Quaternion(r.next.q.segment<4>(3)));
      for (const double s : {-0.03, 0.03}) {
        const Vector3 x = Vector3(r.next.q.head<3>()) + R * Vector3(0, s, 0.2);
        farthest = std::max(farthest, std::hypot(x.x(), x.z()));
      }
      const double now = energy.kinetic_energy(0, r.next.q, r.next.v) + energy.potential_energy(0, r.next.q);
      rise = std::max(rise, now - last);
      last = now;
    });
    EXPECT_LT(farthest, 1.05 * play) << scheme;
    EXPECT_GT(farthest, 0.9 * play);
    EXPECT_LT(rise, 1e-5 * std::abs(start)) << scheme;
    EXPECT_TRUE(end.q.allFinite());
  }
}

}  // namespace
}  // namespace carom::model
