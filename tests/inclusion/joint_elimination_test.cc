// Contacts solved for alone, joints eliminated: on random chains of bodies, with inertia that spin makes unsymmetric,
// and with joints that hold twice.
#include "carom/inclusion/joint_elimination.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/matrix_free_delassus.h"
#include "carom/inclusion/semismooth_newton.h"
#include "carom/laws/contact_law.h"

namespace carom {
namespace {

struct Random {
  std::mt19937 engine;
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vector vector(Index n, double size) {
    Vector v(n);
    for (Index i = 0; i < n; ++i) v[i] = (*this)(-size, size);
    return v;
  }
};

struct Chain {
  Inertia M;
  ForceJacobian none, spin;
  IterationMatrix A;
  ConstraintJacobian W;
  MatrixFreeDelassus G;
  InclusionProblem problem;
  std::shared_ptr<const Law> joint = make_bilateral_law(5);
  std::shared_ptr<const Law> contact =
      make_contact_law(Space::spatial, ContactParameters{.restitution = 0.0, .friction = 0.4});

  Chain(int bodies, double spinning, bool twice, unsigned seed) {
    Random random{std::mt19937(seed)};
    const Index n = 6 * bodies;
    Matrix3* blocks = M.block_diagonal(n);
    Matrix3* turning = spin.block_diagonal(n);
    for (Index i = 0; i < n / 3; ++i) {
      const Vector3 a = random.vector(3, 0.3), w = random.vector(3, spinning);
      blocks[i] = Matrix3::Identity() + a * a.transpose();
      turning[i] << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
    }
    EXPECT_TRUE(spinning > 0.0 ? A.factor(M, 1.0, spin, 0.0, none) : A.factor(M));
    const auto fill = [&](double* entries, Index count) {
      for (Index i = 0; i < count; ++i) entries[i] = random(-1.0, 1.0);
    };
    for (int b = 0; b + 1 < bodies; ++b) {
      const Index block = W.block_count();
      for (int copy = 0; copy < (twice && b % 3 == 0 ? 2 : 1); ++copy) {
        W.add_block(5);
        problem.laws.push_back(joint.get());
        for (int side = 0; side < 2; ++side) {
          double* entries = W.add_segment(6 * (b + side), 6);
          if (copy == 0)
            fill(entries, 30);
          else
            std::copy_n(W.entries(W.segment(W.block(block).segment_begin + side)), 30, entries);
        }
      }
    }
    for (int b = 0; b < bodies; b += 2) {
      W.add_block(3);
      problem.laws.push_back(contact.get());
      fill(W.add_segment(6 * b, 6), 18);
    }
    G.build(W, A, W);
    problem.G = &G;
    // Of a motion, so that joints that hold twice do not contradict each other.
    const Vector v = random.vector(n, 1.0);
    W.transpose_multiply(v.data(), problem.c.resized(W.rows()));
  }
};

bool solve_contacts(const InclusionProblem& problem, int max_iterations, SolverWorkspace& w, InclusionResult& result) {
  return newton(problem, {1e-13, max_iterations}, w, result);
}

TEST(JointElimination, LeavesTheSolutionOfAllRows) {
  int solved = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    const bool twice = seed % 4 == 3;
    const Chain chain(5 + static_cast<int>(seed), seed % 2 == 0 ? 0.5 : 0.0, twice, seed);
    EXPECT_EQ(chain.G.symmetric(), seed % 2 != 0);
    ASSERT_TRUE(can_eliminate_joints(chain.problem));
    SolverWorkspace w, w_all;
    InclusionResult found, all;
    found.lambda.assign(chain.problem.rows(), 0.0);
    all.lambda.assign(chain.problem.rows(), 0.0);
    if (!eliminate_joints(chain.problem, {1e-12, 500}, solve_contacts, w, found)) continue;
    ++solved;
    EXPECT_LE(residual(chain.problem, found.lambda, found.xi, w.residual), 1e-12) << seed;
    if (twice || !newton(chain.problem, {1e-12, 200}, w_all, all)) continue;
    EXPECT_LE((found.lambda.vec() - all.lambda.vec()).lpNorm<Eigen::Infinity>(),
              1e-7 * all.lambda.vec().lpNorm<Eigen::Infinity>())
        << seed;
  }
  EXPECT_GE(solved, 20);
}

// Without joints, and with more contacts than a dense matrix is made for, it leaves the problem alone.
TEST(JointElimination, IsForJointsAndFewContacts) {
  const Chain few(6, 0.0, false, 1), many(2 * (most_contact_rows / 3 + 2), 0.0, false, 2), alone(1, 0.0, false, 3);
  EXPECT_TRUE(can_eliminate_joints(few.problem));
  EXPECT_FALSE(can_eliminate_joints(many.problem));
  EXPECT_FALSE(can_eliminate_joints(alone.problem));
}

}  // namespace
}  // namespace carom
