// Friction of joints that does not ask for their load, and preload, by every scheme that takes friction in joints, in
// maximal and in joint coordinates: against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using carom::testing::run;

struct Flywheel {
  Space space = Space::planar;
  Coordinates coordinates = Coordinates::maximal;
  double inertia = 0.05, spin = 0.0;
  double torque = 0.0;  // applied
  JointFriction friction = {};
  double weight = 0.0;

  Model build() const {
    ModelBuilder b(space);
    b.set_coordinates(coordinates);
    b.set_gravity({0, -weight / mass, 0});
    const BodyRef wheel =
        b.add_body({.name = "wheel", .mass = mass, .inertia = inertia * Matrix3::Identity(), .spin = {0, 0, spin}});
    b.add_joint({.name = "bearing",
                 .kind = "revolute",
                 .a = b.ground().at({0, 0, 0}),
                 .b = wheel.at({0, 0, 0}),
                 .friction = friction});
    b.add_spring({.name = "motor", .joint = "bearing", .preload = torque});
    return b.build();
  }
  Index turning() const { return coordinates == Coordinates::joint ? 0 : space == Space::planar ? 2 : 5; }

  static constexpr double mass = 2.0;
};

struct Case {
  std::string scheme;
  Space space;
  Coordinates coordinates;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const SchemeEntry* scheme : scheme_registry().entries())
    for (const Space space : {Space::planar, Space::spatial})
      for (const Coordinates coordinates : {Coordinates::maximal, Coordinates::joint}) {
        const Model model = Flywheel{.space = space, .coordinates = coordinates, .friction = {.constant = 1.0}}.build();
        if (!untreated(*scheme, *model.system)) all.push_back({scheme->name, space, coordinates});
      }
  return all;
}

class ConstantFriction : public ::testing::TestWithParam<Case> {
 protected:
  Flywheel wheel(JointFriction friction) const {
    Flywheel made;
    made.space = GetParam().space;
    made.coordinates = GetParam().coordinates;
    made.friction = friction;
    return made;
  }
  State run_for(const Model& model, double dt, int steps,
                const std::function<void(const StepResult&)>& look = {}) const {
    return run(*model.system, model.initial, GetParam().scheme, {}, dt, steps, look);
  }
};

// It slows down evenly, by T / J, and stops after J omega / T, having turned by J omega^2 / 2 T.
TEST_P(ConstantFriction, AFlywheelStopsInTime) {
  std::mt19937 random(11);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  for (int round = 0; round < 3; ++round) {
    const double torque = between(0.05, 0.2), spin = between(2.0, 5.0) * (round == 1 ? -1.0 : 1.0);
    Flywheel made = wheel({.constant = torque});
    made.inertia = between(0.02, 0.1);
    made.spin = spin;
    const Model model = made.build();
    const double slowing = torque / made.inertia, stop = std::abs(spin) / slowing, dt = stop / 200.5;
    const Index turning = made.turning();
    // Friction on displacements holds the angle, not the velocity: it may alternate by what one step takes.
    const double still = scheme_registry().find(GetParam().scheme).promises.alternates ? slowing * dt : 1e-9;
    double angle = 0.0, stopped = 0.0, before = spin;
    const State end = run_for(model, dt, 260, [&](const StepResult& step) {
      const double now = step.next.v[turning];
      angle += 0.5 * dt * (before + now);
      if (stopped == 0.0 && std::abs(now) < still) stopped = step.next.t;
      const double expected = std::max(0.0, std::abs(spin) - slowing * step.next.t);
      EXPECT_NEAR(std::abs(now), expected, step.next.t < stop - dt ? 1e-9 : slowing * dt) << step.next.t;
      before = now;
    });
    EXPECT_NEAR(stopped, stop, 1.5 * dt);
    EXPECT_NEAR(angle, 0.5 * spin * stop, 2.0 * slowing * dt * dt) << round;
    EXPECT_LT(std::abs(end.v[turning]), still);
  }
}

TEST_P(ConstantFriction, ATorqueBelowItMovesNothing) {
  const double torque = 0.3;
  for (const double applied : {-0.999, -0.4, 0.0, 0.7, 0.999}) {
    Flywheel made = wheel({.constant = torque});
    made.torque = applied * torque;
    const Model model = made.build();
    EXPECT_LT(std::abs(run_for(model, 5e-3, 100).v[made.turning()]), 1e-10) << applied;
  }
}

TEST_P(ConstantFriction, ATorqueAboveItMovesByTheRest) {
  const double torque = 0.3, dt = 2e-3;
  for (const double applied : {-1.7, 1.001, 3.0}) {
    Flywheel made = wheel({.constant = torque});
    made.torque = applied * torque;
    const Model model = made.build();
    const double rest = (applied - std::copysign(1.0, applied)) * torque;
    EXPECT_NEAR(run_for(model, dt, 100).v[made.turning()], rest / made.inertia * 100 * dt, 1e-9) << applied;
  }
}

// mu r (weight + preload) + T.
TEST_P(ConstantFriction, PreloadAddsToTheReaction) {
  if (GetParam().coordinates == Coordinates::joint) GTEST_SKIP() << "friction by the load stays rows";
  Flywheel made = wheel({.coefficient = 0.2, .radius = 0.01, .preload = 30.0, .constant = 0.02});
  made.weight = 20.0;
  made.spin = 6.0;
  const Model model = made.build();
  const double torque = 0.2 * 0.01 * (20.0 + 30.0) + 0.02, dt = 2e-3;
  EXPECT_NEAR(run_for(model, dt, 200).v[made.turning()], 6.0 - torque / made.inertia * 200 * dt, 1e-8);
  EXPECT_LT(std::abs(run_for(model, 10.0 * dt, 200).v[made.turning()]), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ConstantFriction, ::testing::ValuesIn(cases()), [](const auto& c) {
  return c.param.scheme + (c.param.space == Space::planar ? "_planar" : "_spatial") +
         (c.param.coordinates == Coordinates::joint ? "_joint" : "_maximal");
});

TEST(ConstantFrictionOfTrees, StaysInJointCoordinates) {
  const Model model =
      Flywheel{.space = Space::spatial, .coordinates = Coordinates::joint, .friction = {.constant = 1.0}}.build();
  EXPECT_EQ(model.system->nv(), 1);
  EXPECT_TRUE(model.system->features().contains(Feature::joint_friction));
  EXPECT_FALSE(model.system->features().contains(Feature::joints));
  EXPECT_GE(cases().size(), 40u);  // schemes that take it
}

// A slide pushed against a stop: friction of its guide holds it off the stop, or not, as the forces say, and impacts
// leave the friction of their step alone.
TEST(ConstantFrictionOfTrees, ASlideStopsOnItsWay) {
  for (const char* scheme : {"moreau_jean", "projection_combined", "ggl_unified", "half_explicit_velocity"})
    for (const Coordinates coordinates : {Coordinates::maximal, Coordinates::joint}) {
      ModelBuilder b(Space::planar);
      b.set_coordinates(coordinates);
      const double m = 1.5, F = 3.0, v = 2.0, way = 0.5 * m * v * v / F;
      const BodyRef slide =
          b.add_body({.name = "slide", .mass = m, .inertia = 0.1 * Matrix3::Identity(), .velocity = {v, 0, 0}});
      b.add_joint({.name = "rail",
                   .kind = "prismatic",
                   .a = b.ground().at({0, 0, 0}),
                   .b = slide.at({0, 0, 0}),
                   .friction = JointFriction{.constant = F}});
      // It meets the stop at half its way with v / sqrt(2), comes back with half of that, and stops after way / 8.
      b.add_limit({.joint = "rail", .upper = 0.5 * way, .restitution = 0.5});
      const Model model = b.build();
      const State end = run(*model.system, model.initial, scheme, {}, 1e-4, 20000);
      EXPECT_NEAR(end.q[0], 0.5 * way - 0.125 * way, 2e-3 * way) << scheme;
      EXPECT_LT(end.v.norm(), 1e-9) << scheme;
    }
}

}  // namespace
}  // namespace carom::model
