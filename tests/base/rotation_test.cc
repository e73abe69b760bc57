// Quaternion algebra against rotation matrices and against each other.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "carom/base/rotation.h"

namespace carom {
namespace {

Vector3 random_vector(std::mt19937& engine, double size) {
  Vector3 a;
  for (int i = 0; i < 3; ++i) a[i] = size * (static_cast<double>(engine()) / 2147483648.0 - 1.0);
  return a;
}

// The same point turned by the quaternion product p (0, x) p*.
Vector3 turn(const Quaternion& p, const Vector3& x) {
  const Quaternion pure(0.0, x[0], x[1], x[2]);
  return quaternion_product(quaternion_product(p, pure), quaternion_conjugate(p)).tail<3>();
}

TEST(Rotation, MatrixExponentialAndProductAgree) {
  std::mt19937 engine(2);
  for (int k = 0; k < 200; ++k) {
    const Vector3 phi = random_vector(engine, 1.7), psi = random_vector(engine, 1.7), x = random_vector(engine, 1);
    const Quaternion p = quaternion_exp(phi), r = quaternion_exp(psi);
    const Matrix3 R = rotation_matrix(p);
    EXPECT_NEAR(p.norm(), 1.0, 1e-15);
    EXPECT_LE((R * R.transpose() - Matrix3::Identity()).norm(), 1e-14);
    EXPECT_LE((R * x - turn(p, x)).norm(), 1e-14);
    EXPECT_LE((rotation_matrix(quaternion_product(p, r)) - R * rotation_matrix(r)).norm(), 1e-14);
    EXPECT_LE((R * phi - phi).norm(), 1e-14);  // the axis stays
    EXPECT_LE((quaternion_log(p) - phi).norm(), 1e-13);
    EXPECT_LE((skew(phi) * x - phi.cross(x)).norm(), 1e-15);
    EXPECT_NEAR(R.trace(), 1.0 + 2.0 * std::cos(phi.norm()), 1e-14);
  }
}

TEST(Rotation, ExponentialIsSmoothAtZero) {
  for (const double size : {0.0, 1e-300, 1e-12, 0.99e-8, 1.01e-8, 1e-4}) {
    const Vector3 phi(size, -2 * size, 0.5 * size);
    EXPECT_LE((quaternion_log(quaternion_exp(phi)) - phi).norm(), 1e-15 * size + 1e-300);
  }
}

TEST(Rotation, RateMapIsTheDerivativeOfTheExponential) {
  std::mt19937 engine(4);
  const Quaternion p = quaternion_exp(random_vector(engine, 1.5));
  const Vector3 Omega = random_vector(engine, 2.0);
  const double s = 1e-5;
  const Quaternion rate =
      (quaternion_product(p, quaternion_exp(s * Omega)) - quaternion_product(p, quaternion_exp(-s * Omega))) /
      (2.0 * s);
  EXPECT_LE((quaternion_rate_map(p) * Omega - rate).norm(), 1e-9);
}

TEST(Rotation, TangentsCompleteAFrame) {
  std::mt19937 engine(6);
  for (int k = 0; k < 200; ++k) {
    const Vector3 n = random_vector(engine, 1.0).normalized();
    Vector3 t1, t2;
    tangents(n, t1, t2);
    Matrix3 frame;
    frame << n, t1, t2;
    EXPECT_LE((frame.transpose() * frame - Matrix3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace carom
