// Two hundred boxes fall on a floor, drawn at random: any size, mass, orientation, spin, restitution and friction from
// 0 to 1, steps from 0.1 to 5 ms. No scheme that treats them fails on one, and none makes energy but what the impact
// law makes.
#include "batteries/box_drops.h"

namespace carom::batteries {
namespace {

class BoxDrop200 : public EveryScheme {};

TEST_P(BoxDrop200, EndsWithoutFailureAndWithoutEnergyFromNowhere) {
  expect_clean_drops(entry(), 1000, entry().promises.event_driven ? 20 : 200);
}

CAROM_FOR_EVERY_SCHEME(BoxDrop200);

}  // namespace
}  // namespace carom::batteries
