// Flexible bodies as parts: held by joints, driven, sprung and struck like rigid ones.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/assembly/builder.h"
#include "carom/simulation/simulate.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

constexpr double g = 9.81;

PlanarBeamSpec strip(Index elements = 6) {
  PlanarBeamSpec spec;
  spec.name = "arm";
  spec.elements = elements;
  spec.section = {.EA = 2e4, .GA = 8e3, .EI = 4.0, .rho_A = 0.5, .rho_I = 1e-4};
  return spec;
}

SpatialBeamSpec rod(Index elements = 4) {
  SpatialBeamSpec spec;
  spec.name = "rod";
  spec.elements = elements;
  spec.section = {.EA = 2e4,
                  .GA_2 = 8e3,
                  .GA_3 = 8e3,
                  .GJ = 3.0,
                  .EI_2 = 4.0,
                  .EI_3 = 5.0,
                  .rho_A = 0.5,
                  .rho_J = {2e-4, 1e-4, 1e-4}};
  return spec;
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints hold as supports do

TEST(FlexibleParts, ARevoluteJointHoldsAPlanarBeamAsItsSupportDoes) {
  ModelBuilder joined(Space::planar), supported(Space::planar);
  for (ModelBuilder* m : {&joined, &supported}) m->set_gravity({0, -g, 0});
  const FlexibleRef arm = joined.add_planar_beam(strip());
  joined.add_joint({.name = "hinge", .kind = "revolute", .a = joined.ground().at({0, 0, 0}), .b = arm.node(0)});
  PlanarBeamSpec held = strip();
  held.supports = {PlanarSupport::hinged(0)};
  supported.add_planar_beam(held);
  const Model a = joined.build(), b = supported.build();
  ASSERT_EQ(a.initial.q.size(), b.initial.q.size() + 2);
  const State end_a = testing::run(*a.system, a.initial, "moreau_jean", {{"newton_tolerance", 1e-12}}, 1e-3, 200);
  const State end_b = testing::run(*b.system, b.initial, "moreau_jean", {{"newton_tolerance", 1e-12}}, 1e-3, 200);
  EXPECT_GT(end_a.q.tail<3>().norm(), 1.0);  // it fell
  EXPECT_LT((end_a.q.tail(end_b.q.size()) - end_b.q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(end_a.q.head<2>().norm(), 1e-12);
}

TEST(FlexibleParts, AFixedJointHoldsASpatialBeamAsItsSupportDoes) {
  ModelBuilder joined(Space::spatial), supported(Space::spatial);
  for (ModelBuilder* m : {&joined, &supported}) m->set_gravity({0, 1.0, -g});
  const FlexibleRef beam = joined.add_spatial_beam(rod());
  joined.add_joint({.name = "wall", .kind = "fixed", .a = joined.ground().at({0, 0, 0}), .b = beam.node(0)});
  SpatialBeamSpec held = rod();
  held.supports = {SpatialSupport::clamped(0)};
  supported.add_spatial_beam(held);
  const Model a = joined.build(), b = supported.build();
  const State end_a = testing::run(*a.system, a.initial, "moreau_jean", {{"newton_tolerance", 1e-12}}, 1e-3, 100);
  const State end_b = testing::run(*b.system, b.initial, "moreau_jean", {{"newton_tolerance", 1e-12}}, 1e-3, 100);
  EXPECT_LT(end_b.q[end_b.q.size() - 5], -1e-2);  // the tip hangs
  EXPECT_LT((end_a.q.tail(end_b.q.size()) - end_b.q).cwiseAbs().maxCoeff(), 1e-9);
}

// A weight on a cantilever by a rigid body welded to its tip: the static deflection is that of a tip load, F L^3 / 3 EI
// + F L / GA.
TEST(FlexibleParts, ABodyWeldedToATipLoadsIt) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  PlanarBeamSpec light = strip(16);
  light.section.rho_A = 1e-6;
  light.section.rho_I = 1e-9;
  const FlexibleRef arm = m.add_planar_beam(light);
  const double mass = 1e-3;  // small: linear theory holds
  const BodyRef weight =
      m.add_body({.name = "weight", .mass = mass, .inertia = 1e-9 * Matrix3::Identity(), .position = {1, 0, 0}});
  m.add_joint({.name = "wall", .kind = "fixed", .a = m.ground().at({0, 0, 0}), .b = arm.node(0)});
  m.add_joint({.name = "weld", .kind = "fixed", .a = arm.at_length(1.0), .b = weight.at({0, 0, 0})});
  const Model model = m.build();
  // Backward differences come to rest.
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {{"theta", 1.0}}, 1e-3, 4000);
  const double F = mass * g, n = 16, deflection = F / (3 * 4.0) + F / 8e3;
  EXPECT_NEAR(end.q[1], -deflection, deflection * (0.3 / (n * n) + 1e-6));  // one-point elements: (L/n)^2
  EXPECT_NEAR(end.q[end.q.size() - 2], end.q[1], 1e-12);                    // the tip is where the weight is
}

// Springs between a section inside an element, a body and the ground: in balance at the start they stay at rest.
TEST(FlexibleParts, ASpringAtASectionCarriesTheBeam) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  PlanarBeamSpec stiff = strip(4);
  stiff.section.EA = stiff.section.GA = stiff.section.EI = 1e6;
  const FlexibleRef beam = m.add_planar_beam(stiff);
  const double weight = 0.5 * g, k = 1e3;
  // Two springs a quarter from both ends, inside elements, each stretched by half the weight.
  for (const double at : {0.3, 0.7})
    m.add_spring({.name = "s" + std::to_string(at),
                  .a = m.ground().at({at, 1.0, 0}),
                  .b = beam.at_length(at),
                  .stiffness = k,
                  .free_length = 1.0 - 0.5 * weight / k});
  const Model model = m.build();
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 300);
  EXPECT_LT((end.q - model.initial.q).cwiseAbs().maxCoeff(),
            2e-6);  // it bends by its own weight, and swings about that
}

// ---------------------------------------------------------------------------------------------------------------------
// A beam on a revolute joint, driven by a motor against a stop

// Switched on and off without a jump.
double torque(double t) {
  constexpr double most = 6.0, duration = 0.15;
  const double wave = std::sin(M_PI * t / duration);
  return t < duration ? most * wave * wave : 0.0;
}

Model driven_beam(double restitution) {
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -g, 0});
  m.set_default_contact(ContactParameters{.restitution = restitution, .friction = 0.2});
  const FlexibleRef arm = m.add_planar_beam(strip());
  m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = arm.node(0)});
  m.add_spring({.name = "motor", .joint = "hinge", .drive = [](double t, double, double) { return torque(t); }});
  m.add_surface({.name = "tip", .shape = geometry::Disc(0.02), .at = arm.node(6)});
  m.add_surface({.name = "knee", .shape = geometry::Disc(0.02), .at = arm.at_length(0.55)});
  m.add_surface({.name = "stop", .shape = geometry::HalfPlane({0, -1}, -0.14)});  // everything above y = 0.14
  return m.build();
}

// The work of the motor by the angle of the hinge alone, and how far the beam bends.
class MotorBook final : public Recorder {
 public:
  void step(const System&, const StepView& view) override {
    work += torque(view.before.t + 0.5 * view.result.dt_taken) * (view.result.next.q[2] - view.before.q[2]);
    highest = std::max(highest, view.result.next.q[19]);
    bend = std::max(bend, std::abs(view.result.next.q[2] - view.result.next.q[20]));
  }
  double work = 0.0, highest = -1.0, bend = 0.0;
};

class DrivenBeam : public ::testing::TestWithParam<const char*> {};

TEST_P(DrivenBeam, EnergyIsAccountedFor) {
  const Model model = driven_beam(0.3);
  ASSERT_EQ(model.system->coordinate_name(19), "arm.node6.y");
  double last = 0.0;
  for (const double dt : {2e-4, 1e-4}) {
    MotorBook motor;
    const auto scheme = make_scheme(GetParam(), {});
    const auto solver = make_solver("automatic");
    const SimulationSummary done =
        simulate(*model.system, *scheme, *solver, model.initial, {.t_end = 0.2, .dt = dt}, &motor);
    ASSERT_EQ(done.outcome, Outcome::finished) << done.advice;
    const Audit& audit = done.audit;
    EXPECT_GT(motor.bend, 0.05);
    EXPECT_NEAR(motor.highest, 0.12, 2e-3);  // the tip's centre at the stop
    EXPECT_GT(audit.impact_loss, 0.02);
    EXPECT_NEAR(audit.other_work, motor.work, 2e-3 * motor.work);
    const double balance = audit.start_energy + audit.other_work - audit.impact_loss - audit.friction_loss -
                           audit.joint_loss - audit.end_energy;
    EXPECT_NEAR(balance, -audit.scheme_residual, 1e-9);
    const double open = std::abs(audit.scheme_residual) / motor.work;
    EXPECT_LT(open, 0.05) << GetParam() << " at " << dt;
    if (last > 0.0) {
      EXPECT_LT(open, 0.9 * last + 1e-3);
    }
    last = open;
    EXPECT_LT(audit.joint_error, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, DrivenBeam,
                         ::testing::Values("moreau_jean", "projection_combined", "nonsmooth_generalized_alpha",
                                           "ggl_unified"));

// ---------------------------------------------------------------------------------------------------------------------
// A linear body held at two nodes and struck by a sphere

// Masses in a row along x, every one with three displacements; bars between neighbours, bending by second differences.
LinearBodySpec row_of_masses(Index count, double length, double mass, double stretching, double bending) {
  LinearBodySpec spec;
  spec.name = "beam";
  const double l = length / (count - 1);
  std::vector<Eigen::Triplet<double>> M, K;
  for (Index i = 0; i < count; ++i) {
    spec.nodes.push_back({{i * l, 0.0, 0.0}, {3 * i, 3 * i + 1, 3 * i + 2}, {-1, -1, -1}});
    for (Index c = 0; c < 3; ++c) M.emplace_back(3 * i + c, 3 * i + c, mass / count);
  }
  const auto add = [&](double stiffness, const std::vector<std::pair<Index, double>>& row) {
    for (const auto& [i, a] : row)
      for (const auto& [j, b] : row) K.emplace_back(i, j, stiffness * a * b);
  };
  for (Index i = 0; i + 1 < count; ++i) add(stretching / l, {{3 * i, -1.0}, {3 * i + 3, 1.0}});
  for (Index i = 0; i + 2 < count; ++i)
    for (Index c = 1; c < 3; ++c)
      add(bending / (l * l * l), {{3 * i + c, 1.0}, {3 * i + 3 + c, -2.0}, {3 * i + 6 + c, 1.0}});
  spec.M.resize(3 * count, 3 * count);
  spec.K.resize(3 * count, 3 * count);
  spec.M.setFromTriplets(M.begin(), M.end());
  spec.K.setFromTriplets(K.begin(), K.end());
  return spec;
}

constexpr double ball_mass = 0.3, ball_speed = 2.0, ball_radius = 0.05, node_radius = 0.01;

struct Struck {
  Model model;
  Index beam = 6;  // velocities before those of the beam
  double node_mass = 0.0;
};

Struck struck_beam(Index count, double restitution, const Vector3& gravity, Index modes = 0) {
  ModelBuilder m(Space::spatial);
  m.set_gravity(gravity);
  m.set_default_contact(ContactParameters{.restitution = restitution});
  LinearBodySpec spec = row_of_masses(count, 1.0, 0.2 * count, 1e4, 10.0);
  spec.modes = modes;
  const FlexibleRef beam = m.add_linear_body(spec);
  m.add_joint({.name = "left", .kind = "spherical", .a = m.ground().at({0, 0, 0}), .b = beam.node(0)});
  m.add_joint({.name = "right", .kind = "spherical", .a = m.ground().at({1, 0, 0}), .b = beam.node(count - 1)});
  const BodyRef ball = m.add_body({.name = "ball",
                                   .mass = ball_mass,
                                   .inertia = 3e-4 * Matrix3::Identity(),
                                   .position = {0.5, 0, ball_radius + node_radius + 1e-3},
                                   .velocity = {0, 0, -ball_speed}});
  m.add_surface({.body = ball.number, .shape = geometry::Sphere(ball_radius)});
  m.add_surface({.name = "middle", .shape = geometry::Sphere(node_radius), .at = beam.node(count / 2)});
  return {m.build(), 6, 0.2};
}

class StruckBeam : public ::testing::TestWithParam<const char*> {};

// Three masses of which the outer two are held: the blow is that of two free masses, then one mass swings on its
// spring.
TEST_P(StruckBeam, OneMassRecoilsByTheClosedForm) {
  const double e = 0.6;
  const Struck s = struck_beam(3, e, Vector3::Zero());
  const double m1 = ball_mass, m2 = s.node_mass, closing = ball_speed;
  const double blow = (1 + e) * m1 * m2 / (m1 + m2) * closing;
  double impulse = 0.0;
  int blows = 0;
  const State end = testing::run(*s.model.system, s.model.initial, GetParam(), {}, 1e-5, 200, [&](const StepResult& r) {
    for (const StepContact& c : r.contacts)
      if (!c.constraint.bilateral && r.impulse[c.row] > 1e-9) impulse += r.impulse[c.row], ++blows;
  });
  EXPECT_EQ(blows, 1);
  EXPECT_NEAR(impulse, blow, 1e-3 * blow);  // the spring pushes a little during the step
  EXPECT_NEAR(end.v[2], -ball_speed + blow / m1, 1e-3 * ball_speed);
  // The mass on the spring of the row: K_zz of the middle node with both neighbours held.
  const double stiffness = 4 * 10.0 / 0.125, w = std::sqrt(stiffness / m2);
  const double flight = 1e-3 / ball_speed, since = 200e-5 - flight;
  EXPECT_NEAR(end.q[7 + 3 + 2], -blow / m2 / w * std::sin(w * since), 0.02 * blow / m2 * since);
  EXPECT_NEAR(end.v[6 + 3 + 2], -blow / m2 * std::cos(w * since), 2e-3 * blow / m2);
}

// Many masses under gravity: momentum goes where joints, contact and weight send it; energy closes.
TEST_P(StruckBeam, MomentumAndEnergyAreAccountedFor) {
  const Index count = 21;
  const double e = 0.5;
  const Struck s = struck_beam(count, e, {0, 0, -g});
  const System& system = *s.model.system;
  const auto momentum = [&](const Vector& v) {
    double p = ball_mass * v[2];
    for (Index i = 0; i < count; ++i) p += 0.2 * v[s.beam + 3 * i + 2];
    return p;
  };
  class Book final : public Recorder {
   public:
    void step(const System&, const StepView& view) override {
      for (const StepContact& c : view.result.contacts) {
        if (c.constraint.bilateral)
          joints -= view.result.impulse[c.row + 2];  // force -e on b
        else
          contact += view.result.impulse[c.row];
      }
    }
    double joints = 0.0, contact = 0.0;
  } book;
  const auto scheme = make_scheme(GetParam(), {});
  const auto solver = make_solver("automatic");
  const double t_end = 0.02;
  const SimulationSummary done =
      simulate(system, *scheme, *solver, s.model.initial, {.t_end = t_end, .dt = 1e-4}, &book);
  ASSERT_EQ(done.outcome, Outcome::finished) << done.advice;
  EXPECT_GT(book.contact, 0.1);
  const double weight = (ball_mass + 0.2 * count) * g * t_end;
  // Generalized-alpha keeps part of a force for the next step.
  const double exact = std::string(GetParam()) == "nonsmooth_generalized_alpha" ? 1e-4 : 1e-9;
  EXPECT_NEAR(momentum(done.last.v) - momentum(s.model.initial.v), book.joints - weight, exact);
  EXPECT_NEAR(ball_mass * (done.last.v[2] + ball_speed), book.contact - ball_mass * g * t_end, exact);
  const double kinetic = 0.5 * ball_mass * ball_speed * ball_speed;
  EXPECT_LT(std::abs(done.audit.scheme_residual), 0.02 * kinetic) << GetParam();
  EXPECT_GT(done.audit.impact_loss, 0.05 * kinetic);
  EXPECT_LT(done.audit.joint_error, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Schemes, StruckBeam,
                         ::testing::Values("moreau_jean", "projection_combined", "nonsmooth_generalized_alpha",
                                           "ggl_unified"));

// Held at both ends the middle sags as the matrices say, and as few modes with corrections at the attached nodes say.
TEST(FlexibleParts, ModesWithCorrectionsSagAsTheWholeDoes) {
  const auto sag = [](Index modes) {
    ModelBuilder m(Space::spatial);
    m.set_gravity({0, 0, -g});
    LinearBodySpec spec = row_of_masses(15, 1.0, 1.5, 1e4, 10.0);
    spec.modes = modes;
    spec.damping = {5.0, 0.0};
    const FlexibleRef beam = m.add_linear_body(spec);
    m.add_joint({.name = "left", .kind = "spherical", .a = m.ground().at({0, 0, 0}), .b = beam.node(0)});
    m.add_joint({.name = "right", .kind = "spherical", .a = m.ground().at({1, 0, 0}), .b = beam.node(14)});
    const BodyRef weight =
        m.add_body({.name = "weight", .mass = 2.0, .inertia = Matrix3::Identity(), .position = {0.5, 0, 0}});
    m.add_joint({.name = "hook", .kind = "spherical", .a = beam.node(7), .b = weight.at({0, 0, 0})});
    const Model model = m.build();
    const State end = testing::run(*model.system, model.initial, "moreau_jean", {{"theta", 1.0}}, 0.5, 100);
    return end.q[2];
  };
  const double whole = sag(0);
  EXPECT_LT(whole, -0.01);
  EXPECT_NEAR(sag(8), whole, 2e-3 * std::abs(whole));
}

TEST(FlexibleParts, PlacesThatAreNotThereAreRefused) {
  const auto code = [](const std::function<void(ModelBuilder&, FlexibleRef)>& attach) {
    ModelBuilder m(Space::planar);
    const FlexibleRef arm = m.add_planar_beam(strip());
    attach(m, arm);
    try {
      m.build();
    } catch (const InputError& error) {
      return error.problems().front().code;
    }
    return std::string();
  };
  const auto joint = [](ModelBuilder& m, SiteSpec b) {
    m.add_joint({.name = "j", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = b});
  };
  EXPECT_EQ(code([&](ModelBuilder& m, FlexibleRef arm) { joint(m, arm.node(0)); }), "");
  EXPECT_EQ(code([&](ModelBuilder& m, FlexibleRef arm) { joint(m, arm.node(7)); }), "E0150");
  EXPECT_EQ(code([&](ModelBuilder& m, FlexibleRef arm) { joint(m, arm.at_length(1.1)); }), "E0150");
  EXPECT_EQ(
      code([&](ModelBuilder& m, FlexibleRef) { joint(m, m.add_linear_body(row_of_masses(3, 1, 1, 1, 1)).node(3)); }),
      "E0151");
}

}  // namespace
}  // namespace carom::model
