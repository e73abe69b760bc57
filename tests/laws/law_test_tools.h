// What the tests of the laws share: random blocks, and a judge of solutions that uses nothing of the
// solve but the law's projection.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "carom/laws/law.h"

namespace carom::testing_tools {

using Random = std::mt19937_64;

inline double normal(Random& random) { return std::normal_distribution<double>()(random); }
inline double uniform(Random& random, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(random);
}
inline Vector normal_vector(Index n, Random& random) {
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}
inline Matrix normal_matrix(Index n, Random& random) {
  return Matrix::NullaryExpr(n, n, [&] { return normal(random); });
}
inline Matrix random_spd(Index n, Random& random) {
  const Matrix B = normal_matrix(n, random);
  return B * B.transpose();
}

inline Vector project(const Law& law, const Vector& x) {
  Vector y(law.dim());
  law.project(x.data(), y.data());
  return y;
}

inline Matrix derivative(const Law& law, const Vector& x) {
  Matrix D(law.dim(), law.dim());
  law.project_derivative(x.data(), D.data());
  return D;
}

inline Vector impact_shift(const Law& law, const Vector& gamma_minus) {
  Vector shift(law.dim());
  law.impact_shift(gamma_minus.data(), shift.data());
  return shift;
}

inline double fixed_point_residual(const Law& law, const Matrix& G, const Vector& c, const Vector& lambda) {
  const double rho = G.diagonal().maxCoeff();
  const Vector xi = G * lambda + c;
  const double scale = c.norm() + G.norm() * lambda.norm();
  return rho * (lambda - project(law, lambda - xi / rho)).norm() / scale;
}

// Impulse and post-impact velocity of one contact hit with gamma_minus: gamma+ = gamma- + G Lambda.
struct Impact {
  Vector impulse, gamma_plus;
};
inline Impact impact(const Law& law, const Matrix& G, const Vector& gamma_minus) {
  const Vector c = gamma_minus + impact_shift(law, gamma_minus);
  Vector impulse = Vector::Zero(law.dim());
  EXPECT_TRUE(law.solve_local(G.data(), c.data(), impulse.data()));
  return {impulse, gamma_minus + G * impulse};
}

}  // namespace carom::testing_tools
