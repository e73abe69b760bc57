// A ball on a hinge meets a rough floor. One freedom u moves the contact by a u along the normal and by b u along the
// tangent, a the horizontal and b the vertical distance from the hinge. It cannot rebound where mu b > a: friction
// takes back more than the normal impulse gives.
#include "carom/simulation/jammed_impact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/multibody.h"
#include "carom/simulation/simulate.h"

namespace carom {
namespace {

constexpr double height = 0.5, radius = 0.05, length = 0.6;
const double a = std::sqrt(length * length - (height - radius) * (height - radius)), b = height;

Model hinged_ball(const ContactParameters& contact) {
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  scene.add_plane({.name = "floor"});
  scene.set_default_contact(contact);
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 2.0;
  ball.inertia = Vector3::Constant(0.4 * 2.0 * radius * radius);
  ball.shape = Shape::sphere(radius);
  ball.position = {length, 0, height};
  scene.add_body(ball);
  scene.add_joint({.name = "hinge",
                   .type = "revolute",
                   .a = "ground",
                   .b = "ball",
                   .point = Vector3(0, 0, height),
                   .axis = Vector3::UnitY()});
  return scene.build();
}

SimulationSummary drop(const ContactParameters& contact, const std::string& scheme) {
  const Model model = hinged_ball(contact);
  SimulationOptions options{.t_end = 0.5, .dt = 1e-3, .max_halvings = 3};
  return simulate(*model.system, *make_scheme(scheme), *make_solver("automatic"), model.initial, options);
}

class JammedImpact : public ::testing::TestWithParam<const char*> {};

TEST_P(JammedImpact, IsNamedWhereTheMechanismCannotRebound) {
  const SimulationSummary jam = drop({.restitution = 0.3, .friction = 1.05 * a / b}, GetParam());
  EXPECT_EQ(jam.outcome, Outcome::failed);
  EXPECT_NE(jam.advice.find("impact law has no solution"), std::string::npos) << jam.advice;
  EXPECT_NE(jam.advice.find("ball-floor"), std::string::npos) << jam.advice;
}

TEST_P(JammedImpact, IsNoneBelowTheAngleOfFrictionOrWithoutRestitution) {
  EXPECT_EQ(drop({.restitution = 0.3, .friction = 0.95 * a / b}, GetParam()).outcome, Outcome::finished);
  EXPECT_EQ(drop({.restitution = 0.0, .friction = 1.05 * a / b}, GetParam()).outcome, Outcome::finished);
}

// Two welded bodies on a hinge whose axis is tilted: without restitution they meet the floor and stick, although
// contact and joints hold them by more rows than they have freedoms.
TEST_P(JammedImpact, SticksWithoutRestitution) {
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  scene.add_plane({.name = "floor"});
  scene.set_default_contact(ContactParameters{.restitution = 0.0, .friction = 0.912});
  const double half = 0.0994, top = 0.1777, bob_radius = 0.0448, link_mass = 105.5, bob_mass = 143.5;
  BodySpec link, bob;
  link.name = "link";
  link.mass = link_mass;
  link.inertia = link_mass * half * half / 3.0 * Vector3(0.1, 1.0, 1.0);
  link.position = {half, 0, top};
  bob.name = "bob";
  bob.mass = bob_mass;
  bob.inertia = Vector3::Constant(0.4 * bob_mass * bob_radius * bob_radius);
  bob.position = {2.0 * half, 0, top};
  bob.shape = Shape::sphere(bob_radius);
  scene.add_body(link);
  scene.add_body(bob);
  scene.add_joint(
      {.name = "hinge", .type = "revolute", .b = "link", .point = Vector3(0, 0, top), .axis = {0.182, 0.612, 0.368}});
  scene.add_joint({.name = "weld", .type = "fixed", .a = "link", .b = "bob", .point = Vector3(2.0 * half, 0, top)});
  const Model model = scene.build();
  SimulationOptions options{.t_end = 0.3, .dt = 2e-3};
  const auto summary =
      simulate(*model.system, *make_scheme(GetParam()), *make_solver("automatic"), model.initial, options);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_LE(summary.last.v.norm(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Schemes, JammedImpact,
                         ::testing::Values("moreau_jean", "moreau_midpoint", "projection_combined", "ggl_unified",
                                           "nonsmooth_generalized_alpha"));

// The sentence is about the law, not about steps that fail for other reasons.
TEST(JammedImpactSentence, IsEmptyWhereTheImpactHasASolution) {
  const Model model = hinged_ball({.restitution = 0.3, .friction = 0.95 * a / b});
  State state = model.initial;
  const double drop_angle = std::asin((height - radius) / length);
  state.q.head<3>() = Vector3(a, 0, radius);
  state.q.segment<4>(3) = Quaternion(std::cos(0.5 * drop_angle), 0, std::sin(0.5 * drop_angle), 0);
  const double u = 3.0;
  state.v.head<3>() = u * Vector3(-(height - radius), 0, -a);
  state.v.segment<3>(3) = Vector3(0, u, 0);
  const auto sentence = [&](const Model& of) {
    return jammed_impact(*of.system, *make_solver("automatic"), state, 1e-3, StepResult{});
  };
  EXPECT_EQ(sentence(model), "");
  EXPECT_NE(sentence(hinged_ball({.restitution = 0.3, .friction = 1.05 * a / b})), "");
  EXPECT_EQ(sentence(hinged_ball({.restitution = 0.0, .friction = 1.05 * a / b})), "");
}

}  // namespace
}  // namespace carom
