// Every scheme on the elastic bar: it touches the wall for the time and with the force of the wave solution. Explicit
// schemes need steps below the time a wave needs through an element.
#include "batteries/battery.h"

#include "carom/model/flexible/impacting_bar.h"

namespace carom::batteries {
namespace {

class OnTheBar : public EveryScheme {};

TEST_P(OnTheBar, ContactTimeAndForceAreThoseOfTheWave) {
  CAROM_SKIP_IF_IT_SINKS();
  if (!entry().treats.contains(Feature::contacts)) GTEST_SKIP() << "for joints only";
  const RodData rod = steel_rod(entry().promises.event_driven ? 30 : 100, 1e-8);  // 30: dense Jacobians
  // Explicit Moreau-Jean lets vibrations grow with w^2 dt / 2, the damping takes them away with w^2 beta / 2.
  const bool growing = entry().name == "moreau_jean_explicit";
  const double speed = 0.1, gap = 5.05e-6, dt = growing ? 5e-9 : entry().promises.implicit_force ? 1e-6 : 5e-7;
  const RodImpact wave(rod, speed);
  const Model model = impacting_bar(rod, gap, speed, {});
  CAROM_SKIP_IF_REFUSED(model);
  const double touch = gap / speed, end = touch + 1.5 * wave.contact_time;

  double first = -1.0, last = -1.0, impulse = 0.0, in_the_middle = 0.0, deepest = 0.0;
  take_steps(model, *scheme(), dt, std::lround(end / dt), [&](const State& before, const StepResult& result) {
    deepest = std::min(deepest, gap + result.next.q[0]);
    if (result.contacts.empty() || result.impulse[0] <= 0.0) return;
    if (first < 0.0) first = before.t;
    last = result.next.t;
    impulse += result.impulse[0];
    const double s = (before.t - touch) / wave.contact_time;
    if (s > 0.1 && s < 0.4) in_the_middle += result.impulse[0];
  });
  const double momentum = rod.density * rod.section * rod.length * speed;
  EXPECT_NEAR(first, touch, 3.0 * dt);
  EXPECT_NEAR(last - first, wave.contact_time, 0.03 * wave.contact_time);
  EXPECT_NEAR(impulse, 2.0 * momentum, 0.06 * momentum) << "some of it stays as vibration";
  EXPECT_NEAR(in_the_middle / (0.3 * wave.contact_time), wave.contact_force, 0.01 * wave.contact_force);
  EXPECT_GE(deepest, -1.5 * speed * std::max(dt, 1e-7));
}

CAROM_FOR_EVERY_SCHEME(OnTheBar);

// The steel bar of the literature, 1000 elements and dt = 2e-6 s: contact time to three steps, force to 0.1 %, no
// violation where positions are solved for, one of half a step's way with Moreau-Jean.
TEST(SteelBar, TimeForceAndViolation) {
  const RodData rod = steel_rod(1000);
  const double speed = 0.1, gap = 5e-5, dt = 2e-6;
  const RodImpact wave(rod, speed);
  const Model model = impacting_bar(rod, gap, speed, {});
  struct Case {
    const char* scheme;
    double violation;
  };
  for (const Case& c : {Case{"projection_combined", 1e-14}, Case{"nonsmooth_generalized_alpha", 1e-14},
                        Case{"moreau_jean", 0.5 * speed * dt * (1 + 1e-6)}}) {
    double steps = 0, force = 0, middle = 0, deepest = 0;
    take_steps(model, *make_scheme(c.scheme), dt, 500, [&](const State& before, const StepResult& result) {
      deepest = std::min(deepest, gap + result.next.q[0]);
      if (result.contacts.empty() || result.impulse[0] <= 0.0) return;
      ++steps;
      const double s = (before.t - gap / speed) / wave.contact_time;
      if (s < 0.2 || s > 0.8) return;
      ++middle;
      force += result.impulse[0] / dt;
    });
    EXPECT_NEAR(steps * dt, 3.8545e-4, 3.0 * dt) << c.scheme;
    EXPECT_NEAR(force / middle, 1271.47, 1e-3 * 1271.47) << c.scheme;
    EXPECT_GE(deepest, -c.violation) << c.scheme;
  }
}

}  // namespace
}  // namespace carom::batteries
