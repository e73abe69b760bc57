// Scenes of large_scenes.h at sizes that fit a test: what rests stays where it is, what falls into a hopper
// comes to no harm. `carom bench scenes` runs the large ones.
#include "assembled/large_scenes.h"

#include <gtest/gtest.h>

#include "carom/simulation/simulate.h"

namespace carom::testing {
namespace {

SimulationSummary simulated(const Model& model, double dt, double t_end, double tolerance,
                            const char* scheme = "moreau_jean") {
  SimulationOptions options;
  options.dt = dt;
  options.t_end = t_end;
  return simulate(*model.system, *make_scheme(scheme), *make_solver("automatic", {{"tolerance", tolerance}}),
                  model.initial, options);
}

// Ten seconds in steps of a hundredth, one micrometre. What rests costs next to nothing: impulses of the step before
// are found again, and a few sweeps take away what has changed. Iterations a step measured: 4 to 16 with the first
// step.
void expect_rest(const Model& model, double tolerance = 1e-12) {
  const SimulationSummary summary = simulated(model, 1e-2, 10.0, tolerance);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_EQ(summary.failed_steps, 0);
  EXPECT_LE(summary.worst_solver_residual, tolerance);
  EXPECT_LT(static_cast<double>(summary.solver_iterations) / static_cast<double>(summary.steps), 40.0);
  EXPECT_LT((summary.last.q - model.initial.q).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(LargeScenes, AWallOfEightByEight) { expect_rest(brick_wall(8, 8)); }
TEST(LargeScenes, APyramidOfTwelveRows) { expect_rest(pyramid(12)); }
TEST(LargeScenes, AnArchOfHundredAndOne) { expect_rest(wedge_arch(101)); }
// Gaps wander by more than what counts as closed where nothing is carried, and passes end where the solver does.
TEST(LargeScenes, AnArchThatIsSolvedRoughly) { expect_rest(wedge_arch(101), 1e-10); }

// The brick in the middle leaves with 0.8 m/s, between neighbours that it could wedge apart without end.
TEST(LargeScenes, ABrickPushedOutOfAWall) {
  const Model model = brick_wall(8, 8, 0.8);
  const SimulationSummary summary = simulated(model, 1e-3, 0.05, 1e-8);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_EQ(summary.failed_steps, 0);
  EXPECT_LE(summary.worst_solver_residual, 1e-8);
  EXPECT_GT((summary.last.q - model.initial.q).cwiseAbs().maxCoeff(), 1e-3);
}

// Every body stays within the walls and above the floor, however they lie.
TEST(LargeScenes, MixedShapesInAHopper) {
  const Hopper hopper{4, 4};
  const Model model = hopper.build();
  const SimulationSummary summary = simulated(model, 2e-3, 0.8, 1e-6);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_LE(summary.worst_solver_residual, 1e-6);
  EXPECT_EQ(summary.audit.missed_contacts, 0);
  double lowest = 10.0;
  for (Index b = 0; b < model.system->nv() / 6; ++b) {
    const Vector3 x = summary.last.q.segment<3>(7 * b);
    lowest = std::min(lowest, x.z());
    EXPECT_GT(x.z(), 0.02) << b;
    if (x.z() < hopper.top()) continue;
    EXPECT_LT(std::abs(x.x()), 0.5 * hopper.width()) << b;
    EXPECT_LT(std::abs(x.y()), 0.5 * hopper.width()) << b;
  }
  EXPECT_LT(lowest, hopper.top() - 0.1) << "they fall into the hopper";
}

// x = 1/2 g cos(a) (tan a - mu) t^2 with tan a = share mu; below, nothing moves.
class HeldSpheres : public ::testing::TestWithParam<HeldBy> {};

TEST_P(HeldSpheres, HoldBelowTheFrictionAngleAndSlideAbove) {
  const double mu = 0.5, t = 1.0;
  for (const double share : {0.999, 1.001}) {
    const Model model = spheres_in_frame(20, 25, mu, share, GetParam());
    const SimulationSummary summary = simulated(model, 5e-3, t, 1e-10);
    EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
    const double angle = std::atan(share * mu);
    const double slides = share > 1.0 ? 0.5 * gravity * std::cos(angle) * (share - 1.0) * mu * t * t : 0.0;
    for (Index b = 0; b < model.system->nv() / 6; ++b)
      EXPECT_NEAR(summary.last.q[7 * b] - model.initial.q[7 * b], slides, 1e-9 + 1e-6 * slides) << share << " " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(LargeScenes, HeldSpheres, ::testing::Values(HeldBy::one_body, HeldBy::welds),
                         [](const auto& at) { return at.param == HeldBy::one_body ? "InOneBody" : "ByWelds"; });

}  // namespace
}  // namespace carom::testing
