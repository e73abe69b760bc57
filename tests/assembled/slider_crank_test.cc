// The slider-crank as three planar bodies, three revolute joints and a guide moves like the same mechanism written down
// by hand.
#include <gtest/gtest.h>

#include "assembled/slider_crank.h"
#include "carom/model/analytic/analytic_model.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

const ContactParameters steel = {.restitution = 0.4, .friction = 0.01};

Model assembled() { return testing::assembled_slider_crank(Coordinates::maximal, steel); }
Model by_hand() { return make_analytic_model("slider_crank_maximal", {}, steel); }

TEST(AssembledSliderCrank, StartsWhereTheFormulasStart) {
  const Model a = assembled(), b = by_hand();
  ASSERT_EQ(a.initial.q.size(), 9);
  EXPECT_LT((a.initial.q - b.initial.q).norm(), 1e-14);
  EXPECT_LT((a.initial.v - b.initial.v).norm(), 1e-11);
  for (Index i = 0; i < 9; ++i) {
    EXPECT_EQ(a.system->coordinate_name(i), b.system->coordinate_name(i));
    EXPECT_EQ(a.system->velocity_name(i), b.system->velocity_name(i));
  }
}

class SliderCrankSchemes : public ::testing::TestWithParam<const char*> {};

// 30 ms: several impacts. What differs is rounding alone, and impacts make it grow.
TEST_P(SliderCrankSchemes, MovesLikeTheFormulas) {
  const Model a = assembled(), b = by_hand();
  State start = b.initial;
  const State end_a = testing::run(*a.system, start, GetParam(), {}, 1e-5, 3000);
  const State end_b = testing::run(*b.system, start, GetParam(), {}, 1e-5, 3000);
  EXPECT_LT((end_a.q - end_b.q).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((end_a.v - end_b.v).cwiseAbs().maxCoeff(), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Schemes, SliderCrankSchemes,
                         ::testing::Values("moreau_jean", "projection_combined", "ggl_unified",
                                           "half_explicit_velocity", "nonsmooth_generalized_alpha"));

}  // namespace
}  // namespace carom::model
