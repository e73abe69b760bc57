// Laws of four rows: normal, two tangential, spin. Coulomb-Contensou friction, exact and in its ellipsoidal
// approximation with semi-axes mu lambda_N, mu lambda_N and (a length) mu lambda_N: with the moment divided
// by that length it is the Coulomb law with a ball in three dimensions.
#include "carom/laws/contensou_law.h"

#include <numbers>

#include "carom/base/errors.h"
#include "carom/sets/linear_transformation.h"
#include "laws/law_test_tools.h"

namespace carom {
namespace {

using namespace testing_tools;

template <class L>
class FourRowLaw : public ::testing::Test {};
using Laws = testing::Types<ContensouLaw, ContensouEllipsoidLaw>;
TYPED_TEST_SUITE(FourRowLaw, Laws);

TYPED_TEST(FourRowLaw, DerivativeAgreesWithDifferences) {
  const TypeParam law(0.0, 0.3, 1.0);
  Random random(1);
  double worst = 0.0;
  for (int k = 0; k < 10000; ++k) {
    Vector x = normal_vector(4, random);
    x[0] = std::abs(x[0]) + 0.1;
    const double slack = (project(law, x) - x).norm();  // at the boundary the map has a kink
    if (slack < 1e-3) continue;
    const Vector d = normal_vector(4, random);
    const Vector difference = (project(law, x + 1e-6 * d) - project(law, x - 1e-6 * d)) / 2e-6;
    worst = std::max(worst, (derivative(law, x) * d - difference).norm());
  }
  EXPECT_LE(worst, 1e-6);
}

// A plate pressed on the floor, turning with omega while sliding with v: at given pressure the friction
// ellipsoid is left along (v, length omega), so force and moment are in the ratio v : length^2 omega.
TEST(ContensouEllipsoidLaw, SlidingAndSpinningShareTheFriction) {
  const double mu = 0.3, length = 0.02, v = 0.4, omega = 50.0;
  const Eigen::Vector4d mobility(1.0, 1e-6, 1e-6, 1e-3);  // so heavy that an impulse hardly slows it
  const Eigen::Matrix4d G = mobility.asDiagonal();
  const Eigen::Vector4d c(-1.0, v, 0.0, omega);

  const LinearTransformation to_ball(Eigen::Vector4d(1.0, 1.0, 1.0, length).asDiagonal().toDenseMatrix());
  Eigen::Matrix4d G_hat;
  Eigen::Vector4d c_hat, lambda_hat = Eigen::Vector4d::Zero(), lambda;
  to_ball.congruent(G.data(), G_hat.data());
  to_ball.dual(c.data(), c_hat.data());
  const ContensouEllipsoidLaw law(0.0, mu, length);
  ASSERT_TRUE(law.solve_local(G_hat.data(), c_hat.data(), lambda_hat.data()));
  to_ball.from_reference(lambda_hat.data(), lambda.data());

  EXPECT_LE(fixed_point_residual(law, G_hat, c_hat, lambda_hat), 1e-14);
  EXPECT_NEAR(lambda[0], 1.0, 1e-12);
  EXPECT_NEAR(std::hypot(lambda[1], lambda[3] / length), mu, 1e-12);
  const Eigen::Vector4d xi = G * lambda + c;
  EXPECT_NEAR(lambda[3] / lambda[1], length * length * xi[3] / xi[1], 1e-12);
  EXPECT_LT(lambda[1], 0.0);
  EXPECT_LT(lambda[3], 0.0);
}

// A patch pressed with lambda_N that slides with v and spins with omega: at every point of the patch the
// friction of the local pressure acts against the local velocity. Force and moment by integration over the
// patch are what the exact law must give; u = v / (R omega).
Eigen::Vector2d integrate_patch(double u) {
  constexpr int radii = 400, angles = 720;
  double force = 0.0, moment = 0.0;
  for (int i = 0; i < radii; ++i) {
    const double r = (i + 0.5) / radii;
    const double pressure = 1.5 / std::numbers::pi * std::sqrt(1.0 - r * r);
    for (int j = 0; j < angles; ++j) {
      const double a = 2.0 * std::numbers::pi * (j + 0.5) / angles;
      const double vx = u - r * std::sin(a), vy = r * std::cos(a), speed = std::hypot(vx, vy);
      const double area = r / radii * 2.0 * std::numbers::pi / angles;
      if (speed == 0.0) continue;
      force += pressure * area * vx / speed;
      moment += pressure * area * (-r * std::sin(a) * vx + r * std::cos(a) * vy) / speed;
    }
  }
  return {force, moment * 16.0 / (3.0 * std::numbers::pi)};  // moment / (R_bar/R)
}

TEST(ContensouLaw, IsTheFrictionOfAHertzianPatch) {
  const double mu = 0.4, k = 16.0 / (3.0 * std::numbers::pi);
  const ContensouLaw law(0.0, mu, 1.0);
  for (const double u : {0.0, 0.2, 0.7, 1.0, 1.3, 3.0, 10.0}) {
    // gamma = (v, 0, R_bar omega) with v = u R omega, R = k R_bar: far along -gamma the projection is the
    // boundary point with that normal.
    const Eigen::Vector4d x(1.0, -1e8 * k * u, 0.0, -1e8);
    const Vector y = project(law, x);
    const Eigen::Vector2d patch = mu * integrate_patch(u);
    EXPECT_NEAR(-y[1], patch[0], 2e-4 * mu) << u;
    EXPECT_NEAR(-y[3], patch[1], 2e-4 * mu) << u;
  }
}

TEST(ContensouLaw, LimitsArePureSlidingAndPureSpinning) {
  const ContensouLaw law(0.0, 0.5, 1.0);
  EXPECT_LE((project(law, Eigen::Vector4d(2.0, 3.0, 4.0, 0.0)) - Eigen::Vector4d(2.0, 0.6, 0.8, 0.0)).norm(), 1e-15);
  EXPECT_LE((project(law, Eigen::Vector4d(2.0, 0.0, 0.0, -7.0)) - Eigen::Vector4d(2.0, 0.0, 0.0, -1.0)).norm(), 1e-15);
  EXPECT_EQ(project(law, Eigen::Vector4d(-1.0, 3.0, 4.0, 5.0)), Vector(Vector::Zero(4)));
}

TEST(ContensouLaw, IsChosenByTheSpinRadius) {
  ContactParameters p{.restitution = 0.0, .friction = 0.3, .spin_radius = 2e-3};
  EXPECT_EQ(make_contact_law(Space::spatial, p)->dim(), 4);
  EXPECT_EQ(make_contact_law(Space::spatial, p)->spin_radius(), 2e-3);
  EXPECT_THROW(make_contact_law(Space::planar, p), InputError);
  p.friction = 0.0;
  EXPECT_THROW(make_contact_law(Space::spatial, p), InputError);
}

}  // namespace
}  // namespace carom
