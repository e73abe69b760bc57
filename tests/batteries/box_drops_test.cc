// A sample of box_drops_slow_test.cc.
#include "batteries/box_drops.h"

namespace carom::batteries {
namespace {

class BoxDrop4 : public EveryScheme {};

TEST_P(BoxDrop4, EndsWithoutFailureAndWithoutEnergyFromNowhere) { expect_clean_drops(entry(), 1004, 4); }

CAROM_FOR_EVERY_SCHEME(BoxDrop4);

}  // namespace
}  // namespace carom::batteries
