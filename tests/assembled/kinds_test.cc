// Kinds that users name by a word: transmissions, particles, solids and compounds, torsional springs, guides in space;
// against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/model/assembly/assembled_system.h"
#include "carom/model/assembly/builder.h"
#include "carom/simulation/simulate.h"
#include "carom/system/layout.h"
#include "model/system_checks.h"
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

class Transmissions : public ::testing::TestWithParam<Coordinates> {};

TEST_P(Transmissions, AGearTurnsByItsRatio) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(GetParam());
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
  m.add_joint({.name = "mesh", .kind = "gear", .couples = {"p", "w"}, .ratio = -3.0});
  m.add_spring({.name = "motor", .joint = "p", .drive = [](double, double, double) { return 0.4; }});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "projection_combined", {}, 1e-3, 2000);
  const Index p = GetParam() == Coordinates::joint ? 0 : 2, w = GetParam() == Coordinates::joint ? 1 : 5;
  EXPECT_NEAR(end.q[p] + 3.0 * end.q[w], 0.0, 1e-10);
  EXPECT_NEAR(end.v[p], 6.0 + 0.4 / (0.01 + 0.01) * 2.0, 1e-8);
}

// A pinion of radius r drives a rack: (m + J / r^2) x'' = M / r.
TEST_P(Transmissions, ARackFollowsItsPinion) {
  const double r = 0.05, J = 0.002, mass = 1.5, torque = 0.3;
  ModelBuilder m(Space::planar);
  m.set_coordinates(GetParam());
  const BodyRef pinion = m.add_body({.name = "pinion", .mass = 1.0, .inertia = sphere(J)});
  const BodyRef rack = m.add_body({.name = "rack", .mass = mass, .inertia = sphere(0.1), .position = {0, -r, 0}});
  m.add_joint({.name = "axle", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = pinion.at({0, 0, 0})});
  m.add_joint({.name = "rail", .kind = "prismatic", .a = m.ground().at({0, -r, 0}), .b = rack.at({0, 0, 0})});
  m.add_joint({.name = "teeth", .kind = "rack", .couples = {"axle", "rail"}, .ratio = r});
  m.add_spring({.name = "motor", .joint = "axle", .drive = [=](double, double, double) { return torque; }});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "projection_combined", {}, 1e-3, 1000);
  const Index x = GetParam() == Coordinates::joint ? 1 : 3, a = GetParam() == Coordinates::joint ? 0 : 2;
  EXPECT_NEAR(end.v[x], torque / r / (mass + J / (r * r)), 1e-9);
  EXPECT_NEAR(end.q[x], r * end.q[a], 1e-11);
}

TEST_P(Transmissions, AScrewAdvancesByItsPitch) {
  const double mass = 0.5, J = 1e-4, pitch = 0.05, ratio = 2 * std::numbers::pi / pitch;
  ModelBuilder m(Space::spatial);
  m.set_coordinates(GetParam());
  m.set_gravity({0, 0, -g});
  const BodyRef nut = m.add_body({.name = "nut", .mass = mass, .inertia = sphere(J)});
  m.add_joint(
      {.name = "thread", .kind = "screw", .a = m.ground().at({0, 0, 0}), .b = nut.at({0, 0, 0}), .ratio = pitch});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "projection_combined", {}, 1e-3, 1000);
  const Index z = GetParam() == Coordinates::joint ? 1 : 2, turn = GetParam() == Coordinates::joint ? 0 : 5;
  const double v = -mass * g / (mass + J * ratio * ratio);
  EXPECT_NEAR(end.v[z], v, 1e-7);
  EXPECT_NEAR(end.v[turn], ratio * v, 1e-5);
}

// A gear with backlash: half the play is free, then the teeth strike.
TEST_P(Transmissions, AGearMayHaveBacklash) {
  const double J1 = 0.02, J2 = 0.05, e = 0.3, play = 0.1, spin = 2.0;
  ModelBuilder m(Space::planar);
  m.set_coordinates(GetParam());
  const BodyRef one = m.add_body({.name = "one", .mass = 1, .inertia = sphere(J1), .spin = {0, 0, spin}});
  const BodyRef two = m.add_body({.name = "two", .mass = 1, .inertia = sphere(J2), .position = {1, 0, 0}});
  m.add_joint({.name = "first", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = one.at({0, 0, 0})});
  m.add_joint({.name = "second", .kind = "revolute", .a = m.ground().at({1, 0, 0}), .b = two.at({0, 0, 0})});
  m.add_joint({.name = "mesh",
               .kind = "gear",
               .couples = {"first", "second"},
               .ratio = 1.0,
               .backlash = play,
               .restitution = e});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 40);
  const Index a = GetParam() == Coordinates::joint ? 0 : 2, b = GetParam() == Coordinates::joint ? 1 : 5;
  EXPECT_NEAR(end.v[b] - end.v[a], e * spin, 1e-10);
  EXPECT_NEAR(J1 * end.v[a] + J2 * end.v[b], J1 * spin, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Coordinates, Transmissions, ::testing::Values(Coordinates::maximal, Coordinates::joint),
                         [](const auto& c) { return c.param == Coordinates::joint ? "joint" : "maximal"; });

// --- particles
// ---------------------------------------------------------------------------------------------------------------

// A thrown particle flies a parabola, which a theta scheme with theta = 1/2 meets exactly; one without weight flies on.
TEST(Particles, FlyParabolas) {
  for (const Space space : {Space::planar, Space::spatial}) {
    ModelBuilder m(space);
    m.set_gravity({0, -g, 0});
    m.add_particle({.name = "a", .mass = 0.3, .position = {0, 1, 0}, .velocity = {2, 3, 0}});
    m.add_particle({.name = "b", .mass = 2.0, .velocity = {1, 1, 0}, .weightless = true});
    const Model model = m.build();
    const Index n = space == Space::planar ? 2 : 3;
    ASSERT_EQ(model.system->nv(), 2 * n);
    const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-2, 100);
    EXPECT_NEAR(end.q[0], 2.0, 1e-12);
    EXPECT_NEAR(end.q[1], 1 + 3 - 0.5 * g, 1e-12);
    EXPECT_NEAR(end.q[n], 1.0, 1e-12);
    EXPECT_NEAR(end.q[n + 1], 1.0, 1e-12);
    EXPECT_EQ(layout_of(*model.system).trouble(model.system->nq(), model.system->nv()), "");
  }
}

// On a rope that only pulls, held by a distance joint, between a body and a particle: everything against differences.
TEST(Particles, AreHeldSprungAndTouched) {
  for (const Space space : {Space::planar, Space::spatial}) {
    ModelBuilder m(space);
    m.set_gravity({1, -g, 0});
    m.set_default_contact(ContactParameters{.friction = 0.4});
    const BodyRef p = m.add_particle({.name = "p", .mass = 0.3, .position = {0.1, 1, 0}, .velocity = {2, 3, 0}});
    const BodyRef o = m.add_particle({.name = "o", .mass = 0.4, .position = {1.0, 1.3, 0}, .velocity = {-2, 1, 0}});
    const BodyRef b =
        m.add_body({.name = "body", .mass = 1.0, .inertia = sphere(0.1), .position = {0.5, 0.2, 0}, .spin = {0, 0, 2}});
    m.add_joint({.name = "rod", .kind = "distance", .a = p.at({0, 0, 0}), .b = b.at({0.1, 0.2, 0})});
    m.add_spring({.name = "spring",
                  .a = p.at({0, 0, 0}),
                  .b = o.at({0, 0, 0}),
                  .stiffness = 30.0,
                  .damping = 1.0,
                  .free_length = 0.5});
    if (space == Space::planar) {
      m.add_surface({.body = o.number, .shape = geometry::Disc(0.1)});
      m.add_surface({.name = "floor", .shape = geometry::HalfPlane(Eigen::Vector2d(0.2, 1.0).normalized(), 1.3)});
    } else {
      m.add_surface({.body = o.number, .shape = geometry::Sphere(0.1)});
      m.add_surface({.name = "floor", .shape = geometry::HalfSpace(Vector3(0.2, 1.0, 0.1).normalized(), 1.3)});
    }
    const Model model = m.build();
    const Vector fast = 50.0 * model.initial.v;
    const carom::testing::SystemChecks checks(*model.system, 0.0, model.initial.q, fast);
    EXPECT_EQ(checks.all().size(), 2);
    checks.expect_rows_are_gradients(1e-6);
    checks.expect_force_derivatives(1e-6);
    checks.expect_energy_balance(1e-6);
  }
}

// A particle slides to rest after v^2 / (2 mu g).
TEST(Particles, SlideToRest) {
  const double mu = 0.3, v = 2.0;
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{.friction = mu});
  const BodyRef p = m.add_particle({.name = "p", .mass = 0.3, .position = {0, 0, 0.05}, .velocity = {v, 0, 0}});
  m.add_surface({.body = p.number, .shape = geometry::Sphere(0.05)});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 1000);
  EXPECT_NEAR(end.q[0], v * v / (2 * mu * g), 1e-5);
  EXPECT_NEAR(end.v.norm(), 0.0, 1e-12);
}

// --- solids
// ------------------------------------------------------------------------------------------------------------------

// A dumbbell of two balls at different distances: mass and centre follow, and it rests lying on both balls.
TEST(Solids, ACompoundHasItsMassAndRestsOnBothBalls) {
  const double r = 0.1, density = 800.0, a = 0.3, b = 0.2;
  const Matrix3 I = Matrix3::Identity();
  const geometry::Compound dumbbell(
      {{geometry::Sphere(r), {Vector3(-a, 0, 0), I}}, {geometry::Sphere(r), {Vector3(b, 0, 0), I}}});
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{.friction = 0.5});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  m.add_solid({.name = "dumbbell", .shape = dumbbell, .density = density, .position = {0, 0, r}});
  const Model model = m.build();
  EXPECT_NEAR(model.initial.q[0], 0.5 * (b - a), 1e-15);  // of the centre
  Vector force = Vector::Zero(2);
  const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-2, 100, [&](const StepResult& step) {
    force.setZero();
    for (std::size_t k = 0; k < step.contacts.size() && k < 2; ++k)
      force[static_cast<Index>(k)] = step.impulse[step.contacts[k].row] / step.dt_taken;
  });
  EXPECT_LT((end.q - model.initial.q).norm(), 1e-12);
  const double weight = density * 2 * 4.0 / 3.0 * std::numbers::pi * r * r * r * g;
  EXPECT_NEAR(force[0], 0.5 * weight, 1e-9 * weight);  // the centre lies in the middle between the balls
  EXPECT_NEAR(force[1], 0.5 * weight, 1e-9 * weight);
}

// An L of two boxes, made at an angle: it tips over its edge if its centre lies outside, in the plane.
TEST(Solids, AnOffsetCentreTips) {
  for (const double overhang : {0.15, 0.6}) {
    const Matrix3 I = Matrix3::Identity();
    const auto box = [](double x, double y) {
      return geometry::Polygon({{-x / 2, -y / 2}, {x / 2, -y / 2}, {x / 2, y / 2}, {-x / 2, y / 2}});
    };
    const geometry::Compound hook(
        {{box(0.2, 0.2), {Vector3(0, 0.1, 0), I}}, {box(overhang, 0.1), {Vector3(0.1 + overhang / 2, 0.15, 0), I}}});
    ModelBuilder m(Space::planar);
    m.set_gravity({0, -g, 0});
    m.set_default_contact(ContactParameters{.friction = 0.5});
    m.add_surface({.name = "floor", .shape = geometry::HalfPlane()});
    m.add_solid({.name = "hook", .shape = hook, .density = 100.0});
    const Model model = m.build();
    const double centre = (0.04 * 0.0 + 0.1 * overhang * (0.1 + overhang / 2)) / (0.04 + 0.1 * overhang);
    EXPECT_NEAR(model.initial.q[0], centre, 1e-14);
    const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 300);
    if (centre < 0.1)
      EXPECT_NEAR(end.q[2], 0.0, 1e-9);
    else
      EXPECT_LT(end.q[2], -0.05);
  }
}

TEST(Solids, CollisionGroupsLetThrough) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  m.set_default_contact(ContactParameters{});
  m.add_surface({.name = "floor", .shape = geometry::HalfSpace(), .groups = 1, .meets = 2});
  m.add_solid({.name = "stays", .shape = geometry::Sphere(0.1), .position = {0, 0, 0.1}, .groups = 2});
  m.add_solid({.name = "falls", .shape = geometry::Sphere(0.1), .position = {1, 0, 0.1}, .groups = 4});
  m.add_solid(
      {.name = "floats", .shape = geometry::Sphere(0.1), .position = {2, 0, 0.1}, .weightless = true, .groups = 4});
  const Model model = m.build();
  const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-2, 100);
  EXPECT_NEAR(end.q[2], 0.1, 1e-12);
  EXPECT_NEAR(end.q[9], 0.1 - 0.5 * g, 1e-9);
  EXPECT_NEAR(end.q[16], 0.1, 1e-15);
}

// --- springs
// -----------------------------------------------------------------------------------------------------------------

// Between two sites without any joint: a wheel on a wire, several turns.
TEST(TorsionalSprings, CountTurnsBetweenFreeBodies) {
  for (const Space space : {Space::planar, Space::spatial}) {
    ModelBuilder m(space);
    const double J1 = 0.02, J2 = 0.03, k = 0.05, spin = 30.0;
    const BodyRef a = m.add_body({.name = "a", .mass = 1.0, .inertia = sphere(J1), .spin = {0, 0, spin}});
    const BodyRef b = m.add_body(
        {.name = "b", .mass = 1.0, .inertia = sphere(J2), .position = {0, 0, space == Space::planar ? 0.0 : 1.0}});
    m.add_spring({.name = "wire", .a = a.at({0, 0, 0}), .b = b.at({0, 0, 0}), .torsional = true, .stiffness = k});
    const Model model = m.build();
    const double w = std::sqrt(k * (1 / J1 + 1 / J2)), t = 1.0;
    EXPECT_GT(spin / w, 2 * std::numbers::pi);  // more than a turn
    const State end = run(*model.system, model.initial, "moreau_jean", {}, 1e-4, 10000);
    const Index first = space == Space::planar ? 2 : 5, second = space == Space::planar ? 5 : 11;
    const double relative = spin * std::cos(w * t);
    EXPECT_NEAR(end.v[first] - end.v[second], relative, 1e-4);
    EXPECT_NEAR(J1 * end.v[first] + J2 * end.v[second], J1 * spin, 1e-11);
    EXPECT_NEAR(energy(model, end), energy(model, model.initial), 1e-6);
  }
}

// --- a block in a channel
// ------------------------------------------------------------------------------------------------------

// Driven hither and thither and let turn, it stays within its play, and energy only falls.
TEST(GuideInSpace, ABlockRattlesWithinItsPlay) {
  ModelBuilder m(Space::spatial);
  m.set_gravity({0, 0, -g});
  const double play = 1e-3;
  const Vector3 half(0.05, 0.025, 0.03);
  const BodyRef block = m.add_body(
      {.name = "block", .mass = 0.5, .inertia = sphere(5e-4), .velocity = {1, 0.3, 0.1}, .spin = {1, -0.5, 2}});
  m.add_guide({.name = "channel",
               .guide = m.ground().at({0, 0, 0}),
               .block = block.at({0, 0, 0}),
               .half_length = half.x(),
               .half_height = half.y(),
               .clearance = play,
               .law = {.restitution = 0.3, .friction = 0.1},
               .half_width = half.z()});
  const Model model = m.build();
  double deepest = 0.0, rise = 0.0, last = energy(model, model.initial);
  int touched = 0;
  const State end = run(*model.system, model.initial, "projection_combined", {}, 1e-4, 5000, [&](const StepResult& r) {
    const Matrix3 R = rotation_matrix(Quaternion(r.next.q.segment<4>(3)));
    for (int k = 0; k < 8; ++k) {
      const Vector3 corner =
          Vector3(r.next.q.head<3>()) +
          R * Vector3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), k & 4 ? half.z() : -half.z());
      deepest = std::max({deepest, std::abs(corner.y()) - half.y() - play, std::abs(corner.z()) - half.z() - play});
    }
    for (Index i = 0; i < r.impulse.size(); ++i) touched += r.impulse[i] > 0.0;
    const double now = energy(model, r.next);
    rise = std::max(rise, now - last);
    last = now;
  });
  EXPECT_GT(touched, 20);
  EXPECT_LT(deepest, 1e-9);
  EXPECT_LT(rise, 1e-5);
  EXPECT_GT(end.q[0], 0.1);
  EXPECT_NEAR(end.q[2], -play, 1e-6);  // in the end it lies on the floor of the channel
}

// --- where everything is
// -------------------------------------------------------------------------------------------------------

TEST(JointCoordinateRemarks, SayWhatStaysMaximal) {
  ModelBuilder m(Space::planar);
  m.set_coordinates(Coordinates::joint);
  SiteSpec end = m.ground().at({0, 0, 0});
  for (int i = 0; i < 70; ++i) {
    const BodyRef link =
        m.add_body({.name = "link" + std::to_string(i), .inertia = sphere(0.01), .position = {0.1 + 0.2 * i, 0, 0}});
    m.add_joint({.name = "pin" + std::to_string(i), .kind = "revolute", .a = end, .b = link.at({-0.1, 0, 0})});
    end = link.at({0.1, 0, 0});
  }
  const BodyRef slide = m.add_body({.name = "slide", .inertia = sphere(0.01), .position = {0, 1, 0}});
  m.add_joint({.name = "rough",
               .kind = "prismatic",
               .a = m.ground().at({0, 1, 0}),
               .b = slide.at({0, 0, 0}),
               .friction = JointFriction{0.1}});
  const Model model = m.build();
  EXPECT_EQ(model.system->nv(), 3 * 71);
  const auto said = [&](const std::string& words) {
    return std::any_of(model.remarks.begin(), model.remarks.end(),
                       [&](const std::string& r) { return r.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(said("70 bodies at link0 would have 70 velocities"));
  EXPECT_TRUE(said("joint.rough stays rows: it has friction"));
}

// The bodies of a tree, driven bodies and particles can be read off a state like others.
TEST(StateFrames, KnowTheMotionOfEveryBody) {
  ModelBuilder m(Space::spatial);
  m.set_coordinates(Coordinates::joint);
  const BodyRef arm = m.add_body({.name = "arm", .mass = 1.0, .inertia = sphere(0.1), .position = {0.5, 0, 0}});
  m.add_joint({.name = "hinge",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = arm.at({-0.5, 0, 0}),
               .start = CoordinateStart{0.3, 2.0}});
  m.add_particle({.name = "p", .position = {1, 2, 3}, .velocity = {4, 5, 6}});
  m.add_kinematic_body({"belt", [](double t) {
                          PrescribedMotion motion;
                          motion.pose.x = Vector3(t, 0, 0);
                          motion.twist.velocity = Vector3(1, 0, 0);
                          return motion;
                        }});
  const Model model = m.build();
  const Layout layout = layout_of(*model.system);
  std::map<std::string, std::pair<Pose, Twist>> found;
  State state = model.initial;
  state.t = 0.7;
  for (const StateFrame& frame : layout.frames()) {
    ASSERT_TRUE(frame.motion) << frame.name;
    frame.motion(state, found[frame.name].first, found[frame.name].second);
  }
  const Vector3 along(std::cos(0.3), std::sin(0.3), 0), across(-std::sin(0.3), std::cos(0.3), 0);
  EXPECT_LT((found.at("arm").first.x - 0.5 * along).norm(), 1e-15);
  EXPECT_LT((found.at("arm").second.velocity - 1.0 * across).norm(), 1e-14);
  EXPECT_LT((found.at("p").second.velocity - Vector3(4, 5, 6)).norm(), 1e-15);
  EXPECT_LT((found.at("belt").first.x - Vector3(0.7, 0, 0)).norm(), 1e-15);
}

// --- joints that break
// -----------------------------------------------------------------------------------------------------------

// A weight on a hook that is too weak falls; on one that is strong enough it hangs.
TEST(BreakableJoints, AHookHoldsWhatItCan) {
  const double mass = 2.0;
  for (const double strength : {0.9 * mass * g, 1.1 * mass * g}) {
    ModelBuilder m(Space::spatial);
    m.set_gravity({0, 0, -g});
    const BodyRef weight = m.add_body({.name = "weight", .mass = mass, .inertia = sphere(0.01)});
    m.add_joint({.name = "hook",
                 .kind = "spherical",
                 .a = m.ground().at({0, 0, 0}),
                 .b = weight.at({0, 0, 0}),
                 .breaks_at = JointStrength{.force = strength}});
    const Model model = m.build();
    EXPECT_EQ(layout_of(*model.system).trouble(model.system->nq(), model.system->nv()), "");
    const auto scheme = make_scheme("moreau_jean", {});
    const auto solver = make_solver("automatic");
    const SimulationSummary done = simulate(*model.system, *scheme, *solver, model.initial, {.t_end = 0.5, .dt = 1e-3});
    ASSERT_EQ(done.outcome, Outcome::finished);
    const bool holds = strength > mass * g;
    EXPECT_EQ(done.last.q[7], holds ? 0.0 : 1.0);
    EXPECT_NEAR(done.last.q[2], holds ? 0.0 : -0.5 * g * 0.499 * 0.499, 1e-9);  // the first step still holds
  }
}

// A stone on an arm that is spun up by a constant torque flies off when m w^2 r reaches the strength, along the
// tangent.
TEST(BreakableJoints, ASlingLetsGo) {
  const double mass = 0.5, r = 0.8, strength = 40.0, torque = 2.0;
  ModelBuilder m(Space::planar);
  const BodyRef stone = m.add_body({.name = "stone", .mass = mass, .inertia = sphere(0.001), .position = {r, 0, 0}});
  m.add_joint({.name = "sling",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = stone.at({-r, 0, 0}),
               .breaks_at = JointStrength{.force = strength}});
  m.add_spring(
      {.name = "motor", .joint = "sling", .drive = [=](double t, double, double) { return t < 2.0 ? torque : 0.0; }});
  const Model model = m.build();
  double let_go = -1.0, spin = 0.0;
  class Watch final : public Recorder {
   public:
    double let_go = -1.0, spin = 0.0;
    void step(const System&, const StepView& view) override {
      if (let_go < 0.0 && view.result.next.q[3] != 0.0) let_go = view.result.next.t, spin = view.result.next.v[2];
    }
  } watch;
  const auto scheme = make_scheme("projection_combined", {});
  const auto solver = make_solver("automatic");
  const SimulationSummary done =
      simulate(*model.system, *scheme, *solver, model.initial, {.t_end = 2.0, .dt = 1e-4}, &watch);
  ASSERT_EQ(done.outcome, Outcome::finished);
  let_go = watch.let_go;
  spin = watch.spin;
  // The force has a part along the path too: m r alpha.
  const double J = mass * r * r + 0.001, alpha = torque / J,
               centripetal = std::sqrt(strength * strength - std::pow(mass * r * alpha, 2));
  EXPECT_NEAR(spin, std::sqrt(centripetal / (mass * r)), 5e-3);
  EXPECT_NEAR(let_go, spin / alpha, 6e-3);  // the scheme loses a little of the spin
  EXPECT_GT(done.last.q.head<2>().norm(), 2 * r);
}

}  // namespace
}  // namespace carom::model
