// Time stepping against located events: the slider-crank with friction over two turns of the crank (0.14 s), through 84
// impacts of two corners, five accumulations of them and as many sustained contacts. Nothing but system, laws and
// solvers is shared; the difference falls with the order the schemes promise across impacts.
#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/converge.h"
#include "carom/study/jitter.h"

namespace carom {
namespace {

Scenario crank() {
  Scenario scenario;
  scenario.model = make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.01});
  scenario.simulation.t_end = 0.14;
  scenario.simulation.step = 1e-5;
  return scenario;
}

ConvergeReport against_events(const std::vector<std::string>& names, double until, const std::vector<double>& steps) {
  const Scenario scenario = crank();
  ConvergeOptions options = default_converge_options(scenario);
  options.schemes = names;
  options.steps = steps;
  options.until = until;
  options.reference_scheme = "event_driven";
  ConvergeReport report = converge(scenario, options);
  EXPECT_TRUE(report.reference_complete) << report.reference;
  EXPECT_FALSE(report.chaotic) << report.growth;
  for (const ConvergeScheme& scheme : report.schemes) {
    EXPECT_EQ(scheme.phase, "impacts");
    EXPECT_EQ(scheme.declared, 1);
  }
  return report;
}

void expect_orders(const ConvergeScheme& scheme, double least, double most) {
  for (std::size_t i = 0; i < scheme.orders.size(); ++i) {
    if (!error_norms()[i].judged) continue;
    EXPECT_GE(scheme.orders[i].order, least) << scheme.scheme << " " << error_norms()[i].name;
    EXPECT_LE(scheme.orders[i].order, most) << scheme.scheme << " " << error_norms()[i].name;
  }
}

bool event_driven_is_built() {
  const auto names = scheme_registry().names();
  return std::find(names.begin(), names.end(), "event_driven") != names.end();
}

TEST(EventDrivenReference, TimeSteppingTendsToItOverTwoTurns) {
  if (!event_driven_is_built()) GTEST_SKIP() << "this build is without SUNDIALS";
  const ConvergeReport report =
      against_events({"moreau_jean", "half_explicit_velocity"}, 0.14, jittered_steps(1e-4, 1e-6, 21));
  const ConvergeScheme &moreau_jean = report.schemes[0], &half_explicit = report.schemes[1];
  EXPECT_EQ(moreau_jean.verdict, ConvergeVerdict::met) << moreau_jean.remark;
  expect_orders(moreau_jean, 0.95, 1.05);
  EXPECT_LE(moreau_jean.runs.back().errors.position_max, 1e-4 * report.position_size);
  // Behind a corner that passes the guide at 28 nm errors scatter (below); it is nearer all the same.
  EXPECT_LE(half_explicit.runs.back().errors.position_max, 1e-5 * report.position_size);
}

TEST(EventDrivenReference, HalfExplicitIsOfOrderOneThroughAccumulationsOfImpacts) {
  if (!event_driven_is_built()) GTEST_SKIP() << "this build is without SUNDIALS";
  // 38 impacts of two corners and two accumulations, and just before a corner passes the guide without touching it.
  const ConvergeReport report = against_events({"half_explicit_velocity"}, 0.05, jittered_steps(1e-4, 3e-7, 41));
  EXPECT_EQ(report.schemes[0].verdict, ConvergeVerdict::met) << report.schemes[0].remark;
  expect_orders(report.schemes[0], 0.85, 1.15);
}

// Why no order can be measured across 51.1 ms with steps above 1e-7 s: the corners pass the guide at a distance below
// the error of any such run, which so may or may not have one impact more.
TEST(EventDrivenReference, TheCrankNearlyGrazesItsGuide) {
  if (!event_driven_is_built()) GTEST_SKIP() << "this build is without SUNDIALS";
  Scenario scenario = crank();
  scenario.simulation.scheme = "event_driven";
  scenario.simulation.t_end = 0.0515;
  struct Nearest final : Recorder {
    double gap = 1.0, t = 0.0;
    void step(const System&, const StepView& view) override {
      const State& now = view.result.next;
      if (now.t < 0.0508) return;
      // The slider stays parallel to its guide.
      const double height = 0.153 * std::sin(now.q[0]) + 0.306 * std::sin(now.q[1]);
      if (1e-3 - height < gap) gap = 1e-3 - height, t = now.t;
    }
  } nearest;
  const auto summary = simulate(*scenario.model.system, *make_scheme(scenario), *make_solver(scenario),
                                scenario.model.initial, simulation_options(scenario), &nearest);
  EXPECT_EQ(summary.outcome, Outcome::finished);
  EXPECT_NEAR(nearest.t, 0.0511, 2e-5);
  EXPECT_NEAR(nearest.gap, 2.84e-8, 2e-10);
}

}  // namespace
}  // namespace carom
