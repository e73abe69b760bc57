// The quick part: steps 1e-2 and 1e-3 s. The shortest step is in sliding_slow_test.cc.
#include "batteries/sliding.h"

namespace carom::batteries {
namespace {

class SlidingBody : public EveryScheme {
 protected:
  std::vector<double> steps() const {  // a shorter one changes nothing about events that are located
    return entry().promises.event_driven ? std::vector<double>{1e-1} : std::vector<double>{1e-2, 1e-3};
  }
};

TEST_P(SlidingBody, BlockOnFourCornersNeitherLiftsNorHops) {
  CAROM_SKIP_IF_IT_ALTERNATES();
  for (const double mu : {0.1, 0.5, 1.0}) {
    const Model model = sliding_block({.friction = mu});
    if (const auto why = refusal(entry(), *model.system)) GTEST_SKIP() << *why;
    for (const double dt : steps()) expect_clean_slide(model, *scheme(), mu, dt);
  }
}

TEST_P(SlidingBody, SphereHeldFromRollingNeitherLiftsNorHops) {
  CAROM_SKIP_IF_IT_ALTERNATES();
  for (const double mu : {0.1, 0.5, 1.0}) {
    const Model model = sliding_sphere({.friction = mu});
    if (const auto why = refusal(entry(), *model.system)) GTEST_SKIP() << *why;
    for (const double dt : steps()) expect_clean_slide(model, *scheme(), mu, dt);
  }
}

CAROM_FOR_EVERY_SCHEME(SlidingBody);

}  // namespace
}  // namespace carom::batteries
