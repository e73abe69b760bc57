// Stepping by hand is the run itself; a checkpoint is all that a run knows; inputs act from step to step.
#include "carom/simulation/stepper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/assembly/builder.h"

namespace carom {
namespace {

const char* const kSchemes[] = {"moreau_jean", "projection_combined", "nonsmooth_generalized_alpha",
                                "half_explicit_velocity"};

Model slider_crank() { return make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.01}); }

struct Knocking {
  std::string scheme_name;
  Model model = slider_crank();
  std::unique_ptr<Scheme> scheme = make_scheme(scheme_name);
  std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  SimulationOptions options{.t_end = 0.02, .dt = 1e-5};
  Stepper stepper{*model.system, *scheme, *solver, model.initial, options};
};

void expect_same(const SimulationSummary& a, const SimulationSummary& b) {
  EXPECT_TRUE(identical(a.last, b.last));
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.solver_iterations, b.solver_iterations);
  EXPECT_EQ(a.audit.end_energy, b.audit.end_energy);
  EXPECT_EQ(a.audit.impact_loss, b.audit.impact_loss);
  EXPECT_EQ(a.audit.scheme_residual, b.audit.scheme_residual);
  EXPECT_EQ(a.audit.energy_scale, b.audit.energy_scale);
  EXPECT_EQ(a.audit.scheme_rise.value, b.audit.scheme_rise.value);
  EXPECT_EQ(a.audit.deepest_gap, b.audit.deepest_gap);
  EXPECT_EQ(a.audit.largest_normal_impulse_time, b.audit.largest_normal_impulse_time);
  EXPECT_EQ(a.judgement.findings.size(), b.judgement.findings.size());
}

class EveryScheme : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Stepper, EveryScheme, ::testing::ValuesIn(kSchemes));

TEST_P(EveryScheme, StepByStepIsTheRun) {
  Knocking run{GetParam()};
  const auto whole = simulate(*run.model.system, *run.scheme, *run.solver, run.model.initial, run.options);
  EXPECT_GT(whole.audit.normal_impulse, 0.0);  // it knocks
  while (run.stepper.step()) {
  }
  expect_same(run.stepper.summary(), whole);
}

TEST_P(EveryScheme, GoesBackAndComesToTheSameEnd) {
  Knocking run{GetParam()};
  ASSERT_TRUE(run.stepper.advance(0.011));
  const Checkpoint here = run.stepper.save();
  ASSERT_TRUE(run.stepper.advance(0.02));
  const auto first = run.stepper.summary();
  run.stepper.restore(here);
  EXPECT_EQ(run.stepper.t(), here.state.t);
  ASSERT_TRUE(run.stepper.advance(0.02));
  expect_same(run.stepper.summary(), first);
  // And another stepper, which has seen nothing before.
  Knocking other{GetParam()};
  other.stepper.restore(here);
  ASSERT_TRUE(other.stepper.advance(0.02));
  expect_same(other.stepper.summary(), first);
}

TEST(Stepper, EndsWhereItIsAskedTo) {
  Knocking run{"moreau_jean"};
  ASSERT_TRUE(run.stepper.advance(0.0123456));  // between two points of the grid
  EXPECT_EQ(run.stepper.t(), 0.0123456);
  ASSERT_TRUE(run.stepper.step());
  EXPECT_DOUBLE_EQ(run.stepper.t(), 0.01235);  // and comes back to it
  EXPECT_TRUE(run.stepper.advance(1e9));
  EXPECT_DOUBLE_EQ(run.stepper.t(), 0.02);
  EXPECT_FALSE(run.stepper.step());
  EXPECT_EQ(run.stepper.outcome(), Outcome::finished);
}

// A wheel on a hinge: J theta'' = u, by inputs that change every step. With u_k constant in step k the rate is their
// sum, exactly.
TEST(Stepper, AnInputActsFromOneStepToTheNext) {
  constexpr double J = 0.02, dt = 1e-3;
  for (const char* name : {"moreau_jean", "projection_combined"}) {
    model::ModelBuilder m(Space::planar);
    const auto wheel = m.add_body({.name = "wheel", .mass = 1.0, .inertia = J * Matrix3::Identity()});
    m.add_joint({.name = "hinge", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = wheel.at({0, 0, 0})});
    m.add_input({.name = "motor", .joint = "hinge"});
    const Model model = m.build();
    ASSERT_EQ(m.inputs().size(), 1u);
    const auto scheme = make_scheme(name);
    const auto solver = make_solver("automatic");
    Stepper stepper(*model.system, *scheme, *solver, model.initial, {.t_end = 1.0, .dt = dt, .inputs = m.inputs()});
    double rate = 0.0;
    Checkpoint middle;
    for (int k = 0; k < 100; ++k) {
      if (k == 50) middle = stepper.save();
      const double u = std::sin(0.3 * k);
      stepper.set_input(0, u);
      ASSERT_TRUE(stepper.step());
      rate += u * dt / J;
      EXPECT_NEAR(stepper.state().v[2], rate, 1e-9) << name << " step " << k;
    }
    stepper.restore(middle);
    EXPECT_EQ(*m.inputs()[0].value, std::sin(0.3 * 49));  // the inputs are those of then
    EXPECT_NEAR(stepper.summary().audit.other_work, 0.5 * J * stepper.state().v[2] * stepper.state().v[2], 1e-9);
  }
}

TEST(Stepper, AnInputAtASiteIsAForceThere) {
  model::ModelBuilder m(Space::planar);
  const auto body = m.add_body({.name = "body", .mass = 2.0, .inertia = 0.5 * Matrix3::Identity()});
  m.add_input({.name = "push", .site = body.at({0, 0.1, 0}), .force = {1, 0, 0}});
  const Model model = m.build();
  const auto scheme = make_scheme("moreau_jean");
  const auto solver = make_solver("automatic");
  Stepper stepper(*model.system, *scheme, *solver, model.initial, {.t_end = 1.0, .dt = 1e-3, .inputs = m.inputs()});
  stepper.set_input(0, 3.0);
  ASSERT_TRUE(stepper.step());
  EXPECT_NEAR(stepper.state().v[0], 3.0 / 2.0 * 1e-3, 1e-12);
  EXPECT_NEAR(stepper.state().v[2], -0.1 * 3.0 / 0.5 * 1e-3, 1e-9);
}

}  // namespace
}  // namespace carom
