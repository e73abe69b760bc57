// Small mechanisms made of parts, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

Matrix3 sphere(double J) { return J * Matrix3::Identity(); }

// The reaction of a constraint in the last step, as a force.
struct Reactions {
  std::map<std::string, Vector> force;
  void look(const System& system, const StepResult& result) {
    for (const StepContact& contact : result.contacts) {
      const Index rows = contact.constraint.law->dim();
      force[system.constraint_name(contact.constraint)] =
          ConstVectorMap(result.impulse.data() + contact.row, rows) / result.dt_taken;
    }
  }
};

TEST(AssembledJoints, AFixedBodyHangsByItsWeightAndMoment) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -10});
  const BodyRef arm = m.add_body({.name = "arm", .mass = 2.0, .inertia = sphere(0.1), .position = {1.5, 0, 0}});
  m.add_joint({.name = "wall", .kind = "fixed", .a = m.ground().at({0, 0, 0}), .b = arm.at({-1.5, 0, 0})});
  const Model model = m.build();
  Reactions reactions;
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 100,
                                 [&](const StepResult& r) { reactions.look(*model.system, r); });
  EXPECT_LT((end.q - model.initial.q).norm(), 1e-12);
  // Force on a (the wall) is what its rows push: the arm pulls the wall down by its weight.
  const Vector f = reactions.force.at("wall");
  EXPECT_NEAR(f[0], 0.0, 1e-9);
  EXPECT_NEAR(f[1], 0.0, 1e-9);
  EXPECT_NEAR(f[2], -20.0, 1e-9);
}

TEST(AssembledJoints, ASpringMassOscillates) {
  ModelBuilder m(Space::planar);
  const BodyRef mass = m.add_body({.name = "mass", .mass = 0.5, .inertia = sphere(1.0), .position = {1.2, 0, 0}});
  m.add_joint({.name = "rail", .kind = "prismatic", .a = m.ground().at({0, 0, 0}), .b = mass.at({0, 0, 0})});
  m.add_spring({.name = "spring",
                .a = m.ground().at({0, 0, 0}),
                .b = mass.at({0, 0, 0}),
                .stiffness = 50.0,
                .free_length = 1.0});
  const Model model = m.build();
  const double w = std::sqrt(50.0 / 0.5), t = 2.0;
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-4, 20000);
  EXPECT_NEAR(end.q[0], 1.0 + 0.2 * std::cos(w * t), 1e-5);  // midpoint rule: phase error w^3 dt^2 t / 12
  const double energy = model.system->energetics()->kinetic_energy(0, end.q, end.v) +
                        model.system->energetics()->potential_energy(0, end.q);
  EXPECT_NEAR(energy, 0.5 * 50.0 * 0.04, 1e-9);
}

Model driven_crank(bool velocity_level) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef crank = m.add_body({.name = "crank", .mass = 1.0, .inertia = sphere(0.02), .position = {0.2, 0, 0}});
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = crank.at({-0.2, 0, 0}),
               .start = CoordinateStart{0.0, 30.0}});
  m.add_drive({.joint = "bearing",
               .motion =
                   [](double t) {
                     return Prescribed{30.0 * t, 30.0, 0.0};
                   },
               .velocity_level = velocity_level});
  return m.build();
}

TEST(AssembledJoints, ADrivenCrankTurnsAsPrescribed) {
  const Model model = driven_crank(false);
  for (const char* scheme : {"projection_combined", "nonsmooth_generalized_alpha"}) {
    const State end = testing::run(*model.system, model.initial, scheme, {}, 1e-3, 1000);
    EXPECT_NEAR(end.q[2], 30.0, 1e-9) << scheme;  // nearly five turns: the angle counts
    EXPECT_NEAR(end.q[0], 0.2 * std::cos(30.0), 1e-9) << scheme;
  }
}

// A drive on velocity level has no position rows: the projection corrects the bearing and leaves the drive alone.
TEST(AssembledJoints, ADriveOfTheVelocityIsNotProjected) {
  const Model model = driven_crank(true);
  for (const char* scheme : {"projection_direct", "projection_combined"}) {
    const State end = testing::run(*model.system, model.initial, scheme, {}, 1e-3, 1000);
    EXPECT_NEAR(end.v[2], 30.0, 1e-9) << scheme;
    EXPECT_NEAR(std::hypot(end.q[0], end.q[1]), 0.2, 1e-12) << scheme;
  }
}

TEST(AssembledJoints, GearsTurnByTheirRatio) {
  ModelBuilder m(Space::planar);
  const BodyRef pinion = m.add_body({.name = "pinion", .mass = 1.0, .inertia = sphere(0.01)});
  const BodyRef wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = sphere(0.09), .position = {0.4, 0, 0}});
  m.add_joint({.name = "p",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = pinion.at({0, 0, 0}),
               .start = CoordinateStart{0.0, 6.0}});
  m.add_joint({.name = "w",
               .kind = "revolute",
               .a = m.ground().at({0.4, 0, 0}),
               .b = wheel.at({0, 0, 0}),
               .start = CoordinateStart{0.0, -2.0}});
  m.add_ratio({.name = "mesh", .terms = {{"p", 1.0}, {"w", 3.0}}});
  // A torque of 0.4 N m on the pinion: (J_p + J_w/9) a = M.
  m.add_spring({.name = "motor", .joint = "p", .drive = [](double, double, double) { return 0.4; }});
  const Model model = m.build();
  const State end = testing::run(*model.system, model.initial, "projection_combined", {}, 1e-3, 2000);
  EXPECT_NEAR(end.q[2] + 3.0 * end.q[5], 0.0, 1e-10);
  EXPECT_NEAR(end.v[2], 6.0 + 0.4 / (0.01 + 0.01) * 2.0, 1e-8);
}

TEST(AssembledJoints, ALimitStopsAPendulumAndRestitutionThrowsItBack) {
  ModelBuilder m(Space::planar);
  const BodyRef arm = m.add_body({.name = "arm", .mass = 1.0, .inertia = sphere(0.1), .position = {0.5, 0, 0}});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = arm.at({-0.5, 0, 0}),
               .start = CoordinateStart{0.0, 2.0}});
  m.add_limit({.joint = "hinge", .upper = 0.5, .restitution = 0.5});
  const Model model = m.build();
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 500);
  EXPECT_NEAR(end.v[2], -1.0, 1e-3);  // the bearing, kept on velocity level only, takes O(dt) of it
  EXPECT_NEAR(end.q[2], 0.25, 3e-3);  // met at 0.25 s to a step, half as fast back
}

// In space the angle is an entry of q of its own: three turns against a torsion spring, and back.
TEST(AssembledJoints, AnglesInSpaceCountTheirTurns) {
  ModelBuilder m(Space::spatial);
  const Vector3 axis = Vector3(1, 2, -1).normalized();
  const BodyRef wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = sphere(0.02)});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}).with_axis(axis),
               .b = wheel.at({0, 0, 0}).with_axis(axis),
               .start = CoordinateStart{0.0, 20.0}});
  const double k = 0.02 * 20.0 * 20.0 / (18.0 * 18.0);  // stops after 18 rad
  m.add_spring({.name = "watch", .joint = "hinge", .stiffness = k});
  const Model model = m.build();
  const double w = std::sqrt(k / 0.02);
  double largest = 0.0, worst = 0.0;
  testing::run(*model.system, model.initial, "projection_combined", {}, 1e-3, 4000, [&](const StepResult& r) {
    const double angle = r.next.q[7];
    largest = std::max(largest, angle);
    worst = std::max(worst, std::abs(angle - 18.0 * std::sin(w * r.next.t)));
  });
  EXPECT_NEAR(largest, 18.0, 1e-4);
  EXPECT_LT(worst, 1e-4);  // of the midpoint rule
}

TEST(AssembledJoints, MechanismsThatCannotBeAssembledAreNamed) {
  ModelBuilder m(Space::planar);
  const BodyRef a = m.add_body({.name = "a", .position = {0.5, 0, 0}});
  m.add_joint({.name = "left", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = a.at({-0.5, 0, 0})});
  m.add_joint({.name = "right", .kind = "revolute", .a = m.ground().at({3, 0, 0}), .b = a.at({0.5, 0, 0})});
  try {
    m.build();
    FAIL() << "assembled what cannot be";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 1u) << "all but the last can be closed";
    EXPECT_EQ(error.problems()[0].code, "E0213");
    EXPECT_NE(error.problems()[0].message.find("joint.right stays 2000 mm open"), std::string::npos)
        << error.problems()[0].message;
    EXPECT_NE(error.problems()[0].hint.find("a is at (500, "), std::string::npos) << error.problems()[0].hint;
  }
}

}  // namespace
}  // namespace carom::model
