// Bodies that turn: derivatives of gyroscopic forces make the blocks of A unsymmetric. The methods that work with
// bodies as nodes must take them as they are.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "carom/inclusion/contact_dampers.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/sweeps.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom {
namespace {

// Boxes one on the other, four contacts each, with inertias of three sizes and random spins.
class TurningStack {
 public:
  TurningStack(unsigned seed, Index bodies) : random_(seed), law_(0.0, 0.4) {
    Inertia M;
    ForceJacobian dh_dv, none;
    Matrix3* inertia = M.block_diagonal(6 * bodies);
    Matrix3* turning = dh_dv.block_diagonal(6 * bodies);
    for (Index b = 0; b < bodies; ++b) {
      inertia[2 * b] = Matrix3::Identity();
      turning[2 * b] = Matrix3::Zero();
      const Vector3 J(0.01 + 0.01 * std::abs(normal()), 0.02, 0.04), spin(normal(), normal(), normal());
      inertia[2 * b + 1] = J.asDiagonal();
      // d(-w x J w) = (Jw)~ dw - w~ J dw
      turning[2 * b + 1] = cross(J.cwiseProduct(spin)) - cross(spin) * Matrix3(J.asDiagonal());
    }
    A.factor(M, 0.1, dh_dv, 0.0, none);
    for (Index b = 0; b < bodies; ++b)
      for (const double x : {-0.2, 0.2})
        for (const double y : {-0.3, 0.3}) add(b, b - 1, {x, y, -0.1}, {x, y, 0.1});
    Vector v(6 * bodies);
    for (Index i = 0; i < v.size(); ++i) v[i] = 0.1 * normal() - (i % 6 == 2 ? 0.5 : 0.0);
    problem.c.resize(W.rows());
    W.transpose_multiply(v.data(), problem.c.data());
    problem.laws.assign(static_cast<std::size_t>(W.block_count()), &law_);
    problem.G = &factory_.build(W, A);
  }

  InclusionProblem problem;
  ConstraintJacobian W;
  IterationMatrix A;

  double normal() { return std::normal_distribution<double>()(random_); }

 private:
  static Matrix3 cross(const Vector3& a) {
    Matrix3 result;
    result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return result;
  }

  void add(Index upper, Index lower, const Vector3& on_upper, const Vector3& on_lower) {
    W.add_block(3);
    for (const auto& [body, sign, lever] : {std::tuple(upper, 1.0, on_upper), std::tuple(lower, -1.0, on_lower)}) {
      if (body < 0) continue;
      double* entries = W.add_segment(6 * body, 6);
      for (int r = 0; r < 3; ++r) {
        const Vector3 direction = r == 0 ? Vector3::UnitZ() : r == 1 ? Vector3::UnitX() : Vector3::UnitY();
        Eigen::Map<Vector3>(entries + 6 * r) = sign * direction;
        Eigen::Map<Vector3>(entries + 6 * r + 3) = sign * lever.cross(direction);
      }
    }
  }

  std::mt19937 random_;
  SpatialCoulombLaw law_;
  DelassusFactory factory_;
};

TEST(TurningBodies, AreNodesOfTheDampersSystem) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    TurningStack stack(seed, 30);
    const Delassus& G = *stack.problem.G;
    ASSERT_FALSE(stack.A.symmetric());
    ASSERT_NE(G.factors(), nullptr) << "contacts as nodes cost a hundred times as much in walls of bricks";
    const Index n = G.rows();
    ContactDampers dampers;
    dampers.begin(G);
    Matrix dense(n, n), B = Matrix::Zero(n, n);
    G.to_dense(dense.data());
    ASSERT_GT((dense - dense.transpose()).cwiseAbs().maxCoeff(), 1e-3 * dense.cwiseAbs().maxCoeff());
    for (Index b = 0; b < G.block_count(); ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          B(3 * b + i, 3 * b + j) = dampers.damper(b)[i + 3 * j] = 0.2 * stack.normal() + (i == j ? 1.0 : 0.0);
    dampers.factor();
    Vector r(n), y(n);
    for (double& value : r) value = stack.normal();
    dampers.solve(r.data(), y.data(), 1);
    EXPECT_LT((y + dense * (B * y) - r).norm(), 1e-9 * r.norm());
  }
}

TEST(TurningBodies, AreSolvedByAll) {
  for (const char* name : {"admm", "interior_point", "automatic"})
    for (unsigned seed = 0; seed < 3; ++seed) {
      TurningStack stack(seed, 30);
      SolverWorkspace workspace;
      InclusionResult result;
      make_solver(name, {{"tolerance", 1e-9}})->solve(stack.problem, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::solved) << name << " " << seed << " " << result.residual;
      // Judged by entries, not by the factors that the solvers used.
      Matrix G(stack.problem.rows(), stack.problem.rows());
      stack.problem.G->to_dense(G.data());
      const Vector xi = G * result.lambda.vec() + stack.problem.c.vec();
      EXPECT_LT((xi - result.xi.vec()).norm(), 1e-9 * stack.problem.c.vec().norm());
    }
}

// Records of contacts hold symmetric inverses: bodies without one are left to the general products.
TEST(TurningBodies, AreSweptByTheirOwnInertia) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    TurningStack stack(seed, 6);
    SolverWorkspace workspace;
    InclusionResult result;
    result.lambda.assign(stack.problem.rows(), 0.0);
    SweepOptions sweeps;
    sweeps.tolerance = 1e-9;
    sweeps.patience = sweeps.max_iterations = 20000;
    EXPECT_TRUE(body_sweeps(stack.problem, sweeps, workspace, result)) << seed << " " << result.residual;
  }
}

}  // namespace
}  // namespace carom
