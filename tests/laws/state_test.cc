// What a law says a contact does, on random pairs that obey it: with x any point, lambda = P(x) and xi = lambda - x
// satisfy -xi in N_C(lambda).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/laws/contact_law.h"
#include "carom/laws/contensou_law.h"

namespace carom {
namespace {

struct Pair {
  double lambda[Law::max_dim], xi[Law::max_dim];
};

Pair obeying(const Law& law, const double* x) {
  Pair pair;
  law.project(x, pair.lambda);
  for (Index i = 0; i < law.dim(); ++i) pair.xi[i] = pair.lambda[i] - x[i];
  return pair;
}

std::vector<std::shared_ptr<const Law>> friction_laws() {
  const ContactParameters rough = {.restitution = 0.3, .friction = 0.4};
  ContactParameters spinning = rough;
  spinning.spin_radius = 0.01;
  ContactParameters exact = spinning;
  exact.spin_reservoir = SpinReservoir::exact;
  return {make_contact_law(Space::planar, rough), make_contact_law(Space::spatial, rough),
          make_contact_law(Space::spatial, spinning), make_contact_law(Space::spatial, exact)};
}

TEST(ContactStateOfLaw, FollowsFromTheInclusion) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  int counts[4] = {};
  for (const auto& law : friction_laws())
    for (int k = 0; k < 2000; ++k) {
      double x[Law::max_dim];
      for (Index i = 0; i < law->dim(); ++i) x[i] = (i == 0 ? 3.0 : 1.0) * normal(random);
      const Pair pair = obeying(*law, x);
      const bool moves = std::any_of(pair.xi + 1, pair.xi + law->dim(), [](double s) { return s != 0.0; });
      const ContactState expected = !(x[0] > 0.0) ? ContactState::open
                                    : moves       ? ContactState::slip
                                                  : ContactState::stick;
      ASSERT_EQ(law->state(pair.lambda, pair.xi), expected);
      ASSERT_EQ(law->state(pair.lambda, nullptr), expected) << "read off lambda alone";
      ++counts[static_cast<int>(expected)];
    }
  EXPECT_GT(std::min({counts[0], counts[1], counts[2]}), 500);
}

TEST(ContactStateOfLaw, TurningOnTheSpotIsSpin) {
  for (const auto& law : friction_laws()) {
    if (law->dim() < 4) continue;
    const double turning[] = {1.0, 0.0, 0.0, 2.0}, sliding[] = {1.0, 2.0, 0.0, 0.0}, both[] = {1.0, 0.5, 0.1, 2.0};
    const double held[] = {1.0, 0.0, 0.0, 0.1};
    EXPECT_EQ(law->state(obeying(*law, turning).lambda, obeying(*law, turning).xi), ContactState::spin);
    EXPECT_EQ(law->state(obeying(*law, turning).lambda, nullptr), ContactState::spin);
    EXPECT_EQ(law->state(obeying(*law, sliding).lambda, obeying(*law, sliding).xi), ContactState::slip);
    EXPECT_EQ(law->state(obeying(*law, both).lambda, obeying(*law, both).xi), ContactState::slip);
    EXPECT_EQ(law->state(obeying(*law, held).lambda, obeying(*law, held).xi), ContactState::stick);
  }
}

TEST(ContactStateOfLaw, FrictionAtItsLimitThatMeetsNoMotionHolds) {
  for (const auto& law : friction_laws()) {
    double lambda[Law::max_dim] = {2.0, 0.4 * 2.0, 0.0, 0.0};
    const double rest[Law::max_dim] = {}, slow[Law::max_dim] = {0.0, -1e-13, 0.0, 0.0};
    EXPECT_EQ(law->state(lambda, rest), ContactState::stick);
    EXPECT_EQ(law->state(lambda, slow), ContactState::slip);
    lambda[1] *= 1.0 - 1e-12;  // what a solver leaves
    EXPECT_EQ(law->state(lambda, slow), ContactState::slip);
    lambda[1] *= 1.0 - 1e-6;
    EXPECT_EQ(law->state(lambda, slow), ContactState::stick);
  }
}

TEST(ContactStateOfLaw, WithoutFrictionAContactThatPushesSlips) {
  const auto smooth = make_contact_law(Space::spatial, {.restitution = 1.0});
  const double push[] = {1.0}, none[] = {0.0};
  EXPECT_EQ(smooth->state(push, nullptr), ContactState::slip);
  EXPECT_EQ(smooth->state(none, nullptr), ContactState::open);
  const auto joint = make_bilateral_law(3);
  const double any[] = {0.0, -2.0, 1.0};
  EXPECT_EQ(joint->state(any, any), ContactState::stick);
}

TEST(LawParameters, AreThoseItWasMadeWith) {
  const ContactParameters p = {.restitution = 0.2,
                               .friction = 0.5,
                               .tangential_restitution = 0.1,
                               .spin_radius = 1e-3,
                               .spin_reservoir = SpinReservoir::exact};
  const auto law = make_contact_law(Space::spatial, p);
  ASSERT_TRUE(law->contact());
  EXPECT_EQ(law->contact()->restitution, 0.2);
  EXPECT_EQ(law->contact()->tangential_restitution, 0.1);
  EXPECT_EQ(law->friction(), 0.5);
  EXPECT_EQ(law->spin_radius(), 1e-3);
  EXPECT_FALSE(law->friction_in_ball());
  EXPECT_EQ(make_bilateral_law(2)->contact(), nullptr);
}

TEST(LawParameters, ALawIsMadeAgainFromThem) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  auto laws = friction_laws();
  laws.push_back(make_contact_law(Space::planar, {.restitution = 0.5}));
  laws.push_back(make_bilateral_law(5));
  for (const auto& law : laws) {
    const auto again = remade(*law);
    ASSERT_TRUE(again);
    EXPECT_NE(again, law);
    EXPECT_EQ(again->dim(), law->dim());
    double x[Law::max_dim], y[Law::max_dim], z[Law::max_dim];
    for (int k = 0; k < 20; ++k) {
      for (double& s : x) s = normal(random);
      law->project(x, y);
      again->project(x, z);
      EXPECT_TRUE(std::equal(y, y + law->dim(), z));
      law->impact_shift(x, y);
      again->impact_shift(x, z);
      EXPECT_TRUE(std::equal(y, y + law->dim(), z));
    }
  }
}

}  // namespace
}  // namespace carom
