// Frictionless contacts bring in no energy. In random scenes of spheres every rise of the energy is the scheme's own:
// of the schemes that declare passive contacts none may rise by more than what tolerances leave.
#include "batteries/passive_scenes.h"

namespace carom::batteries {
namespace {

using passive::energy;

class PassiveContacts : public EveryScheme {};

TEST_P(PassiveContacts, BringInNoEnergy) {
  if (!entry().promises.passive) GTEST_SKIP() << "does not declare it";
  passive::Random random(7);
  int impacts = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const passive::Scene scene = passive::draw(random);
    if (refusal(entry(), *scene.model.system)) continue;
    SCOPED_TRACE(fmt::format("sample {}: {}", sample, scene.text));
    take_steps(scene.model, *scheme(), scene.dt, 200, [&](const State& before, const StepResult& result) {
      // In a column tolerances remain, of positions (1e-12 of a radius, times a weight) and of impulses (1e-12, times
      // a velocity). Spheres that slide over each other also turn the normal during the step: a term of third order.
      ASSERT_LE(energy(scene, result.next) - energy(scene, before), (scene.column ? 1e-10 : 1e-6) * scene.energy)
          << "t " << result.next.t;
      for (const double impulse : result.impulse) impacts += impulse > 0.0;
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(impacts, 1000);
}

CAROM_FOR_EVERY_SCHEME(PassiveContacts);

}  // namespace
}  // namespace carom::batteries
