// The order of a scheme, measured on smooth motion against a method that shares nothing with it.
#pragma once

#include "batteries/battery.h"
#include "batteries/smooth_motion.h"

namespace carom::batteries {

// The order of the error at t_end over these numbers of steps, relative to the size of the motion.
inline OrderFit measured_order(const Model& model, const Scheme& scheme, bool constrained, double t_end,
                               const std::vector<long>& counts) {
  SmoothMotion exact(model, constrained);
  exact.run(t_end, 20000);
  std::vector<double> steps, errors;
  for (const long n : counts) {
    const State end =
        take_steps(model, scheme, t_end / static_cast<double>(n), n, [&](const State&, const StepResult& r) {
          EXPECT_TRUE(constrained || r.impulse.empty() || r.impulse.vec().isZero()) << "this should be free flight";
        });
    steps.push_back(t_end / static_cast<double>(n));
    errors.push_back((end.q - exact.q).norm() + (end.v - exact.v).norm() / exact.v.norm());
  }
  const OrderFit fit = order(steps, errors);
  ::testing::Test::RecordProperty("order", to_text(fit));
  return fit;
}

inline std::vector<long> step_counts(long coarsest, int doublings) {
  std::vector<long> counts = {coarsest};
  for (int i = 0; i < doublings; ++i) counts.push_back(2 * counts.back());
  return counts;
}

// High orders reach rounding soon and are measured with longer steps, where a method whose leading error is
// small on purpose (Dormand, Prince) still shows some of the next order.
inline void expect_order(const OrderFit& fit, double expected, double most) {
  EXPECT_GE(fit.order, expected - 0.1) << to_text(fit);
  EXPECT_LE(fit.order, most + (most > 2 ? 0.6 : 0.1)) << to_text(fit);
}

// Free flight of a model the scheme treats: a guide so wide that it is not reached, or a mass above a plate that
// swings.
struct FreeFlight {
  Model model;
  double t_end;
  std::vector<long> counts;
};
inline FreeFlight free_flight(const SchemeEntry& scheme, double order) {
  const ContactParameters contact = treatable(scheme, {.restitution = 0.4});
  if (!scheme.treats.contains(Feature::variable_inertia))
    return {make_analytic_model("two_mass_oscillator",
                                {{"m2", 1.0}, {"stiffness", 100.0}, {"x1", 10.0}, {"x2", 0.2}, {"v2", 1.0}}, contact),
            0.5, step_counts(20, 4)};
  Model model = make_analytic_model("slider_crank", {{"clearance", 1.0}}, contact);
  if (order > 2) return {std::move(model), 0.01, step_counts(16, 3)};
  return {std::move(model), 2e-3, step_counts(20, 4)};
}

}  // namespace carom::batteries
