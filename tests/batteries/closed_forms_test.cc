// Problems with closed-form solutions: every scheme comes near them with O(dt), through impacts and beyond
// the accumulation point of impacts, and the impact law holds where it is promised.
#include "batteries/battery.h"
#include "carom/study/jitter.h"

namespace carom::batteries {
namespace {

class ClosedForms : public EveryScheme {
 protected:
  // Largest error of the position over the run.
  double error(const Model& model, double dt, double t_end) const {
    double worst = 0;
    Vector q, v;
    take_steps(model, *scheme(), dt, static_cast<long>(t_end / dt), [&](const State&, const StepResult& result) {
      model.exact(result.next.t, q, v);
      worst = std::max(worst, (result.next.q - q).norm());
    });
    return worst;
  }

  void expect_first_order(const Model& model, double t_end, double bound) const {
    CAROM_SKIP_IF_REFUSED(model);
    const std::vector<double> steps = jittered_steps(1e-2, 1e-4, 21);
    std::vector<double> errors;
    for (const double dt : steps) {
      errors.push_back(error(model, dt, t_end));
      EXPECT_LE(errors.back(), bound * dt) << "step " << dt;
    }
    // Two decades scatter more than the three of `carom converge`.
    const OrderFit fit = order(steps, errors);
    EXPECT_NEAR(fit.order, 1.0, 0.2) << to_text(fit);
  }
};

// Rest from t = 3 on, after infinitely many impacts. The speed is 2 m/s at most, so an impact that is one
// step late costs 2 (1 + e) dt.
TEST_P(ClosedForms, BouncingBall) {
  CAROM_NEEDS_ORDER();
  CAROM_NEEDS_CONTACTS();
  expect_first_order(make_analytic_model("bouncing_ball", {}, {.restitution = 0.5}), 4.0, 6.0);
}

TEST_P(ClosedForms, ImpactOscillator) {
  CAROM_NEEDS_ORDER();
  CAROM_NEEDS_CONTACTS();
  const Model model = make_analytic_model("impact_oscillator", {}, {.restitution = 0.5});
  double speed = 0;  // as above, the bound is two steps at the largest speed
  Vector q, v;
  for (int i = 0; i < 1000; ++i) {
    model.exact(0.002 * i, q, v);
    speed = std::max(speed, v.norm());
  }
  expect_first_order(model, 2.0, 3.0 * speed);
}

TEST_P(ClosedForms, SlidingMassStops) {
  CAROM_SKIP_IF_IT_SINKS();
  CAROM_NEEDS_CONTACTS();
  if (!entry().treats.contains(Feature::friction)) GTEST_SKIP() << "frictionless scheme";
  const Model model = make_analytic_model("sliding_mass", {}, {.restitution = 0.0, .friction = 0.3});
  CAROM_SKIP_IF_REFUSED(model);
  // Exact but for the step in which it stops; forward differences are half a step ahead at 2 m/s before.
  const double ahead = entry().promises.orders.free_flight < 2 ? 0.5 * 2.0 : 0.0;
  for (const double dt : {4e-2, 1e-2, 3.3e-3, 1e-3})
    EXPECT_LE(error(model, dt, 1.0), ahead * dt + 0.5 * 9.81 * dt * dt) << dt;
}

// Over 50 drop heights, three steps and four restitutions, in every step that has an impulse: the velocities
// themselves, not what the scheme reports about them. Schemes whose contacts bring in no energy may take the velocity
// of the touch within the step for the one at its start.
TEST_P(ClosedForms, RestitutionInEveryImpactStep) {
  CAROM_NEEDS_CONTACTS();
  if (!entry().promises.impact_law) GTEST_SKIP() << "the scheme does not promise the impact law in every step";
  long impacts = 0;
  for (const double e : {0.2, 0.5, 0.8, 1.0})
    for (const double dt : {1e-2, 1e-3, 1e-4})
      for (int i = 0; i < 50; ++i) {
        const Model model = make_analytic_model(
            "bouncing_ball", {{"mass", 4.19}, {"force", -4.19 * 9.81}, {"height", 0.2 + 0.073 * i / 49.0}},
            {.restitution = e});
        if (refusal(entry(), *model.system)) continue;
        take_steps(
            model, *scheme(), dt, static_cast<long>(0.4 / dt), [&](const State& before, const StepResult& result) {
              if (result.impulse.empty() || !(result.impulse[0] > 0.0)) return;
              ++impacts;
              const double touch = std::sqrt(before.v[0] * before.v[0] + 2.0 * 9.81 * std::max(0.0, before.q[0]));
              double error = std::abs(result.next.v[0] + e * before.v[0]);
              if (entry().promises.passive) error = std::min(error, std::abs(result.next.v[0] - e * touch));
              // They take gaps up to 1e-11 of a length for none, which the square root of the touch shows.
              ASSERT_LE(error, (entry().promises.passive ? 1e-11 : 1e-12) * std::max(1.0, std::abs(before.v[0])))
                  << "e " << e << " step " << dt << " drop " << i;
            });
      }
  EXPECT_GE(impacts, 600);
}

CAROM_FOR_EVERY_SCHEME(ClosedForms);

}  // namespace
}  // namespace carom::batteries
