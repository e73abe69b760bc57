// The exact one-block solves: random blocks judged by the fixed point, other methods, closed forms.
#include "carom/laws/bilateral_law.h"
#include "carom/laws/contensou_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"
#include "laws/law_test_tools.h"

namespace carom {
namespace {

using namespace testing_tools;

constexpr int blocks = 100000;

// Families of blocks, from kind to cruel.
enum class Family { any_spd, strongly_coupled, badly_scaled, non_symmetric, diagonal };

Matrix random_block(Family family, Index n, Random& random) {
  switch (family) {
    case Family::any_spd: return random_spd(n, random);
    case Family::strongly_coupled: {  // close to rank one: every row speaks of the same motion
      const Vector w = normal_vector(n, random);
      return w * w.transpose() + 1e-2 * random_spd(n, random) + 1e-4 * Matrix::Identity(n, n);
    }
    case Family::badly_scaled: {  // normal and tangential sizes apart by orders of magnitude
      Vector s = Vector::Constant(n, std::pow(10.0, uniform(random, -3.0, 3.0)));
      s[0] = std::pow(10.0, uniform(random, -3.0, 3.0));
      const Matrix G = random_spd(n, random) + 0.1 * Matrix::Identity(n, n);
      return s.asDiagonal() * G * s.asDiagonal();
    }
    case Family::non_symmetric: {
      const Matrix B = normal_matrix(n, random);
      return random_spd(n, random) + 0.1 * (B - B.transpose());
    }
    case Family::diagonal: {
      Vector d = Vector::Constant(n, 3.5);
      d[0] = 1.0;
      return d.asDiagonal();
    }
  }
  return {};
}

std::shared_ptr<const Law> make_law(const std::string& name, double mu) {
  if (name == "unilateral") return std::make_shared<UnilateralLaw>(0.0);
  if (name == "planar_coulomb") return std::make_shared<PlanarCoulombLaw>(0.0, mu);
  if (name == "spatial_coulomb") return std::make_shared<SpatialCoulombLaw>(0.0, mu);
  if (name == "contensou") return std::make_shared<ContensouLaw>(0.0, mu, 1.0);
  if (name == "contensou_ellipsoid") return std::make_shared<ContensouEllipsoidLaw>(0.0, mu, 1.0);
  return std::make_shared<BilateralLaw>(Index(name.back() - '0'));
}

class SolveLocal : public ::testing::TestWithParam<std::tuple<std::string, Family>> {};

TEST_P(SolveLocal, SolvesEveryRandomBlock) {
  const auto [name, family] = GetParam();
  Random random(5);
  double worst = 0.0;
  int unsolved = 0;
  const int count = name.starts_with("bilateral") || name.starts_with("contensou") ? blocks / 10 : blocks;
  for (int k = 0; k < count; ++k) {
    const auto law = make_law(name, k % 50 == 0 ? 0.0 : uniform(random, 0.0, 2.0));
    const Matrix G = random_block(family, law->dim(), random);
    const Vector c = normal_vector(law->dim(), random);
    Vector lambda = normal_vector(law->dim(), random);  // any guess will do
    if (!law->solve_local(G.data(), c.data(), lambda.data())) ++unsolved;
    worst = std::max(worst, fixed_point_residual(*law, G, c, lambda));
  }
  EXPECT_EQ(unsolved, 0);
  EXPECT_LE(worst, 1e-14);
}

std::string instance_name(const testing::TestParamInfo<SolveLocal::ParamType>& instance) {
  const char* families[] = {"any_spd", "strongly_coupled", "badly_scaled", "non_symmetric", "diagonal"};
  return std::get<0>(instance.param) + "_" + families[static_cast<int>(std::get<1>(instance.param))];
}

INSTANTIATE_TEST_SUITE_P(
    Laws, SolveLocal,
    testing::Combine(testing::Values("unilateral", "planar_coulomb", "spatial_coulomb", "contensou",
                                     "contensou_ellipsoid", "bilateral_1", "bilateral_3", "bilateral_6"),
                     testing::Values(Family::any_spd, Family::strongly_coupled, Family::badly_scaled,
                                     Family::non_symmetric, Family::diagonal)),
    instance_name);

// Weakly coupled blocks have one solution; the projected fixed-point iteration finds it independently.
TEST(SolveLocal, AgreesWithTheFixedPointIteration) {
  Random random(6);
  for (const char* name : {"unilateral", "planar_coulomb", "spatial_coulomb", "contensou", "contensou_ellipsoid"}) {
    int stick = 0, slip = 0;
    for (int k = 0; k < 1000; ++k) {
      const double mu = uniform(random, 0.1, 0.5);
      const auto law = make_law(name, mu);
      const Index n = law->dim();
      const Matrix G = Matrix::Identity(n, n) + 0.02 * random_spd(n, random);
      Vector c = normal_vector(n, random);
      c.tail(n - 1) *= 0.5;
      Vector lambda = Vector::Zero(n), iterate = Vector::Zero(n);
      ASSERT_TRUE(law->solve_local(G.data(), c.data(), lambda.data()));
      for (int i = 0; i < 300; ++i) iterate = project(*law, iterate - 0.8 * (G * iterate + c));
      EXPECT_LE((lambda - iterate).norm(), 1e-13) << name;
      const Vector xi = G * lambda + c;
      if (lambda[0] > 0.0) ++(xi.tail(n - 1).norm() < 1e-9 ? stick : slip);
    }
    if (std::string(name) != "unilateral") {
      EXPECT_GT(stick, 20) << name;
      EXPECT_GT(slip, 200) << name;
    }
  }
}

// In the plane spanned by N and T1 the spatial law is the planar one.
TEST(SolveLocal, SpatialFrictionInAPlaneIsPlanar) {
  Random random(8);
  for (int k = 0; k < 1000; ++k) {
    const double mu = uniform(random, 0.1, 2.0);
    const Matrix G2 = random_spd(2, random);
    const Vector c2 = normal_vector(2, random);
    Matrix G3 = Matrix::Identity(3, 3);
    G3.topLeftCorner(2, 2) = G2;
    const Vector3 c3(c2[0], c2[1], 0.0);
    Vector lambda2 = Vector::Zero(2), lambda3 = Vector::Zero(3);
    ASSERT_TRUE(PlanarCoulombLaw(0.0, mu).solve_local(G2.data(), c2.data(), lambda2.data()));
    ASSERT_TRUE(SpatialCoulombLaw(0.0, mu).solve_local(G3.data(), c3.data(), lambda3.data()));
    const double size = 1.0 + lambda2.norm();
    EXPECT_LE((lambda3.head(2) - lambda2).norm(), 1e-9 * size * size);
    EXPECT_LE(std::abs(lambda3[2]), 1e-9 * size * size);
  }
}

// c = 0 and separating contacts cost nothing; a block that cannot move (G = 0) cannot be solved when
// its velocity breaks the law.
TEST(SolveLocal, DegenerateBlocks) {
  for (const char* name : {"unilateral", "planar_coulomb", "spatial_coulomb", "contensou", "contensou_ellipsoid"}) {
    const auto law = make_law(name, 0.3);
    const Index n = law->dim();
    Vector lambda = Vector::Ones(n);
    Vector c = Vector::Zero(n);
    const Matrix zero = Matrix::Zero(n, n);
    EXPECT_TRUE(law->solve_local(zero.data(), c.data(), lambda.data())) << name;
    EXPECT_EQ(lambda, Vector::Zero(n)) << name;
    c[0] = -1.0;
    EXPECT_FALSE(law->solve_local(zero.data(), c.data(), lambda.data())) << name;
  }
}

// Tangential motion blocked entirely: G has a zero row and column.
TEST(SolveLocal, ImmovableTangentialDirections) {
  Matrix G = Matrix::Zero(3, 3);
  G(0, 0) = 2.0;
  Vector c = Eigen::Vector3d(-1.0, 0.0, 0.0), lambda = Vector::Zero(3);
  ASSERT_TRUE(SpatialCoulombLaw(0.0, 0.3).solve_local(G.data(), c.data(), lambda.data()));
  EXPECT_EQ(lambda, Vector(Eigen::Vector3d(0.5, 0.0, 0.0)));
  // One direction free, the other blocked: stick in the free one.
  G(1, 1) = 4.0;
  c[1] = 0.4;
  ASSERT_TRUE(SpatialCoulombLaw(0.0, 0.3).solve_local(G.data(), c.data(), lambda.data()));
  EXPECT_LE((lambda - Vector(Eigen::Vector3d(0.5, -0.1, 0.0))).norm(), 1e-16);
  // Imposed sliding along the blocked direction: full friction against it.
  c = Eigen::Vector3d(-1.0, 0.0, 3.0);
  ASSERT_TRUE(SpatialCoulombLaw(0.0, 0.3).solve_local(G.data(), c.data(), lambda.data()));
  EXPECT_LE((lambda - Vector(Eigen::Vector3d(0.5, 0.0, -0.15))).norm(), 1e-15);
}

TEST(SolveLocal, RedundantTangentialDirectionsStickWithTheShortestForce) {
  Random random(9);
  for (int k = 0; k < 1000; ++k) {
    const Vector d = normal_vector(2, random).normalized();
    Matrix G = Matrix::Zero(3, 3);
    G(0, 0) = 1.0;
    G.bottomRightCorner(2, 2) = 3.0 * d * d.transpose();
    Vector c(3), lambda = Vector::Zero(3);
    c << -1.0, 0.6 * d;
    ASSERT_TRUE(SpatialCoulombLaw(0.0, 0.5).solve_local(G.data(), c.data(), lambda.data()));
    EXPECT_NEAR(lambda[0], 1.0, 1e-15);
    EXPECT_LE((lambda.tail(2) + 0.2 * d).norm(), 1e-14);
  }
}

// Painleve's rod, pushed forward: friction drives the tip into the ground harder than it is pushed
// away, a + mu b < 0 with positive definite G. The only solution is to stick (dynamic jam).
TEST(SolveLocal, JammedRodSticks) {
  Matrix G(2, 2);
  G << 1.0, -1.2, -1.2, 2.0;
  const Vector c = Eigen::Vector2d(-0.1, -1.0);  // sliding backwards: friction pushes forward, +T
  const double mu = 1.5;
  Vector lambda = Vector::Zero(2);
  ASSERT_TRUE(PlanarCoulombLaw(0.0, mu).solve_local(G.data(), c.data(), lambda.data()));
  const Vector exact = G.inverse() * -c;
  EXPECT_LE((lambda - exact).norm(), 1e-13);
  EXPECT_LT(1.0 + mu * -1.2, 0.0);
}

TEST(SolveLocal, RedundantBilateralRowsShareTheForce) {
  // The same constraint twice: G = [1 1; 1 1].
  const Matrix G = Matrix::Ones(2, 2);
  Vector c = Vector::Constant(2, -1.0), lambda = Vector::Zero(2);
  ASSERT_TRUE(BilateralLaw(2).solve_local(G.data(), c.data(), lambda.data()));
  EXPECT_LE((lambda - Vector::Constant(2, 0.5)).norm(), 1e-15);
  c[1] = 1.0;  // contradictory
  EXPECT_FALSE(BilateralLaw(2).solve_local(G.data(), c.data(), lambda.data()));
}

TEST(SolveLocal, RedundantBilateralBlocksOfEveryRank) {
  Random random(10);
  for (int k = 0; k < 2000; ++k) {
    const Index n = 2 + k % 5, rank = 1 + (k / 5) % (n - 1);
    const Matrix B = normal_matrix(n, random).leftCols(rank);
    // Units differ between rows; the common size of a consistent c is what the motion B'v gives.
    const Vector s = Vector::NullaryExpr(n, [&] { return std::pow(10.0, uniform(random, -2.0, 2.0)); });
    const Matrix W = s.asDiagonal() * B;
    const Matrix G = W * W.transpose();
    const Vector c = W * normal_vector(rank, random);
    Vector lambda = Vector::Zero(n);
    ASSERT_TRUE(BilateralLaw(n).solve_local(G.data(), c.data(), lambda.data())) << k;
    EXPECT_LE((G * lambda + c).norm(), 1e-10 * (c.norm() + G.norm() * lambda.norm()));
  }
}

}  // namespace
}  // namespace carom
