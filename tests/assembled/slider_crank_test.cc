// The slider-crank as three planar bodies, three revolute joints and a guide moves like the same mechanism written down
// by hand.
#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/assembly/builder.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

constexpr double l1 = 0.153, l2 = 0.306, omega = 150.0;
const ContactParameters steel = {.restitution = 0.4, .friction = 0.01};

Model assembled() {
  ModelBuilder m(Space::planar);
  m.set_gravity({0.0, -9.81, 0.0});
  const auto inertia = [](double J) { return Matrix3(J * Matrix3::Identity()); };
  const BodyRef crank = m.add_body({.name = "crank", .mass = 0.038, .inertia = inertia(7.4e-5)});
  const BodyRef rod = m.add_body({.name = "rod", .mass = 0.038, .inertia = inertia(5.9e-4)});
  const BodyRef slider = m.add_body({.name = "slider", .mass = 0.076, .inertia = inertia(2.7e-6)});
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = crank.at({-l1 / 2, 0, 0}),
               .start = CoordinateStart{0.0, omega}});
  m.add_joint({.name = "crankpin",
               .kind = "revolute",
               .a = crank.at({l1 / 2, 0, 0}),
               .b = rod.at({-l2 / 2, 0, 0}),
               .start = CoordinateStart{0.0, -omega * (1 + l1 / l2)}});
  m.add_joint({.name = "wristpin",
               .kind = "revolute",
               .a = rod.at({l2 / 2, 0, 0}),
               .b = slider.at({0, 0, 0}),
               .start = CoordinateStart{0.0, omega * l1 / l2}});
  m.add_guide({.name = "guide",
               .guide = m.ground().at({0, 0, 0}),
               .block = slider.at({0, 0, 0}),
               .half_length = 0.05,
               .half_height = 0.025,
               .clearance = 0.001,
               .law = steel});
  return m.build();
}

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
