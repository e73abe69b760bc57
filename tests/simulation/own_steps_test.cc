// A scheme that shortens steps by itself, driven to an end time on the grid.
#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/simulation/simulate.h"

namespace carom {
namespace {

TEST(HalfExplicitReduced, EndsWhereTheDriverWantsAndShortStepsDoNotShrink) {
  const Model model = make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.01});
  struct Shortest final : Recorder {
    void step(const System&, const StepView& view) override {
      shortest = std::min(shortest, view.result.dt_taken);
      full += view.result.dt_taken > 0.999e-4;
      if (view.result.impact) longest_impact = std::max(longest_impact, view.result.dt_taken);
    }
    double shortest = 1.0, longest_impact = 0.0;
    long full = 0;
  } recorder;
  SimulationOptions options;
  options.dt = 1e-4;
  options.t_end = 0.1;
  const auto scheme = make_scheme("half_explicit_velocity_reduced", {{"impact_step_ratio", 0.1}});
  const SimulationSummary summary =
      simulate(*model.system, *scheme, *make_solver("automatic"), model.initial, options, &recorder);
  ASSERT_EQ(summary.outcome, Outcome::finished);
  EXPECT_EQ(summary.last.t, 0.1);
  EXPECT_GE(recorder.shortest, 0.999e-5);  // a tenth of the full step, also on the way back to the grid
  EXPECT_GT(recorder.full, 500);
  EXPECT_GT(summary.impact_steps, 20);
  EXPECT_NEAR(summary.last.q[0], 9.00064, 5e-3);
}

}  // namespace
}  // namespace carom
