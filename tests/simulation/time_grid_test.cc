#include "carom/simulation/time_grid.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace carom {
namespace {

TEST(TimeGrid, EndsOfStepsAreMultiplesNotSums) {
  const TimeGrid grid{0.0, 0.1, 1e6};
  double t = 0.0;
  for (int k = 1; k <= 100000; ++k) {
    const TimeGrid::Step step = grid.next(t);
    ASSERT_EQ(step.dt, 0.1);
    ASSERT_EQ(step.t_next, k * 0.1);
    t = step.t_next;
  }
}

TEST(TimeGrid, LastStepIsNotARoundingArtefact) {
  // 0.1 + 0.1 + 0.1 > 0.3: a step of 5e-17 would follow if remainders were taken literally.
  for (const double dt : {0.1, 1e-3, 1e-5, 1.0 / 3.0}) {
    for (const int n : {3, 7, 1000, 20000}) {
      const TimeGrid grid{0.0, dt, n * dt};
      int steps = 0;
      for (double t = 0.0; !grid.reached(t); t = grid.next(t).t_next) ++steps;
      EXPECT_EQ(steps, n) << dt;
    }
  }
}

TEST(TimeGrid, ARealRemainderIsOneShortStepEndingExactlyThere) {
  const TimeGrid grid{0.0, 0.1, 0.25};
  const double t_2 = grid.next(grid.next(0.0).t_next).t_next;
  const TimeGrid::Step last = grid.next(t_2);
  EXPECT_EQ(last.t_next, 0.25);
  EXPECT_NEAR(last.dt, 0.05, 1e-16);
  EXPECT_TRUE(grid.reached(0.25));
  EXPECT_FALSE(grid.reached(t_2));
}

TEST(TimeGrid, ATimeBetweenGridPointsGoesToTheNextOne) {
  const TimeGrid grid{0.0, 0.1, 1.0};
  EXPECT_EQ(grid.next(0.225).t_next, 3 * 0.1);
  EXPECT_NEAR(grid.next(0.225).dt, 0.075, 1e-16);
}

TEST(TimeGrid, HasAnOrigin) {
  const TimeGrid grid{0.05, 0.1, 1.05};
  EXPECT_EQ(grid.next(0.05).dt, 0.1);
  EXPECT_EQ(grid.next(0.05).t_next, 0.05 + 0.1);
}

}  // namespace
}  // namespace carom
