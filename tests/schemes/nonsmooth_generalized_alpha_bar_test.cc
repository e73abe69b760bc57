// The nonsmooth generalized-alpha schemes on a steel bar against the continuous bar: contact for
// 2L/c = 3.8545e-4 s with the force E S v/c = 1271.47 N, energy kept.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "schemes/run_scheme.h"

namespace carom {
namespace {

using testing::Given;

struct Hit {
  double duration = 0, force = 0, smallest_gap = 0, smallest_force = 0, energy = 0;
};

Hit hit(const std::string& scheme, const Given& given, double elements = 1000) {
  constexpr double dt = 2e-6;
  const Model model = make_analytic_model("steel_bar", {{"elements", elements}}, {});
  const System& system = *model.system;
  ContactSet contacts;
  system.detect(0, model.initial.q, model.initial.v, 0, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  Hit result;
  double begin = 0, count = 0;
  const State end = testing::run(system, model.initial, scheme, given, dt, 600, [&](const StepResult& r) {
    const double t = r.next.t, force = r.impulse.empty() ? 0.0 : r.impulse[0] / dt;
    if (force > 0.0 && begin == 0.0) begin = t - dt;
    if (force > 0.0) result.duration = t - begin;
    result.smallest_force = std::min(result.smallest_force, force);
    if (t > 6e-4 && t < 8e-4) {
      result.force += force;
      ++count;
    }
    system.evaluate(t, r.next.q, r.next.v, Need::gap, all, at);
    result.smallest_gap = std::min(result.smallest_gap, at.g[0]);
  });
  result.force /= count;
  const Energetics& energetics = *system.energetics();
  const State& start = model.initial;
  result.energy = (energetics.kinetic_energy(end.t, end.q, end.v) + energetics.potential_energy(end.t, end.q)) /
                  (energetics.kinetic_energy(0, start.q, start.v) + energetics.potential_energy(0, start.q));
  return result;
}

TEST(NonsmoothAlphaBar, TouchesAsLongAndAsHardAsTheContinuousBar) {
  const auto expect = [](const Hit& h) {
    EXPECT_NEAR(h.duration, 3.8545e-4, 3 * 2e-6);
    EXPECT_NEAR(h.force, 1271.472, 1e-3 * 1271.472);
    EXPECT_GE(h.smallest_gap, -1e-14);
    EXPECT_GE(h.smallest_force, 0.0);
  };
  for (const char* strategy : {"pva", "pvv"})
    for (const char* solution : {"sequential", "monolithic"}) {
      SCOPED_TRACE(fmt::format("{} {}", strategy, solution));
      const double elements = strategy == std::string("pva") ? 1000 : 200;  // the others take longer
      expect(hit("nonsmooth_generalized_alpha",
                 {{"strategy", std::string(strategy)}, {"solution", std::string(solution)}}, elements));
    }
  SCOPED_TRACE("decoupled");
  expect(hit("nonsmooth_generalized_alpha_decoupled", {}, 200));
}

// The spectral radius chooses how much of the vibration a contact excites survives.
TEST(NonsmoothAlphaBar, DissipationFollowsTheSpectralRadius) {
  double before = 1.0;
  for (const double radius : {1.0, 0.8, 0.5, 0.0}) {
    const double kept = hit("nonsmooth_generalized_alpha", {{"spectral_radius", radius}}, 200).energy;
    EXPECT_LE(kept, before + 1e-12) << radius;
    EXPECT_GE(kept, 0.95) << radius;
    before = kept;
  }
  EXPECT_LT(before, 0.9999);
}

// With the forces the smooth motion could not see, the decoupled scheme gains no energy in the contact of a soft bar;
// without them it does.
TEST(NonsmoothAlphaBar, ForceCorrectionKeepsTheDecoupledSchemeFromGainingEnergy) {
  const Model model = make_analytic_model("horizontal_bar", {}, {});
  const Energetics& energetics = *model.system->energetics();
  const auto energy = [&](const State& s) {
    return energetics.kinetic_energy(s.t, s.q, s.v) + energetics.potential_energy(s.t, s.q);
  };
  const auto overshoot = [&](bool corrected) {
    double largest = 0;
    testing::run(*model.system, model.initial, "nonsmooth_generalized_alpha_decoupled",
                 {{"force_correction", corrected}, {"spectral_radius", 0.8}}, 2e-3, 1250,
                 [&](const StepResult& r) { largest = std::max(largest, energy(r.next)); });
    RecordProperty(corrected ? "with" : "without", fmt::format("{}", largest / energy(model.initial)));
    return largest / energy(model.initial) - 1.0;
  };
  EXPECT_LE(overshoot(true), 1e-9);
  EXPECT_NEAR(overshoot(false), 0.067, 0.02);
}

}  // namespace
}  // namespace carom
