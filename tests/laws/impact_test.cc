// Impacts with known outcome, through impact_shift and solve_local.
#include "carom/base/errors.h"
#include "carom/laws/contact_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"
#include "laws/law_test_tools.h"

namespace carom {
namespace {

using namespace testing_tools;

TEST(Impact, BallBouncesWithItsRestitution) {
  const double m = 0.3;
  for (const double e : {0.0, 0.5, 1.0}) {
    const auto hit = impact(UnilateralLaw(e), Matrix::Constant(1, 1, 1.0 / m), Vector::Constant(1, -2.0));
    EXPECT_NEAR(hit.gamma_plus[0], 2.0 * e, 1e-15);
    EXPECT_NEAR(hit.impulse[0], m * 2.0 * (1.0 + e), 1e-15);
  }
}

TEST(Impact, ASeparatingContactIsLeftAlone) {
  const auto hit = impact(SpatialCoulombLaw(0.5, 0.3, 0.2), Matrix::Identity(3, 3), Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(hit.impulse, Vector::Zero(3));
}

// A disc dropped from 1 m while moving sideways at 3 m/s without spin: gamma_T = v_x + R omega, so
// G = diag(1/m, 1/m + R^2/I) = diag(1, 3).
struct Disc {
  static constexpr double m = 1.0, R = 0.1, I = 0.5 * m * R * R;
  double v_x, omega, v_y;
};
Disc drop_disc(double mu) {
  const double fall = -std::sqrt(2.0 * 9.81 * 1.0);
  Matrix G = Matrix::Zero(2, 2);
  G.diagonal() << 1.0 / Disc::m, 1.0 / Disc::m + Disc::R * Disc::R / Disc::I;
  const auto hit = impact(PlanarCoulombLaw(0.5, mu, 0.0), G, Eigen::Vector2d(fall, 3.0));
  return {3.0 + hit.impulse[1] / Disc::m, Disc::R * hit.impulse[1] / Disc::I, hit.gamma_plus[0]};
}

TEST(Impact, DiscSlipsOnASlipperyFloor) {
  const Disc disc = drop_disc(0.1);
  const double fall = std::sqrt(2.0 * 9.81);
  EXPECT_NEAR(disc.v_x, 3.0 - 0.1 * 1.5 * fall, 1e-14);
  EXPECT_NEAR(disc.v_x, 2.3356, 5e-5);
  EXPECT_NEAR(disc.v_y, 0.5 * fall, 1e-14);
}

TEST(Impact, DiscRollsAwayFromARoughFloor) {
  const Disc disc = drop_disc(0.2);
  EXPECT_NEAR(disc.v_x, 2.0, 1e-14);
  EXPECT_NEAR(disc.omega, -20.0, 1e-13);
}

// A rubber ball: with enough friction the tangential velocity of the contact point is reversed by e_T.
TEST(Impact, TangentialRestitutionReversesTheContactPoint) {
  const double m = 0.05, R = 0.03, I = 0.4 * m * R * R;
  Matrix G = Matrix::Zero(3, 3);
  G.diagonal() << 1.0 / m, 1.0 / m + R * R / I, 1.0 / m + R * R / I;
  const Vector gamma_minus = Eigen::Vector3d(-3.0, 1.0, -0.5);
  const auto hit = impact(SpatialCoulombLaw(0.8, 1.0, 0.6), G, gamma_minus);
  EXPECT_LE((hit.gamma_plus - Vector(Eigen::Vector3d(2.4, -0.6, 0.3))).norm(), 1e-14);
  // Too little friction for that: the impulse is at its limit, against xi_T.
  const auto slide = impact(SpatialCoulombLaw(0.8, 0.01, 0.6), G, gamma_minus);
  const double limit = 0.01 * m * 1.8 * 3.0;
  EXPECT_LE((slide.impulse.tail(2) + limit * gamma_minus.tail(2).normalized()).norm(), 1e-15);
  const auto planar = impact(PlanarCoulombLaw(0.8, 1.0, 0.6), G.topLeftCorner(2, 2), gamma_minus.head(2));
  EXPECT_LE((planar.gamma_plus - Vector(Eigen::Vector2d(2.4, -0.6))).norm(), 1e-14);
}

// With e_T = e the kinetic energy Lambda'(gamma+ + gamma-)/2 never rises, whatever the coupling.
TEST(Impact, EqualRestitutionNeverGainsEnergy) {
  Random random(3);
  double worst = 0.0;
  for (int k = 0; k < 20000; ++k) {
    const double e = uniform(random, 0.0, 1.0);
    const Vector gamma_minus = normal_vector(3, random);
    const auto hit = impact(SpatialCoulombLaw(e, uniform(random, 0.0, 2.0), e), random_spd(3, random), gamma_minus);
    const double gain = 0.5 * hit.impulse.dot(hit.gamma_plus + gamma_minus);
    const double scale = hit.impulse.norm() * (hit.gamma_plus.norm() + gamma_minus.norm());
    if (scale > 0.0) worst = std::max(worst, gain / scale);
  }
  EXPECT_LE(worst, 1e-10);
}

TEST(ContactLaw, FactoryChoosesByFrictionAndSpace) {
  const auto unilateral = make_contact_law(Space::spatial, {0.5, 0.0, 0.0});
  EXPECT_EQ(unilateral->kind(), LawKind::unilateral);
  EXPECT_EQ(unilateral->dim(), 1);
  const auto planar = make_contact_law(Space::planar, {0.5, 0.3, 0.1});
  EXPECT_EQ(planar->kind(), LawKind::planar_coulomb);
  EXPECT_EQ(planar->dim(), 2);
  EXPECT_EQ(planar->friction(), 0.3);
  const auto spatial = make_contact_law(Space::spatial, {0.5, 0.3, 0.1});
  EXPECT_EQ(spatial->kind(), LawKind::other);
  EXPECT_EQ(spatial->dim(), 3);
  EXPECT_LE((impact_shift(*spatial, Eigen::Vector3d(1, 2, 3)) - Vector(Eigen::Vector3d(0.5, 0.2, 0.3))).norm(), 1e-15);
  for (const auto& law : {unilateral, planar, spatial}) EXPECT_TRUE(law->is_contact());
  const auto joint = make_bilateral_law(5);
  EXPECT_EQ(joint->kind(), LawKind::bilateral);
  EXPECT_EQ(joint->dim(), 5);
  EXPECT_FALSE(joint->is_contact());
  EXPECT_EQ(impact_shift(*joint, Vector::Ones(5)), Vector::Zero(5));
}

TEST(ContactLaw, NamesEveryValueOutOfRange) {
  try {
    make_contact_law(Space::planar, {1.5, -0.1, 0.0});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.problems()[0].key, "restitution");
    EXPECT_EQ(error.problems()[1].key, "friction");
  }
  EXPECT_THROW(UnilateralLaw(-0.1), InputError);
  EXPECT_THROW(SpatialCoulombLaw(0.0, 0.3, 1.1), InputError);
  EXPECT_THROW(PlanarCoulombLaw(0.0, std::nan(""), 0.0), InputError);
  EXPECT_THROW(make_bilateral_law(0), LogicError);
}

}  // namespace
}  // namespace carom
