// One contact that slides (sliding_contact.h), beside the law's own solution.
#include "carom/inclusion/sliding_contact.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>

#include "carom/base/types.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom {
namespace {

class SlidingContacts : public ::testing::Test {
 protected:
  double normal() { return std::normal_distribution<double>()(random_); }
  Vector3 vector() { return {normal(), normal(), normal()}; }

  // A contact that the law's solution leaves sliding: G, the velocity without impulse, mu and the impulse.
  struct Case {
    Matrix3 G;
    Vector3 c, lambda;
    double mu;
  };
  Case next() {
    for (;;) {
      Case made;
      Matrix3 root;
      for (Index i = 0; i < 3; ++i) root.col(i) = vector();
      made.G = root * root.transpose() + 0.2 * Matrix3::Identity();
      made.c = Vector3(-std::abs(normal()), 2.0 * normal(), 2.0 * normal());
      made.mu = 0.1 + std::abs(normal());
      made.lambda.setZero();
      const SpatialCoulombLaw law(0.0, made.mu);
      if (!law.solve_local(made.G.data(), made.c.data(), made.lambda.data())) continue;
      const Vector3 xi = made.G * made.lambda + made.c;
      if (made.lambda[0] > 1e-3 && xi.tail<2>().norm() > 1e-3 * made.c.norm()) return made;
    }
  }

  std::mt19937 random_{3};
};

TEST_F(SlidingContacts, TheLawsSolutionIsAFixedPoint) {
  for (int k = 0; k < 2000; ++k) {
    const Case made = next();
    const Vector3 xi = made.G * made.lambda + made.c;
    Vector3 y;
    ASSERT_TRUE(SlidingContact(made.G.data()).solve(made.mu, xi.data(), made.lambda.data(), y.data())) << k;
    EXPECT_LE((y - made.lambda).norm(), 1e-10 * made.lambda.norm()) << k;
  }
}

// A matrix that is only nearly that of the contact moves no fixed point: bodies that turn have one that is not quite
// symmetric.
TEST_F(SlidingContacts, TheFixedPointsAreThoseOfTheVelocities) {
  for (int k = 0; k < 2000; ++k) {
    const Case made = next();
    const Vector3 xi = made.G * made.lambda + made.c;
    const Matrix3 other = 1.2 * made.G + 0.05 * Matrix3::Identity();
    Vector3 y;
    ASSERT_TRUE(SlidingContact(other.data()).solve(made.mu, xi.data(), made.lambda.data(), y.data())) << k;
    EXPECT_LE((y - made.lambda).norm(), 1e-10 * made.lambda.norm()) << k;
  }
}

// From impulses that are off by a little the error becomes its square, from anywhere it becomes small: what is not
// found is left to the law.
TEST_F(SlidingContacts, FindsTheSolutionFromElsewhere) {
  int found = 0;
  constexpr int cases = 2000;
  for (int k = 0; k < cases; ++k) {
    const Case made = next();
    for (const double far : {1e-6, 1.0}) {
      const Vector3 guess = made.lambda + far * made.lambda.norm() * vector();
      const Vector3 xi = made.G * guess + made.c;
      Vector3 y;
      if (!SlidingContact(made.G.data()).solve(made.mu, xi.data(), guess.data(), y.data())) continue;
      ++found;
      EXPECT_LE((y - made.lambda).norm(), (far < 1.0 ? 1e-7 : 1e-2) * made.lambda.norm()) << k << " " << far;
    }
  }
  EXPECT_GT(found, 9 * 2 * cases / 10);
}

TEST_F(SlidingContacts, OpensWhereNothingPushes) {
  const Case made = next();
  const Vector3 guess(1.0, 0.1, 0.2), apart(0.1, 1.0, -1.0), xi = made.G * guess + apart;
  Vector3 y;
  ASSERT_TRUE(SlidingContact(made.G.data()).solve(made.mu, xi.data(), guess.data(), y.data()));
  EXPECT_EQ(y, Vector3::Zero());
}

}  // namespace
}  // namespace carom
