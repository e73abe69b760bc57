#include "batteries/sliding.h"

namespace carom::batteries {
namespace {

class SlidingBodyFine : public EveryScheme {};

TEST_P(SlidingBodyFine, BlockAndSphereWithStep1e4) {
  CAROM_NEEDS_ORDER();
  CAROM_SKIP_IF_IT_ALTERNATES();
  for (const double mu : {0.1, 0.5, 1.0}) {
    const Model block = sliding_block({.friction = mu}), sphere = sliding_sphere({.friction = mu});
    if (const auto why = refusal(entry(), *block.system)) GTEST_SKIP() << *why;
    expect_clean_slide(block, *scheme(), mu, 1e-4);
    expect_clean_slide(sphere, *scheme(), mu, 1e-4);
  }
}

CAROM_FOR_EVERY_SCHEME(SlidingBodyFine);

}  // namespace
}  // namespace carom::batteries
