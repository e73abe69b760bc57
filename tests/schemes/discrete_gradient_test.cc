// The discrete gradient: exact directionality, the midpoint gradient for quadratics, second order else.
#include "carom/schemes/consistent/discrete_gradient.h"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

using Random = std::mt19937_64;

Vector normal_vector(Index n, Random& random) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}

double smooth(const Vector& x) { return std::sin(x[0]) * std::exp(0.3 * x[1]) + x[2] * x[2] * x[0] + std::cos(x[3]); }
Vector smooth_gradient(const Vector& x) {
  Vector g(4);
  g << std::cos(x[0]) * std::exp(0.3 * x[1]) + x[2] * x[2], 0.3 * std::sin(x[0]) * std::exp(0.3 * x[1]),
      2.0 * x[2] * x[0], -std::sin(x[3]);
  return g;
}

Vector discrete(double rise, const Vector& d, Vector gradient) {
  make_discrete(rise, 1.0, static_cast<Index>(d.size()), d.data(), 1, gradient.data());
  return gradient;
}

TEST(DiscreteGradient, IsDirectionalForEverySmoothFunctionAndEveryGradient) {
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const Vector a = normal_vector(4, random), d = normal_vector(4, random), b = a + d;
    const double rise = smooth(b) - smooth(a);
    EXPECT_NEAR(discrete(rise, d, smooth_gradient(a + 0.5 * d)).dot(d), rise, 1e-14 * (1.0 + d.norm()));
    // Even a wrong gradient: why gradients need tests of their own.
    EXPECT_NEAR(discrete(rise, d, normal_vector(4, random)).dot(d), rise, 1e-14 * (1.0 + d.norm()));
  }
}

TEST(DiscreteGradient, IsTheMidpointGradientOfAQuadratic) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const Matrix B = Matrix::NullaryExpr(4, 4, [&] { return normal_vector(1, random)[0]; }), S = B + B.transpose();
    const Vector a = normal_vector(4, random), d = 0.1 * normal_vector(4, random), b = a + d;
    const Vector gradient = S * (a + 0.5 * d);
    const double rise = 0.5 * b.dot(S * b) - 0.5 * a.dot(S * a);
    EXPECT_LE((discrete(rise, d, gradient) - gradient).norm(), 1e-12);
  }
}

TEST(DiscreteGradient, DiffersFromTheGradientBySecondOrder) {
  Random random(3);
  const Vector a = normal_vector(4, random), d = normal_vector(4, random);
  double last = 0.0;
  for (double h = 0.1; h > 1e-3; h *= 0.5) {
    const Vector step = h * d, gradient = smooth_gradient(a + 0.5 * step);
    const double difference = (discrete(smooth(a + step) - smooth(a), step, gradient) - gradient).norm();
    if (last > 0.0) {
      EXPECT_NEAR(last / difference, 4.0, 0.6) << h;
    }
    last = difference;
  }
}

// At rest the rise is rounding: divided by |d|^2 it would be anything.
TEST(DiscreteGradient, DoesNotMagnifyRounding) {
  const Vector gradient = Vector::Constant(2, 3.0), d = Vector::Constant(2, 1e-18);
  Vector result = gradient;
  make_discrete(2e-17, 1.0, 2, d.data(), 1, result.data());
  EXPECT_EQ(result, gradient);
}

TEST(DiscreteGradient, StaysWithinTheCoordinatesOfTheFunction) {
  Vector gradient(3);
  gradient << 1.0, 0.0, 2.0;
  const Vector d = Vector::Ones(3);
  EXPECT_EQ(discrete(5.0, d, gradient)[1], 0.0);
  EXPECT_NEAR(discrete(5.0, d, gradient).dot(d), 5.0, 1e-15);
}

}  // namespace
}  // namespace carom
