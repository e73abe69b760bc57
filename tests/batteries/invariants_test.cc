// What must hold in every step, whatever the scheme: rest stays rest, friction takes energy and gives none,
// and energy does not grow where a scheme promises it.
#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries {
namespace {

class Invariants : public EveryScheme {};

TEST_P(Invariants, BallAtRestStaysAtRest) {
  CAROM_SKIP_IF_IT_SINKS();
  CAROM_NEEDS_CONTACTS();
  for (const double e : {0.0, 0.5, 1.0}) {
    const Model model = make_analytic_model("bouncing_ball", {{"height", 0.0}}, {.restitution = e});
    if (refusal(entry(), *model.system)) continue;
    for (const double dt : {1e-2, 1e-3})
      take_steps(model, *scheme(), dt, 1000, [&](const State&, const StepResult& result) {
        ASSERT_LE(std::abs(result.next.q[0]), 1e-12) << "e " << e << " step " << dt;
        ASSERT_LE(std::abs(result.next.v[0]), 1e-12) << "e " << e << " step " << dt;
      });
  }
}

TEST_P(Invariants, BlockAtRestStaysAtRest) {
  CAROM_SKIP_IF_IT_SINKS();
  const Model model = sliding_block({.speed = 0.0, .friction = 0.5, .restitution = 0.3});
  if (const auto why = refusal(entry(), *model.system)) GTEST_SKIP() << *why;
  for (const double dt : {1e-2, 1e-3})
    take_steps(model, *scheme(), dt, 500, [&](const State&, const StepResult& result) {
      ASSERT_LE((result.next.q - model.initial.q).lpNorm<Eigen::Infinity>(), 1e-12) << "step " << dt;
      // Four corners are redundant: the solver leaves its tolerance.
      ASSERT_LE(result.next.v.lpNorm<Eigen::Infinity>(), 1e-11) << "step " << dt;
    });
}

TEST_P(Invariants, MassOnAnInclineSticks) {
  CAROM_SKIP_IF_IT_SINKS();
  CAROM_NEEDS_CONTACTS();
  if (!entry().treats.contains(Feature::friction)) GTEST_SKIP() << "frictionless scheme";
  const Model model =
      make_analytic_model("sliding_mass", {{"incline", std::atan(0.29)}, {"velocity", 0.0}}, {.friction = 0.3});
  take_steps(model, *scheme(), 1e-2, 1000, [&](const State&, const StepResult& result) {
    ASSERT_LE(result.next.q.norm(), 1e-12);
    ASSERT_LE(result.next.v.norm(), 1e-12);
  });
}

// lambda_T . gamma_T <= 0 after the step: sliding friction opposes sliding, sticking friction does no work.
void expect_friction_opposes_sliding(const StepResult& result, long& sliding) {
  // Of an impact within the step the law knows the velocity after it, which is not that of the step's end.
  for (const StepEvent& event : result.events)
    if (event.kind == EventKind::impact) return;
  for (const StepContact& contact : result.contacts) {
    const Index dim = contact.constraint.law->dim();
    if (!contact.constraint.law->is_contact() || dim < 2) continue;
    double work = 0, impulse = 0, velocity = 10.0 * result.dt_taken;  // what gravity gives in a step
    for (Index i = contact.row; i < contact.row + dim; ++i) {         // all rows give the scale of rounding
      // The impulse of a step with events is a sum over forces and velocities of different instants.
      if (i > contact.row) work += result.work.empty() ? result.impulse[i] * result.gamma_plus[i] : result.work[i];
      impulse = std::hypot(impulse, result.impulse[i]);
      velocity = std::hypot(velocity, result.gamma_plus[i], result.gamma_minus[i]);
    }
    if (work < -1e-9 * impulse * velocity) ++sliding;
    ASSERT_LE(work, 1e-11 * impulse * velocity + 1e-18) << "t " << result.next.t;
  }
}

TEST_P(Invariants, FrictionDoesNoPositiveWork) {
  CAROM_SKIP_IF_IT_ALTERNATES();
  CAROM_NEEDS_CONTACTS();
  if (!entry().treats.contains(Feature::friction)) GTEST_SKIP() << "frictionless scheme";
  long sliding = 0;
  const int coarse = entry().promises.event_driven ? 10 : 1;  // slow in short steps, and no worse in longer ones
  struct Case {
    const char* model;
    double friction, dt;
    long steps;
  };
  for (const Case& c : {Case{"slider_crank", 0.01, 1e-5, 6000}, Case{"slider_crank", 0.3, 1e-5, 2000},
                        Case{"sliding_mass", 0.3, 1e-3, 1000}, Case{"falling_disc", 0.1, 1e-3, 1000},
                        Case{"rocking_block", 0.3, 1e-3, 1000}, Case{"slider_roller", 0.3, 1e-3, 1000}}) {
    SCOPED_TRACE(c.model);
    const Model model = make_analytic_model(c.model, {}, {.restitution = 0.4, .friction = c.friction});
    if (refusal(entry(), *model.system)) continue;
    take_steps(model, *scheme(), coarse * c.dt, c.steps / coarse,
               [&](const State&, const StepResult& result) { expect_friction_opposes_sliding(result, sliding); });
  }
  EXPECT_GT(sliding, 1000 / coarse) << "nothing slid: this tests nothing";
}

CAROM_FOR_EVERY_SCHEME(Invariants);

// With theta = 1/2 the energy of a linear system changes in impacts only, by Lambda (gamma_plus + gamma_minus)/2.
// That is a loss unless a contact acts while it opens, which is possible with a speed below a dt only.
class EnergyOfMoreau : public ::testing::TestWithParam<const char*> {};

TEST_P(EnergyOfMoreau, NeverRisesOnTheBall) {
  const auto scheme = make_scheme(GetParam());
  for (const double e : {0.0, 0.3, 0.8, 1.0}) {
    for (const double dt : {5e-2, 7.3e-3, 1e-3}) {
      const Model model = make_analytic_model("bouncing_ball", {}, {.restitution = e});
      const Energetics& energetics = *model.system->energetics();
      const auto energy = [&](const State& s) {
        return energetics.kinetic_energy(s.t, s.q, s.v) + energetics.potential_energy(s.t, s.q);
      };
      const double start = energy(model.initial), slow = 2.0 * dt;  // a dt
      take_steps(model, *scheme, dt, static_cast<long>(6.0 / dt), [&](const State& before, const StepResult& result) {
        const double room = std::abs(before.v[0]) <= slow ? 0.5 * slow * slow * (1.0 - e) : 0.0;
        ASSERT_LE(energy(result.next), energy(before) + room + 1e-13 * start) << "e " << e << " step " << dt;
        if (e == 1.0) {
          ASSERT_NEAR(energy(result.next), start, 1e-11 * start);
        }
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, EnergyOfMoreau, ::testing::Values("moreau_jean", "moreau_midpoint"),
                         [](const auto& scheme) { return std::string(scheme.param); });

TEST(EnergyOfMoreauJean, IsKeptByAnElasticUndampedOscillator) {
  const Model model = make_analytic_model("impact_oscillator", {{"damping", 0.0}}, {.restitution = 1.0});
  const Energetics& energetics = *model.system->energetics();
  const State& s0 = model.initial;
  const double start = energetics.kinetic_energy(0, s0.q, s0.v) + energetics.potential_energy(0, s0.q);
  take_steps(model, *make_scheme("moreau_jean"), 1e-3, 20000, [&](const State&, const StepResult& r) {
    const double energy = energetics.kinetic_energy(0, r.next.q, r.next.v) + energetics.potential_energy(0, r.next.q);
    ASSERT_NEAR(energy, start, 1e-10 * start);
  });
}

}  // namespace
}  // namespace carom::batteries
