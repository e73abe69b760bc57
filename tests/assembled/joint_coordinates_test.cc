// Motion in joint coordinates: the same as that of formulas, of maximal coordinates to the scheme's order, and of
// closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "assembled/random_trees.h"
#include "assembled/slider_crank.h"
#include "carom/model/analytic/analytic_model.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using carom::testing::run;
constexpr double g = 9.81;

Matrix3 sphere(double J) { return J * Matrix3::Identity(); }

double energy(const Model& model, const State& x) {
  const Energetics& e = *model.system->energetics();
  return e.kinetic_energy(x.t, x.q, x.v) + e.potential_energy(x.t, x.q);
}

// Where all bodies are.
std::map<std::string, Vector3> places(const Model& model, const State& x) {
  const auto& system = dynamic_cast<const AssembledSystem&>(*model.system);
  Placement at;
  system.place(x.t, x.q, x.v, at);
  std::map<std::string, Vector3> out;
  for (Index f = 1; f < system.frames().count(); ++f)
    out[system.frames().name(f)] = at.poses[static_cast<std::size_t>(f)].x;
  return out;
}
double apart(const Model& a, const State& x, const Model& b, const State& y) {
  double largest = 0.0;
  const auto there = places(b, y);
  for (const auto& [name, at] : places(a, x)) largest = std::max(largest, (at - there.at(name)).norm());
  return largest;
}

// --- the slider-crank
// --------------------------------------------------------------------------------------------------------

const ContactParameters steel = {.restitution = 0.4, .friction = 0.01};

Model slider_crank() { return carom::testing::assembled_slider_crank(Coordinates::joint, steel); }

class SliderCrankInJointCoordinates : public ::testing::TestWithParam<const char*> {};

// Relative angles against absolute ones are a linear change of coordinates, which schemes do not see. 30 ms: several
// impacts; what differs is rounding, and impacts make it grow.
TEST_P(SliderCrankInJointCoordinates, MovesLikeTheFormulas) {
  const Model a = slider_crank(), b = make_analytic_model("slider_crank", {}, steel);
  ASSERT_EQ(a.system->nv(), 3);
  const auto absolute = [](const Vector& x) { return Vector3(x[0], x[0] + x[1], x[0] + x[1] + x[2]); };
  EXPECT_LT((absolute(a.initial.q) - b.initial.q).norm(), 1e-15);
  EXPECT_LT((absolute(a.initial.v) - b.initial.v).norm(), 1e-12);
  int impacts = 0;
  const State x = run(*a.system, a.initial, GetParam(), {}, 1e-5, 3000, [&](const StepResult& r) {
    for (Index i = 0; i < r.impulse.size(); ++i) impacts += r.impulse[i] > 0.0;
  });
  const State y = run(*b.system, b.initial, GetParam(), {}, 1e-5, 3000);
  EXPECT_GT(impacts, 3);
  EXPECT_LT((absolute(x.q) - y.q).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((absolute(x.v) - y.v).cwiseAbs().maxCoeff(), 1e-7);
}
INSTANTIATE_TEST_SUITE_P(Schemes, SliderCrankInJointCoordinates,
                         ::testing::Values("moreau_jean", "moreau_midpoint", "moreau_jean_explicit",
                                           "projection_combined", "half_explicit_velocity",
                                           "nonsmooth_generalized_alpha", "ggl_unified"));

// --- against maximal coordinates
// ------------------------------------------------------------------------------------------------

using Maker = void (*)(ModelBuilder&);

// Five links on the ground, swinging wide.
void chain(ModelBuilder& m) {
  m.set_gravity({0, -g, 0});
  SiteSpec end = m.ground().at({0, 0, 0});
  for (int i = 0; i < 5; ++i) {
    const BodyRef link = m.add_body({.name = "link" + std::to_string(i),
                                     .mass = 0.5 + 0.1 * i,
                                     .inertia = sphere(0.01),
                                     .position = {0.2 + 0.4 * i, 0, 0}});
    m.add_joint({.name = "pin" + std::to_string(i), .kind = "revolute", .a = end, .b = link.at({-0.2, 0, 0})});
    end = link.at({0.2, 0, 0});
  }
}

// A loop: crank, coupler, rocker; the last joint closes it.
void four_bar(ModelBuilder& m) {
  m.set_gravity({0, -g, 0});
  const BodyRef crank = m.add_body({.name = "crank", .mass = 0.4, .inertia = sphere(0.003), .position = {0.1, 0, 0}});
  const BodyRef coupler =
      m.add_body({.name = "coupler", .mass = 1.0, .inertia = sphere(0.03), .position = {0.45, 0.2, 0}, .angle = 0.6});
  const BodyRef rocker =
      m.add_body({.name = "rocker", .mass = 0.8, .inertia = sphere(0.02), .position = {0.7, 0.2, 0}, .angle = 2.0});
  m.add_joint({.name = "A",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = crank.at({-0.1, 0, 0}),
               .start = CoordinateStart{0.0, 8.0}});
  m.add_joint({.name = "B", .kind = "revolute", .a = crank.at({0.1, 0, 0}), .b = coupler.at({-0.3, 0, 0})});
  m.add_joint({.name = "C", .kind = "revolute", .a = coupler.at({0.3, 0, 0}), .b = rocker.at({0.25, 0, 0})});
  m.add_joint({.name = "D", .kind = "revolute", .a = m.ground().at({0.7, 0, 0}), .b = rocker.at({-0.25, 0, 0})});
}

// A wheel drives a slide by a rod with a ball at one end and a Cardan joint at the other; the slide's rail closes the
// loop.
void spatial_linkage(ModelBuilder& m) {
  m.set_gravity({0, 0, -g});
  const BodyRef wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = Vector3(0.02, 0.01, 0.01).asDiagonal()});
  const BodyRef rod = m.add_body(
      {.name = "rod", .mass = 0.5, .inertia = Vector3(0.001, 0.01, 0.01).asDiagonal(), .position = {0.2, 0.1, 0.2}});
  const BodyRef slide = m.add_body({.name = "slide", .mass = 0.7, .inertia = sphere(0.002), .position = {0.5, 0.1, 0}});
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}).with_axis({1, 0, 0}),
               .b = wheel.at({0, 0, 0}).with_axis({1, 0, 0}),
               .start = CoordinateStart{0.0, 6.0}});
  m.add_joint({.name = "ball", .kind = "spherical", .a = wheel.at({0.05, 0, 0.15}), .b = rod.at({-0.25, 0, 0})});
  m.add_joint({.name = "cardan",
               .kind = "universal",
               .a = rod.at({0.25, 0, 0}).with_axis({0, 0, 1}),
               .b = slide.at({0, 0, 0}).with_axis({0, 1, 0})});
  m.add_joint({.name = "rail",
               .kind = "prismatic",
               .a = m.ground().at({0, 0.1, 0}).with_axis({1, 0, 0}),
               .b = slide.at({0, 0, 0}).with_axis({1, 0, 0})});
}

// Free in space: three bodies by a ball and a cylindrical joint.
void free_linkage(ModelBuilder& m) {
  m.set_gravity({0, 0, -g});
  const BodyRef a =
      m.add_body({.name = "a", .mass = 1.0, .inertia = Vector3(0.02, 0.03, 0.04).asDiagonal(), .spin = {3, 1, -2}});
  const BodyRef b = m.add_body({.name = "b",
                                .mass = 0.5,
                                .inertia = Vector3(0.01, 0.02, 0.015).asDiagonal(),
                                .position = {0.5, 0, 0},
                                .velocity = {0, 0, 2}});
  const BodyRef c = m.add_body(
      {.name = "c", .mass = 0.7, .inertia = Vector3(0.02, 0.01, 0.02).asDiagonal(), .position = {0.9, 0.1, 0.1}});
  m.add_joint({.name = "ball", .kind = "spherical", .a = a.at({0.25, 0, 0}), .b = b.at({-0.25, 0, 0})});
  m.add_joint({.name = "tube",
               .kind = "cylindrical",
               .a = c.at({-0.2, 0, 0}).with_axis({1, 2, 0}),
               .b = b.at({0.2, 0.1, 0.1}).with_axis({1, 2, 0})});
  m.add_spring({.name = "spring", .joint = "tube.displacement", .stiffness = 200.0});
}

struct Mechanism {
  const char* name;
  Space space;
  Maker make;
  Index joint_velocities, loop_rows;
};

Model built(const Mechanism& mechanism, Coordinates coordinates) {
  ModelBuilder m(mechanism.space);
  m.set_coordinates(coordinates);
  mechanism.make(m);
  return m.build();
}

class BothCoordinates : public ::testing::TestWithParam<Mechanism> {};

Index bilateral_rows(const Model& model) {
  ContactSet contacts;
  model.system->detect(0.0, model.initial.q, model.initial.v, 0.0, contacts);
  Index rows = 0;
  for (const Constraint& c : contacts.constraints) rows += c.bilateral ? c.law->dim() : 0;
  return rows;
}

TEST_P(BothCoordinates, StartAlike) {
  const Model tree = built(GetParam(), Coordinates::joint), maximal = built(GetParam(), Coordinates::maximal);
  EXPECT_EQ(tree.system->nv(), GetParam().joint_velocities);
  EXPECT_EQ(bilateral_rows(tree), GetParam().loop_rows);
  EXPECT_EQ(maximal.system->nv() - bilateral_rows(maximal), tree.system->nv() - bilateral_rows(tree));
}

// Both at the same start (that of the tree, bodies placed where it has them), with steps that halve: the difference
// falls by the order, two.
TEST_P(BothCoordinates, MoveAlikeToTheSchemesOrder) {
  const Model tree = built(GetParam(), Coordinates::joint);
  // Maximal coordinates from the poses and twists of the tree.
  const Model maximal = built(GetParam(), Coordinates::maximal);
  const auto& from = dynamic_cast<const AssembledSystem&>(*tree.system);
  const auto& to = dynamic_cast<const AssembledSystem&>(*maximal.system);
  Placement at;
  from.place(0.0, tree.initial.q, tree.initial.v, at);
  State start = maximal.initial;
  for (Index f = 1; f < to.frames().count(); ++f)
    for (Index k = 1; k < from.frames().count(); ++k) {
      if (to.frames().name(f) != from.frames().name(k)) continue;
      const Pose& pose = at.poses[static_cast<std::size_t>(k)];
      const Twist& twist = at.twists[static_cast<std::size_t>(k)];
      if (GetParam().space == Space::planar) {
        start.q.segment<3>(3 * (f - 1)) << pose.x.x(), pose.x.y(), std::atan2(pose.R(1, 0), pose.R(0, 0));
        start.v.segment<3>(3 * (f - 1)) << twist.velocity.x(), twist.velocity.y(), twist.omega.z();
      } else {
        const Eigen::Quaterniond p(pose.R);
        start.q.segment<3>(7 * (f - 1)) = pose.x;
        start.q.segment<4>(7 * (f - 1) + 3) << p.w(), p.x(), p.y(), p.z();
        start.v.segment<3>(6 * (f - 1)) = twist.velocity;
        start.v.segment<3>(6 * (f - 1) + 3) = pose.R.transpose() * twist.omega;
      }
    }
  EXPECT_NEAR(energy(tree, tree.initial), energy(maximal, start), 1e-12 * (1.0 + std::abs(energy(tree, tree.initial))));
  std::vector<double> difference;
  for (const int steps : {200, 400, 800}) {
    const State x = run(*tree.system, tree.initial, "projection_combined", {}, 0.4 / steps, steps);
    const State y = run(*maximal.system, start, "projection_combined", {}, 0.4 / steps, steps);
    difference.push_back(apart(tree, x, maximal, y));
  }
  EXPECT_LT(difference[2], 4e-3);
  for (int i = 0; i < 2; ++i)
    EXPECT_GT(std::log2(difference[i] / difference[i + 1]), 0.85) << difference[i] << " " << difference[i + 1];
}

// Half a second without losses: the energy is kept to the order of the scheme.
TEST_P(BothCoordinates, KeepsItsEnergyInJointCoordinates) {
  const Model tree = built(GetParam(), Coordinates::joint);
  const double start = energy(tree, tree.initial);
  std::vector<double> change;
  for (const int steps : {500, 1000}) {
    double largest = 0.0;
    run(*tree.system, tree.initial, "moreau_jean", {}, 0.5 / steps, steps,
        [&](const StepResult& r) { largest = std::max(largest, std::abs(energy(tree, r.next) - start)); });
    change.push_back(largest);
  }
  EXPECT_LT(change[1], 0.05);
  EXPECT_LT(change[1], 0.6 * change[0]);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, BothCoordinates,
                         ::testing::Values(Mechanism{"chain", Space::planar, chain, 5, 0},
                                           Mechanism{"four_bar", Space::planar, four_bar, 3, 2},
                                           Mechanism{"spatial_linkage", Space::spatial, spatial_linkage, 6, 5},
                                           Mechanism{"free_linkage", Space::spatial, free_linkage, 11, 0}),
                         [](const auto& m) { return std::string(m.param.name); });

// --- closed forms
// ------------------------------------------------------------------------------------------------------------

// Nothing holds the joints of a chain but its coordinates: a scheme without any projection keeps them closed.
TEST(JointCoordinates, NothingDrifts) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
  chain(m);
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "moreau_jean_explicit", {}, 1e-3, 2000);
  const auto at = places(model, end);
  double angle = 0.0;
  Vector3 tip = Vector3::Zero();
  for (int i = 0; i < 5; ++i) {
    angle += end.q[i];
    const Vector3 along(std::cos(angle), std::sin(angle), 0);
    EXPECT_LT((at.at("link" + std::to_string(i)) - tip - 0.2 * along).norm(), 1e-13);
    tip += 0.4 * along;
  }
}

TEST(JointCoordinates, ALimitStopsAndRestitutionThrowsBack) {
  for (const Space space : {Space::planar, Space::spatial}) {
    ModelBuilder m(space);
    m.set_coordinates(Coordinates::joint);
    const BodyRef arm = m.add_body({.name = "arm", .mass = 1.0, .inertia = sphere(0.1), .position = {0.5, 0, 0}});
    m.add_joint({.name = "hinge",
                 .kind = "revolute",
                 .a = m.ground().at({0, 0, 0}),
                 .b = arm.at({-0.5, 0, 0}),
                 .start = CoordinateStart{0.0, 2.0}});
    m.add_limit({.joint = "hinge", .upper = 0.5, .restitution = 0.5});
    const Model model = m.build();
    const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 500);
    EXPECT_NEAR(end.v[0], -1.0, 1e-12);
    EXPECT_NEAR(end.q[0], 0.25, 3e-3);  // met at 0.25 s to a step
  }
}

// Eighteen radians against a torsion spring and back, about a skew axis.
TEST(JointCoordinates, AnglesCountTheirTurns) {
  ModelBuilder m(Space::spatial);
  m.set_coordinates(Coordinates::joint);
  const Vector3 axis = Vector3(1, 2, -1).normalized();
  const BodyRef wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = sphere(0.02)});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}).with_axis(axis),
               .b = wheel.at({0, 0, 0}).with_axis(axis),
               .start = CoordinateStart{0.0, 20.0}});
  const double k = 0.02 * 20.0 * 20.0 / (18.0 * 18.0), w = std::sqrt(k / 0.02);
  m.add_spring({.name = "watch", .joint = "hinge", .stiffness = k});
  const Model model = m.build();
  ASSERT_EQ(model.initial.q.size(), 1);
  double worst = 0.0, largest = 0.0;
  run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 4000, [&](const StepResult& r) {
    largest = std::max(largest, r.next.q[0]);
    worst = std::max(worst, std::abs(r.next.q[0] - 18.0 * std::sin(w * r.next.t)));
  });
  EXPECT_NEAR(largest, 18.0, 1e-4);
  EXPECT_LT(worst, 1e-4);  // of the midpoint rule
}

TEST(JointCoordinates, ADriveTurnsAsPrescribed) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
  m.set_gravity({0, -g, 0});
  const BodyRef crank = m.add_body({.name = "crank", .mass = 1.0, .inertia = sphere(0.02), .position = {0.2, 0, 0}});
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = crank.at({-0.2, 0, 0}),
               .start = CoordinateStart{0.0, 30.0}});
  m.add_drive({.joint = "bearing", .motion = [](double t) { return Prescribed{30.0 * t, 30.0, 0.0}; }});
  const Model model = m.build();
  for (const char* scheme : {"projection_combined", "nonsmooth_generalized_alpha"}) {
    double torque = 0.0;
    const State end = run(*model.system, model.initial, scheme, {}, 1e-3, 1000,
                          [&](const StepResult& r) { torque = r.impulse[0] / r.dt_taken; });
    EXPECT_NEAR(end.q[0], 30.0, 1e-9) << scheme;
    EXPECT_NEAR(torque, g * 0.2 * std::cos(30.0), 0.1) << scheme;  // holds the weight, at some time within the step
  }
}

TEST(JointCoordinates, GearsTurnByTheirRatioAndScrewsAdvance) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
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
  m.add_spring({.name = "motor", .joint = "p", .drive = [](double, double, double) { return 0.4; }});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "projection_combined", {}, 1e-3, 2000);
  EXPECT_NEAR(end.q[0] + 3.0 * end.q[1], 0.0, 1e-10);
  EXPECT_NEAR(end.v[0], 6.0 + 0.4 / (0.01 + 0.01) * 2.0, 1e-8);  // (J_p + J_w/9) a = M

  ModelBuilder s(Space::spatial);
  s.set_coordinates(Coordinates::joint);
  s.set_gravity({0, 0, -g});
  const double mass = 0.5, J = 1e-4, pitch = 0.05, ratio = 2 * std::numbers::pi / pitch;
  const BodyRef nut = s.add_body({.name = "nut", .mass = mass, .inertia = sphere(J)});
  s.add_screw({.name = "thread", .a = s.ground().at({0, 0, 0}), .b = nut.at({0, 0, 0}), .pitch = pitch});
  const Model screw = s.build();
  ASSERT_EQ(screw.system->nv(), 2);
  const State down = run(*screw.system, screw.initial, "moreau_jean", {}, 1e-3, 1000);
  EXPECT_NEAR(down.v[1], -mass * g / (mass + J * ratio * ratio), 1e-9);
  EXPECT_NEAR(down.v[0], ratio * down.v[1], 1e-9);
}

// A double pendulum whose tip lands on a rough floor, and a free tree of three discs that lands: as in maximal
// coordinates, to a step.
TEST(JointCoordinates, BodiesOfTreesTouch) {
  const auto scene = [](Coordinates coordinates) {
    ModelBuilder m(Space::planar);
    m.set_coordinates(coordinates);
    m.set_gravity({0, -g, 0});
    m.set_default_contact(ContactParameters{.restitution = 0.2, .friction = 0.3});
    m.add_surface({.name = "floor", .shape = geometry::HalfPlane()});
    std::vector<BodyRef> discs;
    for (int i = 0; i < 3; ++i) {
      discs.push_back(m.add_body({.name = "disc" + std::to_string(i),
                                  .mass = 1.0,
                                  .inertia = sphere(0.005),
                                  .position = {0.3 * i, 0.2 + 0.05 * i, 0},
                                  .angle = std::atan2(0.05, 0.3)}));
      m.add_surface({.body = discs.back().number, .shape = geometry::Disc(0.1)});
      const double half = 0.5 * std::hypot(0.3, 0.05);
      if (i > 0)
        m.add_joint({.name = "pin" + std::to_string(i),
                     .kind = "revolute",
                     .a = discs[static_cast<std::size_t>(i - 1)].at({half, 0, 0}),
                     .b = discs.back().at({-half, 0, 0})});
    }
    return m.build();
  };
  const Model tree = scene(Coordinates::joint), maximal = scene(Coordinates::maximal);
  EXPECT_EQ(tree.system->nv(), 5);
  double rise = 0.0, last = energy(tree, tree.initial), deepest = 0.0;
  const State x = run(*tree.system, tree.initial, "projection_combined", {}, 1e-4, 10000, [&](const StepResult& r) {
    const double now = energy(tree, r.next);
    rise = std::max(rise, now - last);
    last = now;
    for (const auto& [name, at] : places(tree, r.next)) deepest = std::max(deepest, 0.1 - at.y());
  });
  const State y = run(*maximal.system, maximal.initial, "projection_combined", {}, 1e-4, 10000);
  EXPECT_LT(rise, 1e-4);
  EXPECT_LT(deepest, 1e-9);
  for (const auto& [name, at] : places(tree, x)) EXPECT_NEAR(at.y(), 0.1, 1e-8) << name;  // all three lie on the floor
  EXPECT_LT(apart(tree, x, maximal, y), 1e-3);
}

// A wrecking ball on a chain in space, held by a tree, strikes a box that is a body of its own.
TEST(JointCoordinates, TreesAndFreeBodiesStrikeEachOther) {
  ModelBuilder m(Space::spatial);
  m.set_coordinates(Coordinates::joint);
  m.set_default_contact(ContactParameters{.restitution = 1.0});
  const BodyRef ball =
      m.add_body({.name = "ball", .mass = 2.0, .inertia = sphere(0.4 * 2.0 * 0.01), .position = {0, 0, -1}});
  m.add_joint({.name = "rope", .kind = "spherical", .a = m.ground().at({0, 0, 0}), .b = ball.at({0, 0, 1})});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(0.1)});
  const BodyRef box = m.add_body({.name = "box", .mass = 1.0, .inertia = sphere(0.01), .position = {0.3, 0, -1}});
  m.add_surface({.body = box.number, .shape = geometry::Sphere(0.1)});
  Model model = m.build();
  // The pool of free bodies comes first: box, then the ball's spin about the hook.
  ASSERT_EQ(model.system->nv(), 9);
  model.initial.v[7] = -1.0;  // omega_y < 0: the ball moves along +x
  const double before = energy(model, model.initial);
  const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-4, 3000);
  // J = 2.0 (1 + 0.4 0.01) about the hook meets the mass 1 at the arm 1, elastically; it meets a little below the level
  // of the hook's plumb line.
  EXPECT_NEAR(energy(model, end), before,
              5e-5);  // the ball turns on within the step of the blow, and its inertia with it
  const double J = 2.0 * 1.004;
  EXPECT_NEAR(end.v[0], 2.0 * J / (J + 1.0), 2e-2);
}

}  // namespace
}  // namespace carom::model
