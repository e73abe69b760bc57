// An inclusion on an ellipsoid, solved twice: with the ellipsoid's own projection, and transformed to
// the unit ball. The iterations differ, the solutions must not.
#include "carom/sets/linear_transformation.h"

#include <Eigen/Dense>
#include <random>

#include "carom/base/errors.h"
#include "carom/sets/ball.h"
#include "carom/sets/ellipsoid.h"

namespace carom {
namespace {

// -(G x + c) in N_C(x) by the projected gradient iteration x = prox(x - r (G x + c)).
Vector solve(const ConvexSet& set, const Matrix& G, const Vector& c) {
  const double r = 1.0 / G.trace();
  Vector x = Vector::Zero(c.size());
  for (int k = 0; k < 20000; ++k) {
    Vector next = x - r * (G * x + c);
    set.project(next.data(), next.data());
    const double change = (next - x).norm();
    x = next;
    if (change == 0.0) break;
  }
  return x;
}

TEST(LinearTransformation, MovesAnInclusionFromTheEllipsoidToTheBall) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  int on_boundary = 0;
  for (int k = 0; k < 300; ++k) {
    const Index n = 2 + k % 3;
    const auto entry = [&] { return normal(random); };
    const Matrix A = Matrix::NullaryExpr(n, n, entry) + 3.0 * Matrix::Identity(n, n);
    const Matrix B = Matrix::NullaryExpr(n, n, entry);
    const Matrix G = B * B.transpose() + Matrix::Identity(n, n);
    const Vector c = 20.0 * Vector::NullaryExpr(n, entry);

    const Ellipsoid ellipsoid(A);
    const Vector direct = solve(ellipsoid, G, c);

    const LinearTransformation& to_ball = ellipsoid.transformation();
    Matrix G_hat(n, n);
    Vector c_hat(n), x(n);
    to_ball.congruent(G.data(), G_hat.data());
    to_ball.dual(c.data(), c_hat.data());
    const Vector x_hat = solve(Ball(n, 1.0), G_hat, c_hat);
    to_ball.from_reference(x_hat.data(), x.data());

    EXPECT_LE((x - direct).norm(), 1e-10 * (1.0 + x.norm()));
    if (x_hat.norm() > 1.0 - 1e-9) ++on_boundary;
    Vector back(n);
    to_ball.to_reference(x.data(), back.data());
    EXPECT_LE((back - x_hat).norm(), 1e-11);
  }
  EXPECT_GT(on_boundary, 100);
  EXPECT_LT(on_boundary, 300);
}

TEST(LinearTransformation, NeedsARegularMatrix) {
  EXPECT_THROW(LinearTransformation(Matrix::Ones(2, 2)), LogicError);
  EXPECT_THROW(LinearTransformation(Matrix::Ones(1, 2)), LogicError);
  EXPECT_THROW(LinearTransformation(Matrix::Identity(7, 7)), LogicError);
}

}  // namespace
}  // namespace carom
