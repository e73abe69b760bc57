// A run that is taken apart by a clock moves as one that is not, and all of its time goes somewhere.
#include "carom/simulation/measured_run.h"

#include <gtest/gtest.h>

#include <ctime>

#include "carom/model/multibody_scenes.h"

namespace carom {
namespace {

class Waster final : public Recorder {
 public:
  void step(const System&, const StepView&) override {
    for (int k = 0; k < 200000; ++k) sum = sum + 1.0 / (1.0 + k);
  }
  volatile double sum = 0.0;
};

class MeasuredRunTest : public ::testing::TestWithParam<const char*> {};

TEST_P(MeasuredRunTest, MovesAsOneThatIsNotMeasured) {
  const Model model = spheres_in_box({3, 2, 2}).build();
  const auto scheme = make_scheme(GetParam());
  const auto solver = make_solver("automatic", {{"tolerance", 1e-10}});
  SimulationOptions options;
  options.t_end = 0.25;
  const SimulationSummary plain = simulate(*model.system, *scheme, *solver, model.initial, options);
  MeasuredRun run(*model.system, *scheme, *solver, model.initial, options);
  while (run.step()) {
  }
  const SimulationSummary measured = run.stepper().summary();
  EXPECT_EQ(measured.steps, plain.steps);
  EXPECT_EQ(measured.solver_iterations, plain.solver_iterations);
  EXPECT_TRUE(measured.last.q == plain.last.q);
  EXPECT_TRUE(measured.last.v == plain.last.v);
  EXPECT_EQ(measured.audit.deepest_gap, plain.audit.deepest_gap);
  EXPECT_EQ(measured.audit.end_energy, plain.audit.end_energy);
  // One of them finds its contact sets itself.
  EXPECT_EQ(run.solves() > 0, std::string(GetParam()) != "nonsmooth_generalized_alpha");
}

INSTANTIATE_TEST_SUITE_P(Schemes, MeasuredRunTest,
                         ::testing::Values("moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"));

TEST(MeasuredRun, GivesAllTimeToItsParts) {
  const Model model = spheres_in_box({4, 4, 3}).build();
  const auto scheme = make_scheme("moreau_jean");
  const auto solver = make_solver("automatic");
  SimulationOptions options;
  options.t_end = 0.15;
  Waster waster;
  MeasuredRun run(*model.system, *scheme, *solver, model.initial, options);
  const auto begin = std::clock();
  while (run.step(&waster)) {
  }
  const double all = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const StepTimes& times = run.times();
  for (const double part :
       {times.detection, times.assembly, times.solve, times.integration, times.audit, times.recording})
    EXPECT_GT(part, 0.0);
  // The clock of the test ticks in microseconds and stands still between steps of the run only.
  EXPECT_NEAR(times.total(), all, 0.05 * all + 2e-3);
  EXPECT_GT(times.recording, 0.3 * all) << "what the recorder wastes belongs to recording";
}

}  // namespace
}  // namespace carom
