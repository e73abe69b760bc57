// Spheres at rest on a floor, solved, and two of them in a groove, one upon the other, not yet: a patch of three
// contacts.
#include "carom/inclusion/contact_patches.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/residual.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom {
namespace {

constexpr Index resting = 40, lower = resting, upper = resting + 1;
constexpr double radius = 0.5, mass = 2.0, fall = 9.81e-3, tolerance = 1e-9;

class ContactPatchesTest : public ::testing::Test {
 protected:
  ContactPatchesTest() {
    const Index bodies = resting + 2;
    Inertia M;
    Matrix3* blocks = M.block_diagonal(6 * bodies);
    for (Index b = 0; b < bodies; ++b) {
      blocks[2 * b] = mass * Matrix3::Identity();
      blocks[2 * b + 1] = 0.4 * mass * radius * radius * Matrix3::Identity();
    }
    A_.factor(M);
    for (Index b = 0; b < resting; ++b) add_contact(b, -1, Vector3::UnitZ());
    const double side = std::sin(0.6), up = std::cos(0.6);
    add_contact(lower, -1, {side, 0.0, up});
    add_contact(lower, -1, {-side, 0.0, up});
    add_contact(upper, lower, Vector3::UnitZ());
    Vector v = Vector::Zero(6 * bodies);
    for (Index b = 0; b < bodies; ++b) v[6 * b + 2] = -fall;
    v[6 * upper] = 0.3 * fall;  // it begins to roll
    problem_.c.resize(W_.rows());
    W_.transpose_multiply(v.data(), problem_.c.data());
    problem_.laws.assign(static_cast<std::size_t>(W_.block_count()), &law_);
    problem_.G = &factory_.build(W_, A_);
    lambda_.assign(W_.rows(), 0.0);
    for (Index b = 0; b < resting; ++b) lambda_[3 * b] = mass * fall;
  }

  // The normal points into the first body.
  void add_contact(Index first, Index second, const Vector3& normal) {
    const Vector3 t1 = Vector3::UnitY(), t2 = normal.cross(t1);
    W_.add_block(3);
    for (const auto& [body, sign] : {std::pair(first, 1.0), std::pair(second, -1.0)}) {
      if (body < 0) continue;
      double* entries = W_.add_segment(6 * body, 6);
      for (int r = 0; r < 3; ++r) {
        const Vector3 direction = r == 0 ? normal : r == 1 ? t1 : t2;
        Eigen::Map<Vector3>(entries + 6 * r) = sign * direction;
        Eigen::Map<Vector3>(entries + 6 * r + 3) = -radius * normal.cross(direction);  // levers -+ r n, signs cancel
      }
    }
  }

  double judge() { return residual(problem_, lambda_, xi_, judged_); }
  bool solve(double budget) { return patches_.solve(problem_, tolerance, judged_, budget, lambda_); }

  SpatialCoulombLaw law_{0.0, 0.5};
  IterationMatrix A_;
  ConstraintJacobian W_;
  DelassusFactory factory_;
  InclusionProblem problem_;
  Buffer lambda_, xi_;
  ResidualWorkspace judged_;
  ContactPatches patches_;
};

TEST_F(ContactPatchesTest, AreSolvedAtOnceWhileTheRestStays) {
  ASSERT_NE(problem_.G->factors(), nullptr);
  EXPECT_GT(judge(), 0.5);
  ASSERT_TRUE(solve(1e9));
  EXPECT_LE(judge(), tolerance);
  for (Index b = 0; b < resting; ++b) EXPECT_EQ(lambda_[3 * b], mass * fall);
  // Both spheres are carried: the floor of the groove and the walls bear two weights.
  double carried = 0.0;
  for (Index b = resting; b < resting + 2; ++b) {
    double force[3] = {};
    const ConstraintJacobian::Segment& segment = W_.segment(W_.block(b).segment_begin);
    for (int r = 0; r < 3; ++r) force[2] += W_.entries(segment)[6 * r + 2] * lambda_[3 * b + r];
    carried += force[2];
  }
  EXPECT_NEAR(carried, 2.0 * mass * fall, 1e-6 * mass * fall);
}

TEST_F(ContactPatchesTest, AreLeftAloneWithoutABudget) {
  const Buffer before = lambda_;
  judge();
  solve(0.0);
  for (Index i = 0; i < lambda_.size(); ++i) EXPECT_EQ(lambda_[i], before[i]);
}

TEST_F(ContactPatchesTest, ErrorsEverywhereAreNoPatch) {
  lambda_.assign(lambda_.size(), 0.0);
  judge();
  EXPECT_FALSE(solve(1e9));
}

}  // namespace
}  // namespace carom
