// The interface holds laws of four rows, too: normal, two tangential, spin. Coulomb-Contensou friction
// in its ellipsoidal approximation, with semi-axes mu lambda_N, mu lambda_N and (a length) mu lambda_N:
// with the moment divided by that length it is the Coulomb law with a ball in three dimensions.
#include "carom/laws/coulomb_law.h"
#include "carom/sets/linear_transformation.h"
#include "laws/law_test_tools.h"

namespace carom {
namespace {

using namespace testing_tools;

class SpinFrictionLaw final : public CoulombLaw<3> {
 public:
  explicit SpinFrictionLaw(double mu) : CoulombLaw(0.0, mu, 0.0) {}
  LawKind kind() const override { return LawKind::other; }
  bool solve_local(const double* G, const double* c, double* lambda) const override {
    const ConstMatrixMap block(G, rows, rows);
    const ConstVectorMap constant(c, rows);
    VectorMap x(lambda, rows);
    const double r = 1.0 / block.norm();
    for (int k = 0; k < 10000; ++k) {
      Eigen::Vector4d next = x - r * (block * x + constant);
      project(next.data(), next.data());
      const double change = (next - x).norm();
      x = next;
      if (change <= 1e-15 * x.norm()) return true;
    }
    return false;
  }
};

TEST(FourRowLaw, DerivativeAgreesWithDifferences) {
  const SpinFrictionLaw law(0.3);
  Random random(1);
  double worst = 0.0;
  for (int k = 0; k < 10000; ++k) {
    Vector x = normal_vector(4, random);
    x[0] = std::abs(x[0]) + 0.1;
    if (std::abs(x.tail(3).norm() - 0.3 * x[0]) < 1e-3) continue;
    const Vector d = normal_vector(4, random);
    const Vector difference = (project(law, x + 1e-6 * d) - project(law, x - 1e-6 * d)) / 2e-6;
    worst = std::max(worst, (derivative(law, x) * d - difference).norm());
  }
  EXPECT_LE(worst, 1e-6);
}

// A plate pressed on the floor, turning with omega while sliding with v: at given pressure the friction
// ellipsoid is left along (v, length omega), so force and moment are in the ratio v : length^2 omega.
TEST(FourRowLaw, SlidingAndSpinningShareTheFriction) {
  const double mu = 0.3, length = 0.02, v = 0.4, omega = 50.0;
  const Eigen::Vector4d mobility(1.0, 1e-6, 1e-6, 1e-3);  // so heavy that an impulse hardly slows it
  const Eigen::Matrix4d G = mobility.asDiagonal();
  const Eigen::Vector4d c(-1.0, v, 0.0, omega);

  const LinearTransformation to_ball(Eigen::Vector4d(1.0, 1.0, 1.0, length).asDiagonal().toDenseMatrix());
  Eigen::Matrix4d G_hat;
  Eigen::Vector4d c_hat, lambda_hat = Eigen::Vector4d::Zero(), lambda;
  to_ball.congruent(G.data(), G_hat.data());
  to_ball.dual(c.data(), c_hat.data());
  const SpinFrictionLaw law(mu);
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

}  // namespace
}  // namespace carom
