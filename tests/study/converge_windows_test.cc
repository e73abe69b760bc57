// Windows of time, and schemes with parameters, in convergence studies.
#include <gtest/gtest.h>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/study/compare.h"
#include "carom/study/converge.h"
#include "carom/study/jitter.h"

namespace carom {
namespace {

ConvergeScheme study(const Scenario& scenario, const std::string& scheme, double from, double until,
                     const std::vector<double>& steps, const std::string& reference = "half_explicit_runge_kutta",
                     double reference_step = 0.0) {
  ConvergeOptions options = default_converge_options(scenario);
  options.schemes = scheme_names({scheme});
  options.from = from;
  options.until = until;
  options.steps = steps;
  options.reference_scheme = reference;
  options.reference_step = reference_step;
  return converge(scenario, options).schemes.at(0);
}

Scenario scenario_of(const std::string& model, const ContactParameters& contact) {
  Scenario scenario;
  scenario.name = model;
  scenario.model = make_analytic_model(model, {}, contact);
  return scenario;
}

// All three judged norms.
void expect_order(const ConvergeScheme& scheme, const std::string& phase, double order, double tolerance) {
  EXPECT_EQ(scheme.phase, phase) << scheme.scheme;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(scheme.orders[i].order, order, tolerance) << scheme.scheme << " " << i;
}

TEST(ConvergeWindows, OrdersOfTableausWithAJoint) {
  const Scenario scenario = scenario_of("slider_crank_bilateral", {});
  const std::vector<double> steps = jittered_steps(1e-4, 1e-5, 7);
  for (const auto& [scheme, order] : std::map<std::string, double>{{"half_explicit_runge_kutta:tableau=trapezoid", 2},
                                                                   {"half_explicit_runge_kutta:tableau=midpoint", 2},
                                                                   {"half_explicit_runge_kutta:tableau=hem4", 4}}) {
    const ConvergeScheme measured = study(scenario, scheme, 0.0, 0.02, steps);
    EXPECT_EQ(measured.verdict, ConvergeVerdict::met) << scheme;
    EXPECT_EQ(measured.declared, order);
    expect_order(measured, "persistent constraints", order, 0.1);
  }
  // Of order 3 and 5 in the largest error; errors that change sign within the window make means fall a little
  // differently.
  const auto expect_largest = [](const ConvergeScheme& measured, double order) {
    EXPECT_EQ(measured.declared, order);
    EXPECT_NEAR(measured.orders[0].order, order, 0.1) << measured.scheme;
    for (const std::size_t mean : {1u, 2u}) EXPECT_NEAR(measured.orders[mean].order, order, 0.2) << measured.scheme;
  };
  expect_largest(study(scenario, "half_explicit_runge_kutta:tableau=hem3", 0.0, 0.02, steps), 3);
  expect_largest(study(scenario, "half_explicit_extrapolated", 0.0, 0.02, jittered_steps(2e-4, 5e-5, 9)), 5);
}

// The slider presses on the upper wall from 9.2 to 15 ms and slides: whole orders there, one across the impacts before.
TEST(ConvergeWindows, BetweenImpactsAndAcross) {
  const Scenario scenario = scenario_of("slider_crank", {.restitution = 0.4, .friction = 0.01});
  const std::vector<double> steps = jittered_steps(2e-4, 2e-5, 9);
  const std::string closed = "activation_tolerance=1e-5";  // the reference is hardly closed at all
  expect_order(study(scenario, "half_explicit_velocity", 0.0095, 0.0135, steps, "half_explicit_runge_kutta", 1e-6),
               "persistent constraints", 2.0, 0.1);
  expect_order(study(scenario, "half_explicit_runge_kutta:tableau=hem3:" + closed, 0.0095, 0.0135, steps,
                     "half_explicit_runge_kutta", 1e-6),
               "persistent constraints", 3.0, 0.1);
  expect_order(
      study(scenario, "half_explicit_runge_kutta:" + closed, 0.0095, 0.0135, steps, "half_explicit_runge_kutta", 1e-6),
      "persistent constraints", 4.0, 0.1);
  expect_order(
      study(scenario, "half_explicit_runge_kutta:tableau=hem3", 0.0, 0.0026, steps, "half_explicit_runge_kutta", 1e-6),
      "free flight", 3.0, 0.1);
  expect_order(study(scenario, "half_explicit_velocity", 0.0, 0.0135, jittered_steps(1e-4, 1e-6, 31),
                     "half_explicit_velocity", 2e-7),
               "impacts", 1.0, 0.3);
}

// The window starts at the exact solution: errors made in the impact before it do not count.
TEST(ConvergeWindows, ExactModels) {
  const Scenario scenario = scenario_of("impact_oscillator", {.restitution = 0.5});
  std::vector<double> impacts;
  Vector q, v;
  double before = 0.0;
  for (double t = 0.0; impacts.size() < 2; t += 1e-4) {
    scenario.model.exact(t, q, v);
    if (before < 0.0 && v[0] > 0.0 && q[0] < 1e-3) impacts.push_back(t);
    before = v[0];
    ASSERT_LT(t, 10.0);
  }
  const double flight = impacts[1] - impacts[0], from = impacts[0] + 0.1 * flight, until = impacts[1] - 0.1 * flight;
  const std::vector<double> steps = jittered_steps(flight / 20, flight / 200, 9);
  expect_order(study(scenario, "half_explicit_velocity", from, until, steps), "free flight", 2.0, 0.1);
  expect_order(study(scenario, "half_explicit_velocity", 0.0, until, jittered_steps(flight / 20, flight / 2000, 21)),
               "impacts", 1.0, 0.2);
}

TEST(ConvergeWindows, NoTimeIsAMistake) {
  const Scenario scenario = scenario_of("impact_oscillator", {.restitution = 0.5});
  EXPECT_THROW(study(scenario, "moreau_jean", 0.2, 0.2, {1e-2}), LogicError);
  EXPECT_THROW(study(scenario, "moreau_jean:thetta=1", 0.0, 0.2, {1e-2}), InputError);
}

}  // namespace
}  // namespace carom
