#include "carom/inclusion/residual.h"

#include <gtest/gtest.h>

#include <limits>

#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

double evaluate(const InclusionProblem& problem, const Vector& lambda) {
  Buffer l(static_cast<Index>(lambda.size())), xi;
  l.vec() = lambda;
  ResidualWorkspace workspace;
  return residual(problem, l, xi, workspace);
}

Laws mixed_laws() {
  return {std::make_shared<BilateralLaw>(2), std::make_shared<UnilateralLaw>(0.3),
          std::make_shared<PlanarCoulombLaw>(0.0, 0.4), std::make_shared<SpatialCoulombLaw>(0.0, 0.7)};
}

TEST(Residual, IsItsDefinition) {
  std::mt19937 random(1);
  for (int k = 0; k < 200; ++k) {
    const TestProblem p = random_problem(mixed_laws(), 12, random, k % 2 ? 0.1 : 0.0);
    const Vector lambda = random_matrix(p.G->rows(), 1, random);
    const double expected = residual_by_definition(p.problem, lambda);
    EXPECT_NEAR(evaluate(p.problem, lambda), expected, 1e-14 * (1 + expected));
  }
}

TEST(Residual, IsAtMostOneForFeasibleImpulses) {
  std::mt19937 random(2);
  for (int k = 0; k < 200; ++k) {
    const TestProblem p = random_problem(mixed_laws(), 12, random);
    Vector lambda = random_matrix(p.G->rows(), 1, random);
    for (Index b = 0; b < p.problem.block_count(); ++b) {
      double* l = lambda.data() + p.G->block(b).row;
      p.laws[static_cast<std::size_t>(b)]->project(l, l);
    }
    // Coulomb's set moves with the argument of the projection, at most by mu times what the normal moves.
    EXPECT_LE(evaluate(p.problem, lambda), 1.0 + 0.7);
  }
}

TEST(Residual, DoesNotChangeWithUnits) {
  std::mt19937 random(3);
  const TestProblem p = random_problem(mixed_laws(), 12, random);
  const Vector lambda = random_matrix(p.G->rows(), 1, random);
  const double expected = evaluate(p.problem, lambda);
  // xi in mm instead of m, lambda in kN instead of N.
  const TestProblem scaled(p.laws, 1e6 * p.matrix(), 1e3 * p.problem.c.vec());
  EXPECT_NEAR(evaluate(scaled.problem, 1e-3 * lambda), expected, 1e-13 * expected);
}

TEST(Residual, DoesNotChangeWithPowerConjugateScalingOfBlocks) {
  std::mt19937 random(4);
  const TestProblem p = random_problem(mixed_laws(), 12, random);
  const Vector lambda = random_matrix(p.G->rows(), 1, random);
  const double expected = evaluate(p.problem, lambda);
  Vector s(p.G->rows());
  const double factors[] = {1e-4, 3.0, 200.0, 0.01};
  for (Index b = 0; b < p.problem.block_count(); ++b)
    s.segment(p.G->block(b).row, p.G->block(b).rows).setConstant(factors[b]);
  const Matrix G = s.asDiagonal() * p.matrix() * s.asDiagonal();
  const TestProblem scaled(p.laws, G, s.cwiseProduct(Vector(p.problem.c.vec())));
  EXPECT_NEAR(evaluate(scaled.problem, lambda.cwiseQuotient(s)), expected, 1e-13 * expected);
}

TEST(Residual, DoesNotChangeWithAnUnrelatedIsland) {
  std::mt19937 random(5);
  const TestProblem p = random_problem(mixed_laws(), 12, random);
  const Vector lambda = random_matrix(p.G->rows(), 1, random);
  const Index n = p.G->rows();
  Laws laws = p.laws;
  laws.push_back(std::make_shared<UnilateralLaw>(0.0));
  Matrix G = Matrix::Zero(n + 1, n + 1);
  G.topLeftCorner(n, n) = p.matrix();
  G(n, n) = 1e9;
  Vector c(n + 1), l(n + 1);
  c << Vector(p.problem.c.vec()), -1e9;
  l << lambda, 1.0;  // solves the island
  EXPECT_DOUBLE_EQ(evaluate(TestProblem(laws, G, c).problem, l), evaluate(p.problem, lambda));
}

TEST(Residual, LeavesOutRowsThatNothingMovesUnlessTheyBreakTheLaw) {
  const Laws laws{std::make_shared<UnilateralLaw>(0.0), std::make_shared<UnilateralLaw>(0.0)};
  Matrix G = Matrix::Zero(2, 2);
  G(0, 0) = 2.0;
  EXPECT_EQ(evaluate(TestProblem(laws, G, Vector{{-2.0, 0.5}}).problem, Vector{{1.0, 0.0}}), 0.0);
  EXPECT_EQ(evaluate(TestProblem(laws, G, Vector{{-2.0, -0.5}}).problem, Vector{{1.0, 0.0}}), 1.0);
}

TEST(Residual, IsInfiniteForNotANumber) {
  std::mt19937 random(6);
  const TestProblem p = random_problem(mixed_laws(), 12, random);
  Vector lambda = random_matrix(p.G->rows(), 1, random);
  for (Index i = 0; i < lambda.size(); ++i) {
    Vector bad = lambda;
    bad[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(evaluate(p.problem, bad) <= 1e300) << i;
  }
}

// One freedom moves a rough contact by w = (a, b); friction mu > a/b holds it (a jam) and restitution wants it to
// leave. There is no solution. Along (b, -a), which is inside the cone and moves nothing, impulses may grow until no
// error is left to be seen.
TEST(Solves, RejectsImpulsesThatHideTheErrorByTheirSize) {
  const double a = 0.4, b = 0.5, u_minus = -3.0, e = 0.3;
  Matrix G(2, 2);
  G << a * a, a * b, a * b, b * b;
  const Vector c = Vector::Map(std::vector<double>{(1.0 + e) * a * u_minus, b * u_minus}.data(), 2);
  const TestProblem p({std::make_shared<PlanarCoulombLaw>(e, 1.05 * a / b)}, G, c);
  for (const double size : {1e9, 1e11, 1e13, 1e15, 1e18}) {
    Buffer lambda(2), xi;
    lambda[0] = size * b;
    lambda[1] = -size * a;
    ResidualWorkspace workspace;
    const double value = residual(p.problem, lambda, xi, workspace);
    EXPECT_FALSE(solves(p.problem, value, 1e-12, workspace)) << size << ": residual " << value;
  }
}

}  // namespace
}  // namespace carom
