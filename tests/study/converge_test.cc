// Convergence studies: what they measure, and what they refuse to say.
#include "carom/study/converge.h"

#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/jitter.h"

namespace carom {
namespace {

Scenario scenario_of(const std::string& model, const ParameterValues& values, double e, double t_end) {
  Scenario scenario;
  scenario.name = model;
  scenario.model = make_analytic_model(model, values, {.restitution = e});
  scenario.simulation.t_end = t_end;
  scenario.simulation.step = 1e-3;
  return scenario;
}

ConvergeOptions two_decades(const Scenario& scenario, std::vector<std::string> schemes) {
  ConvergeOptions options = default_converge_options(scenario);
  options.schemes = std::move(schemes);
  options.steps = jittered_steps(1e-2, 1e-4, 25);
  return options;
}

TEST(Converge, FindsFirstOrderThroughImpactsInEveryNorm) {
  const Scenario scenario = scenario_of("bouncing_ball", {}, 0.5, 4.0);
  ConvergeOptions options = default_converge_options(scenario);
  options.schemes = {"moreau_jean"};
  const ConvergeReport report = converge(scenario, options);
  EXPECT_EQ(report.reference, "exact solution");
  EXPECT_NEAR(report.position_size, 1.0, 1e-9);  // falls from 1 m to 0
  EXPECT_NEAR(report.velocity_size, 2.0, 1e-2);
  EXPECT_FALSE(report.chaotic) << report.growth;
  for (const ConvergeScheme& scheme : report.schemes) {
    SCOPED_TRACE(scheme.scheme);
    EXPECT_EQ(scheme.phase, "impacts");
    EXPECT_EQ(scheme.verdict, ConvergeVerdict::met) << scheme.remark;
    for (const OrderFit& fit : scheme.orders) EXPECT_NEAR(fit.order, 1.0, 0.15) << to_text(fit);
  }
}

TEST(Converge, SaysThatErrorsAreRounding) {
  // Free fall: the midpoint rule is exact.
  const Scenario scenario = scenario_of("bouncing_ball", {{"height", 100.0}}, 0.5, 2.0);
  const ConvergeReport report = converge(scenario, two_decades(scenario, {"moreau_jean"}));
  EXPECT_EQ(report.schemes[0].phase, "free flight");
  EXPECT_EQ(report.schemes[0].verdict, ConvergeVerdict::no_statement);
  EXPECT_NE(report.schemes[0].remark.find("rounding"), std::string::npos) << report.schemes[0].remark;
}

// Held against an order it does not have, a scheme fails, and so does the report.
TEST(Converge, FailsASchemeThatIsSlowerThanDeclared) {
  Scenario scenario = scenario_of("impact_oscillator", {}, 0.5, 0.2);
  ConvergeOptions options = two_decades(scenario, {"moreau_jean"});
  const ConvergeReport fine = converge(scenario, options);
  EXPECT_EQ(fine.schemes[0].phase, "free flight");
  EXPECT_EQ(fine.schemes[0].verdict, ConvergeVerdict::met) << to_text(fine.schemes[0].orders[0]);
  EXPECT_TRUE(fine.fine());
  scenario.simulation.scheme_parameters["moreau_jean"] = {{"theta", 1.0}};  // first order, and declared so
  const ConvergeReport damped = converge(scenario, options);
  EXPECT_NEAR(damped.schemes[0].orders[0].order, 1.0, 0.1);
  EXPECT_EQ(damped.schemes[0].verdict, ConvergeVerdict::met);
  // Another motion than the one the scheme tends to.
  scenario.model.exact = [exact = scenario.model.exact](double t, Vector& q, Vector& v) {
    exact(t, q, v);
    q[0] += 0.1 * t;
    v[0] += 0.1;
  };
  const ConvergeReport slow = converge(scenario, options);
  EXPECT_NEAR(slow.schemes[0].orders[0].order, 0.0, 0.1);
  EXPECT_EQ(slow.schemes[0].verdict, ConvergeVerdict::failed);
  EXPECT_FALSE(slow.fine());
}

// A run as reference must lead to the same orders as the exact solution. (Not up to 2.5 s: with an impact at
// the very end its jump is there or not.)
TEST(Converge, AReferenceRunServesWhereNothingIsExact) {
  Scenario scenario = scenario_of("bouncing_ball", {}, 0.5, 2.3);
  ConvergeOptions options = two_decades(scenario, {"moreau_jean"});
  const ConvergeReport exact = converge(scenario, options);
  scenario.model.exact = nullptr;
  options.reference_scheme = "projection_combined";
  options.reference_step = 1.7e-6;
  const ConvergeReport run = converge(scenario, options);
  EXPECT_EQ(run.reference, "projection_combined with step 1.7e-06 s");
  for (std::size_t i = 0; i < exact.schemes[0].orders.size(); ++i)
    EXPECT_NEAR(run.schemes[0].orders[i].order, exact.schemes[0].orders[i].order, 0.05) << error_norms()[i].name;
}

// The event-driven reference stands for the exact solution: not only the same orders, the same errors, also at the end
// of a step with an impact in it.
TEST(Converge, LocatedEventsServeAsExact) {
  const auto names = scheme_registry().names();
  if (std::find(names.begin(), names.end(), "event_driven") == names.end())
    GTEST_SKIP() << "this build is without SUNDIALS";
  Scenario scenario = scenario_of("bouncing_ball", {}, 0.5, 3.3);
  ConvergeOptions options = two_decades(scenario, {"moreau_jean"});
  options.steps = jittered_steps(1e-2, 1e-3, 5);
  const ConvergeReport exact = converge(scenario, options);
  scenario.model.exact = nullptr;
  options.reference_scheme = "event_driven";
  options.reference_step = 1e-3;
  options.schemes.push_back("event_driven");
  const ConvergeReport located = converge(scenario, options);
  EXPECT_NE(located.reference.find("events located"), std::string::npos) << located.reference;
  EXPECT_NEAR(located.position_size, exact.position_size, 1e-9);
  for (std::size_t i = 0; i < options.steps.size(); ++i) {
    const MotionErrors &a = exact.schemes[0].runs[i].errors, &b = located.schemes[0].runs[i].errors;
    EXPECT_NEAR(a.position_max, b.position_max, 1e-9 + 1e-6 * a.position_max);
    EXPECT_NEAR(a.velocity_mean, b.velocity_mean, 1e-6 * a.velocity_mean);
    EXPECT_NEAR(a.velocity_graph, b.velocity_graph, 2e-3 * a.velocity_graph);
    EXPECT_LE(located.schemes[1].runs[i].errors.position_max, 1e-11);  // against itself
  }
  EXPECT_EQ(located.schemes[1].verdict, ConvergeVerdict::no_statement);
}

TEST(Converge, ListsSchemesThatCannot) {
  Scenario scenario = scenario_of("sliding_mass", {}, 0.0, 1.0);
  scenario.model = make_analytic_model("sliding_mass", {}, {.friction = 0.3});
  const ConvergeReport report = converge(scenario, two_decades(scenario, {"schatzman_paoli"}));
  EXPECT_EQ(report.schemes[0].verdict, ConvergeVerdict::refused);
  EXPECT_TRUE(report.fine());
}

}  // namespace
}  // namespace carom
