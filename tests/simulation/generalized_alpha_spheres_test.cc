// Eight spheres settle in a box under nonsmooth generalized-alpha: two dozen frictional contacts, many of them
// redundant. The active sets of a step are not always found; halving such a step must be enough.
#include <gtest/gtest.h>

#include "carom/model/multibody_scenes.h"
#include "carom/simulation/simulate.h"

namespace carom {
namespace {

TEST(GeneralizedAlphaSpheres, SettleInABoxWithoutSinking) {
  const Model box = spheres_in_box({2, 2, 2}, {.restitution = 0.3, .friction = 0.5}).build();
  SimulationOptions options;
  options.dt = 1e-3;
  options.t_end = 0.4;
  const SimulationSummary summary = simulate(*box.system, *make_scheme("nonsmooth_generalized_alpha"),
                                             *make_solver("automatic"), box.initial, options);
  ASSERT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_LE(summary.failed_steps, 20);
  EXPECT_GE(summary.audit.deepest_gap, -1e-10);
  for (Index b = 0; b < 8; ++b) EXPECT_NEAR(summary.last.q.segment(7 * b + 3, 4).norm(), 1.0, 1e-12);
  RecordProperty("failed_steps", static_cast<int>(summary.failed_steps));
}

}  // namespace
}  // namespace carom
