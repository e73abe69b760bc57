#include "carom/simulation/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulation/falling_mass.h"

namespace carom {
namespace {

using testing::dropped_from;
using ::testing::ElementsAre;
using testing::ExactFlight;
using testing::FallingMass;
using ::testing::HasSubstr;

const testing::NoSolver no_solver;

struct Times : Recorder {
  std::vector<double> times;
  std::vector<long> steps;
  double begin_t = -1, end_t = -1;
  std::atomic<bool>* stop = nullptr;
  double stop_at = 1e300;
  void begin(const System&, const State& state) override { begin_t = state.t; }
  void step(const System&, const StepView& view) override {
    times.push_back(view.result.next.t);
    steps.push_back(view.step);
    EXPECT_LT(view.before.t, view.result.next.t);
    if (stop && view.result.next.t >= stop_at) *stop = true;
  }
  void end(const System&, const State& state) override { end_t = state.t; }
};

TEST(Simulate, StepsFromStartToEndAndCounts) {
  const FallingMass system;
  const ExactFlight scheme;
  Times times;
  const auto summary = simulate(system, scheme, no_solver, dropped_from(100.0), {.t_end = 0.5, .dt = 0.1}, &times);
  EXPECT_EQ(summary.outcome, Outcome::finished);
  EXPECT_EQ(summary.steps, 5);
  EXPECT_EQ(summary.newton_iterations, 10);
  EXPECT_EQ(summary.max_newton_iterations, 2);
  EXPECT_EQ(summary.failed_steps, 0);
  EXPECT_TRUE(summary.advice.empty());
  EXPECT_THAT(times.steps, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(times.times, ElementsAre(1 * 0.1, 2 * 0.1, 3 * 0.1, 4 * 0.1, 5 * 0.1));
  EXPECT_EQ(times.begin_t, 0.0);
  EXPECT_EQ(times.end_t, summary.last.t);
  EXPECT_NEAR(summary.last.q[1], 100.0 - 0.5 * 10.0 * 0.25, 1e-12);
  EXPECT_EQ(scheme.starts, 1);
}

TEST(Simulate, HalvesAFailedStepAndReturnsToTheGrid) {
  const FallingMass system;
  ExactFlight scheme;
  // Between 0.2 and 0.3 only steps up to 0.03 work.
  scheme.trouble = [](double t, double dt) {
    return t > 0.199 && t < 0.299 && dt > 0.03 ? StepStatus::newton_failed : StepStatus::ok;
  };
  Times times;
  const auto summary = simulate(system, scheme, no_solver, dropped_from(100.0), {.t_end = 0.5, .dt = 0.1}, &times);
  EXPECT_EQ(summary.outcome, Outcome::finished);
  EXPECT_EQ(summary.failed_steps, summary.halvings);
  EXPECT_GT(summary.halvings, 1);
  EXPECT_EQ(summary.proceeded_steps, 0);
  // The grid is met again, to the bit, and full steps follow.
  EXPECT_THAT(times.times, ::testing::IsSupersetOf({2 * 0.1, 3 * 0.1, 4 * 0.1, 5 * 0.1}));
  EXPECT_EQ(scheme.asked.back(), 0.1);
  EXPECT_EQ(static_cast<long>(times.times.size()), summary.steps);
  EXPECT_NEAR(summary.last.q[1], 100.0 - 0.5 * 10.0 * 0.25, 1e-12);
}

TEST(Simulate, GivesUpAfterTheLastHalvingWithTheLastGoodState) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.trouble = [](double t, double) { return t > 0.199 ? StepStatus::solver_failed : StepStatus::ok; };
  const auto summary =
      simulate(system, scheme, no_solver, dropped_from(100.0), {.t_end = 0.5, .dt = 0.1, .max_halvings = 3});
  EXPECT_EQ(summary.outcome, Outcome::failed);
  EXPECT_EQ(summary.failure, StepStatus::solver_failed);
  EXPECT_EQ(summary.steps, 2);
  EXPECT_EQ(summary.halvings, 3);
  EXPECT_EQ(summary.failed_steps, 4);
  EXPECT_EQ(summary.last.t, 2 * 0.1);
  EXPECT_DOUBLE_EQ(summary.failure_dt, 0.1 / 8);
  EXPECT_THAT(summary.advice, HasSubstr("t = 0.2 s"));
  EXPECT_THAT(summary.advice, HasSubstr("residual 0.001"));
  EXPECT_THAT(summary.advice, HasSubstr("solver"));
}

TEST(Simulate, StopsAtOnceIfToldTo) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.trouble = [](double t, double) { return t > 0.199 ? StepStatus::singular : StepStatus::ok; };
  const auto summary = simulate(system, scheme, no_solver, dropped_from(100.0),
                                {.t_end = 0.5, .dt = 0.1, .on_failure = FailurePolicy::stop});
  EXPECT_EQ(summary.outcome, Outcome::failed);
  EXPECT_EQ(summary.failed_steps, 1);
  EXPECT_EQ(summary.halvings, 0);
  EXPECT_EQ(summary.last.t, 2 * 0.1);
}

TEST(Simulate, ProceedsWithTheBestResultAndCountsIt) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.trouble = [](double t, double) { return t > 0.199 && t < 0.399 ? StepStatus::solver_failed : StepStatus::ok; };
  const SimulationOptions options{.t_end = 0.5, .dt = 0.1, .on_failure = FailurePolicy::proceed};
  const auto summary = simulate(system, scheme, no_solver, dropped_from(100.0), options);
  EXPECT_EQ(summary.outcome, Outcome::finished);
  EXPECT_EQ(summary.proceeded_steps, 2);
  EXPECT_EQ(summary.failed_steps, 2);
  EXPECT_EQ(summary.steps, 5);
  EXPECT_DOUBLE_EQ(summary.worst_solver_residual, 1e-3);

  // What is not a state cannot be kept.
  scheme.trouble = [](double, double) { return StepStatus::not_finite; };
  EXPECT_EQ(simulate(system, scheme, no_solver, dropped_from(1.0), options).outcome, Outcome::failed);
}

TEST(Simulate, EndsAfterTheStepInWhichItIsInterrupted) {
  const FallingMass system;
  const ExactFlight scheme;
  std::atomic<bool> stop = false;
  Times times;
  times.stop = &stop;
  times.stop_at = 0.25;
  const auto summary =
      simulate(system, scheme, no_solver, dropped_from(100.0), {.t_end = 0.5, .dt = 0.1, .interrupt = &stop}, &times);
  EXPECT_EQ(summary.outcome, Outcome::interrupted);
  EXPECT_EQ(summary.steps, 3);
  EXPECT_EQ(times.end_t, 3 * 0.1);
}

TEST(Simulate, ContinuedFromACopyGivesTheSameBits) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.trouble = [](double t, double dt) {  // some halved steps on the way
    return t > 0.7 && t < 0.75 && dt > 0.003 ? StepStatus::newton_failed : StepStatus::ok;
  };
  const double dt = 0.01;
  const auto whole = simulate(system, scheme, no_solver, dropped_from(1.0), {.t_end = 1.5, .dt = dt});
  ASSERT_GT(whole.halvings, 0);
  for (const double t_cut : {0.3, 0.73, 1.2}) {
    const auto first = simulate(system, scheme, no_solver, dropped_from(1.0), {.t_end = t_cut, .dt = dt});
    const State copy = first.last;
    const auto second = simulate(system, scheme, no_solver, copy, {.t_end = 1.5, .dt = dt});
    EXPECT_TRUE(identical(second.last, whole.last)) << t_cut;
    EXPECT_EQ(first.steps + second.steps, whole.steps);
  }
}

TEST(Simulate, ContinuesInsideAHalvedStep) {
  const FallingMass system;
  ExactFlight scheme;
  scheme.trouble = [](double t, double dt) {
    return t > 0.199 && t < 0.299 && dt > 0.03 ? StepStatus::newton_failed : StepStatus::ok;
  };
  const auto whole = simulate(system, scheme, no_solver, dropped_from(1.0), {.t_end = 0.5, .dt = 0.1});
  std::atomic<bool> stop = false;
  Times times;
  times.stop = &stop;
  times.stop_at = 0.21;  // interrupt between two grid points
  const auto first =
      simulate(system, scheme, no_solver, dropped_from(1.0), {.t_end = 0.5, .dt = 0.1, .interrupt = &stop}, &times);
  ASSERT_NE(first.last.t, 0.3);
  ASSERT_EQ(first.outcome, Outcome::interrupted);
  const auto second = simulate(system, scheme, no_solver, first.last, {.t_end = 0.5, .dt = 0.1});
  EXPECT_TRUE(identical(second.last, whole.last));
}

}  // namespace
}  // namespace carom
