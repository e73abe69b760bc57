#include "carom/simulation/audit.h"

#include <gtest/gtest.h>

#include "carom/simulation/simulate.h"
#include "simulation/falling_mass.h"

namespace carom {
namespace {

using testing::dropped_from;
using testing::ExactFlight;
using testing::FallingMass;

const testing::NoSolver no_solver;

// One impact at w-: the normal part loses m/2 (1 - e^2) w-^2, the tangential part what is left of
// m/2 (u-^2 - u+^2).
TEST(Audit, SplitsTheLossesOfAnImpact) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.restitution = 0.5;
  scheme.friction = 0.1;
  // Falls 1.8 m in 0.6 s: w = -6 at t = 0.6; the step to 0.7 ends below the floor with w- = -7.
  const auto summary = simulate(system, scheme, no_solver, dropped_from(1.9, 3.0), {.t_end = 0.7, .dt = 0.1});
  const Audit& audit = summary.audit;
  const double w = 7.0, u = 3.0, pn = 2.0 * 1.5 * w, u_plus = u - 0.1 * pn / 2.0;
  ASSERT_TRUE(audit.has_energy);
  EXPECT_NEAR(audit.start_energy, 0.5 * 2.0 * 9.0 + 2.0 * 10.0 * 1.9, 1e-12);
  EXPECT_NEAR(audit.impact_loss, 0.5 * 2.0 * (1 - 0.25) * w * w, 1e-12);
  EXPECT_NEAR(audit.friction_loss, 0.5 * 2.0 * (u * u - u_plus * u_plus), 1e-12);
  EXPECT_EQ(audit.joint_loss, 0.0);
  EXPECT_NEAR(audit.scheme_residual, 0.0, 1e-12);
  EXPECT_NEAR(audit.start_energy + audit.other_work - audit.impact_loss - audit.friction_loss + audit.scheme_residual,
              audit.end_energy, 1e-12);
  EXPECT_LT(audit.largest_rise, 1e-12);
  EXPECT_NEAR(audit.normal_impulse, pn, 1e-12);
  EXPECT_NEAR(audit.largest_normal_impulse, pn, 1e-12);
  EXPECT_EQ(audit.largest_normal_impulse_name, "floor");
  EXPECT_NEAR(audit.deepest_gap, 1.9 - 5.0 * 0.49, 1e-12);
  EXPECT_DOUBLE_EQ(audit.deepest_time, 0.7);
  EXPECT_EQ(audit.deepest_name, "floor");
  ASSERT_EQ(audit.penetrations.size(), 1u);
  EXPECT_EQ(audit.penetrations[0].id, 7u);
  EXPECT_EQ(audit.penetrations[0].deepest.gap, audit.deepest_gap);
}

// A scheme that makes energy shows it: with e = 2 the impact itself gains, and the largest rise is that gain.
TEST(Audit, SeesARise) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.restitution = 2.0;
  const auto summary = simulate(system, scheme, no_solver, dropped_from(1.9), {.t_end = 0.7, .dt = 0.1});
  EXPECT_NEAR(summary.audit.impact_loss, -0.5 * 2.0 * 3.0 * 49.0, 1e-11);
  EXPECT_NEAR(summary.audit.largest_rise, 0.5 * 2.0 * 3.0 * 49.0, 1e-11);
  EXPECT_DOUBLE_EQ(summary.audit.largest_rise_time, 0.7);
}

// The system says that drag takes power, the scheme forgets it: what the scheme gained is the work it missed.
TEST(Audit, TellsWorkFromSchemeResidual) {
  FallingMass system;
  system.drag = 0.25;
  const ExactFlight scheme;
  const auto summary = simulate(system, scheme, no_solver, dropped_from(100.0, 2.0), {.t_end = 1.0, .dt = 1e-3});
  const double exact_work = -0.25 * (4.0 * 1.0 + 100.0 / 3.0);  // integral of -c (u^2 + g^2 t^2)
  EXPECT_NEAR(summary.audit.other_work, exact_work, 1e-5);
  EXPECT_NEAR(summary.audit.scheme_residual, -exact_work, 1e-5);
}

TEST(Audit, SeesPenetrationAtTheStart) {
  const FallingMass system;
  StepAudit step;
  Auditor auditor;
  auditor.begin(system, dropped_from(-0.25), step);
  EXPECT_EQ(auditor.audit().deepest_gap, -0.25);
  EXPECT_EQ(auditor.gap_of(7), -0.25);
  EXPECT_TRUE(std::isinf(auditor.gap_of(8)));
  EXPECT_DOUBLE_EQ(step.potential, -5.0);
}

// v grows a hundred orders of magnitude a step: its state stays a number for long, its energy does not.
class Growing final : public Scheme {
 public:
  void step(const System&, const InclusionSolver&, const State& state, double dt, StepWorkspace&,
            StepResult& result) const override {
    result = {};
    result.next = state;
    result.next.t += dt;
    result.next.v *= 1e100;
    result.dt_taken = dt;
  }
};

TEST(Audit, AnEnergyThatIsNoNumberEndsTheRun) {
  const FallingMass system;
  const auto summary = simulate(system, Growing{}, no_solver, dropped_from(1.0, 1.0), {.t_end = 5.0, .dt = 1.0});
  EXPECT_EQ(summary.outcome, Outcome::failed);
  EXPECT_EQ(summary.failure, StepStatus::not_finite);
  EXPECT_NE(summary.advice.find("unstable"), std::string::npos) << summary.advice;
  EXPECT_EQ(summary.steps, 1);
  EXPECT_TRUE(std::isfinite(summary.audit.end_energy));
  EXPECT_DOUBLE_EQ(summary.last.t, 1.0);
}

// In the step of an impact the mean velocity is what a damper acts along, not the mean of what it takes before and
// after.
TEST(Audit, DampersWorkAlongTheMeanVelocity) {
  FallingMass system;
  system.drag = 0.25;
  ExactFlight scheme;
  scheme.restitution = 1.0;
  const auto summary = simulate(system, scheme, no_solver, dropped_from(0.5, 3.0), {.t_end = 0.4, .dt = 0.4});
  // w from 0 to -4, turned to +4 by the impact: mean 2; u = 3.
  EXPECT_NEAR(summary.audit.other_work, -0.25 * 0.4 * (9.0 + 4.0), 1e-12);
}

TEST(Audit, CanBeOff) {
  const FallingMass system;
  const ExactFlight scheme;
  const auto summary =
      simulate(system, scheme, no_solver, dropped_from(1.0), {.t_end = 0.5, .dt = 0.1, .audit = false});
  EXPECT_FALSE(summary.audit.has_energy);
  EXPECT_EQ(summary.audit.normal_impulse, 0.0);
}

}  // namespace
}  // namespace carom
