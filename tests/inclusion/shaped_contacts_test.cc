// Contacts of bodies of any shape, four at a time, beside what says the same without lanes: the law's own solution of a
// contact, the definition of the residual, the single sweeps of body_sweeps.cc.
#include "carom/inclusion/shaped_contacts.h"

#include <gtest/gtest.h>

#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/residual.h"
#include "carom/inclusion/sweeps.h"
#include "inclusion/swept_heaps.h"

namespace carom {
namespace {

using testing::distance;
using testing::norm;
using testing::RandomHeap;
using testing::weigh_by_one;

// One layer: every body has contacts with the ground only. With all others held a contact is what the law itself
// solves; whatever the order, after a sweep the one that was last on its body is at that solution.
TEST(ShapedContacts, TheLastContactOfABodyIsSolvedAsTheLawSolvesIt) {
  int open = 0, stuck = 0, sliding = 0;
  for (const double friction : {0.0, 0.1, 0.5, 1.2})
    for (unsigned seed = 0; seed < 40; ++seed) {
      RandomHeap heap(seed, 1, 7, friction);
      const InclusionProblem& problem = heap.problem;
      const Index blocks = problem.block_count();
      ShapedContacts contacts;
      ASSERT_TRUE(contacts.build(problem));
      weigh_by_one(contacts, blocks);
      Buffer lambda, xi;
      lambda.assign(problem.rows(), 0.0);
      contacts.load(lambda.data());
      // Sliding contacts begin where they slid before: a dozen sweeps, and what is left moves no more than 1e-7.
      for (int k = 0; k < 12 + static_cast<int>(seed); ++k) contacts.sweep(SweepWay::plain);
      contacts.store(lambda.data());
      xi.resize(problem.rows());
      problem.G->multiply(lambda.data(), xi.data());
      for (Index body = 0; body < 7; ++body) {
        double nearest = 1.0, size = 0.0;
        for (Index b = 3 * body; b < 3 * body + 3; ++b) {
          const double* G = problem.G->diagonal_block(b);
          double c[3], y[3];
          for (int i = 0; i < 3; ++i) {
            y[i] = lambda[3 * b + i];
            c[i] = problem.c[3 * b + i] + xi[3 * b + i];
            for (int j = 0; j < 3; ++j) c[i] -= G[i + 3 * j] * lambda[3 * b + j];
          }
          ASSERT_TRUE(problem.laws[static_cast<std::size_t>(b)]->solve_local(G, c, y));
          const Eigen::Map<const Vector3> expected(y), found(lambda.data() + 3 * b);
          nearest = std::min(nearest, (expected - found).norm());
          size = std::max(size, expected.norm());
          const double reach = friction * expected[0], tangential = expected.tail<2>().norm();
          if (!(expected[0] > 0.0))
            ++open;
          else if (tangential < 0.999 * reach)
            ++stuck;
          else
            ++sliding;
        }
        EXPECT_LE(nearest, 1e-6 * size) << friction << " " << seed << " " << body;
      }
    }
  EXPECT_GT(open, 100);
  EXPECT_GT(stuck, 100);
  EXPECT_GT(sliding, 100);
}

// Single sweeps find a solution of their own; it is a fixed point of these too.
TEST(ShapedContacts, SolutionsOfSingleSweepsStayWhereTheyAre) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    RandomHeap heap(seed, 5, 6);
    SolverWorkspace workspace;
    InclusionResult result;
    result.iterations = 0;
    result.lambda.assign(heap.problem.rows(), 0.0);
    SweepOptions sweeps;
    sweeps.tolerance = 1e-11;
    sweeps.patience = sweeps.max_iterations = sweeps.max_single = 20000;
    ASSERT_TRUE(body_sweeps(heap.problem, sweeps, workspace, result)) << seed;
    EXPECT_LE(testing::largest_move<ShapedContacts>(heap.problem, result.lambda), 1e-8) << seed;
  }
}

TEST(ShapedContacts, LambdaIsStoredAsItWasLoaded) {
  RandomHeap heap(3, 5, 6);
  Buffer lambda, stored;
  lambda.resize(heap.problem.rows());
  for (double& x : lambda) x = heap.normal();
  stored.assign(heap.problem.rows(), 0.0);
  ShapedContacts contacts;
  ASSERT_TRUE(contacts.build(heap.problem));
  contacts.load(lambda.data());
  contacts.store(stored.data());
  EXPECT_LE(distance(lambda, stored), 1e-15 * norm(lambda));
}

// Velocities are kept up to date contact by contact, what momentum adds waits for the next sweep: made anew from the
// points at any moment they are the same, so that the next sweep leads to the same images.
TEST(ShapedContacts, VelocitiesFollowThePoints) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    RandomHeap heap(seed, 5, 6);
    Buffer lambda[2];
    double ahead = 0.0;
    for (const bool anew : {false, true}) {
      ShapedContacts contacts;
      ASSERT_TRUE(contacts.build(heap.problem));
      weigh_by_one(contacts, heap.problem.block_count());
      Buffer& into = lambda[anew ? 1 : 0];
      into.assign(heap.problem.rows(), 0.0);
      contacts.load(into.data());
      for (int k = 0; k < 40; ++k) contacts.sweep(SweepWay::momentum);
      if (anew) contacts.refresh();
      ahead = contacts.sweep(SweepWay::momentum);
      contacts.store(into.data());
    }
    EXPECT_GT(std::sqrt(ahead), 1e-9 * norm(lambda[0])) << "nothing moves";
    EXPECT_LE(distance(lambda[0], lambda[1]), 1e-11 * norm(lambda[0])) << seed;
  }
}

// As the definition has it, up to the tangents: rho and the lengths of rows are those of others there.
TEST(ShapedContacts, JudgeAsTheDefinitionDoes) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    RandomHeap heap(seed, 6, 6);
    const InclusionProblem& problem = heap.problem;
    ShapedContacts contacts;
    ASSERT_TRUE(contacts.build(problem));
    contacts.use_threads(seed % 2 == 0 ? 1 : 2);
    weigh_by_one(contacts, problem.block_count());
    Buffer lambda, xi;
    lambda.assign(problem.rows(), 0.01 * seed);
    contacts.load(lambda.data());
    for (int k = 0; k < 3 + 5 * static_cast<int>(seed); ++k) contacts.sweep(SweepWay::plain);
    contacts.store(lambda.data());
    ResidualWorkspace definition;
    const double expected = residual(problem, lambda, xi, definition);
    const SweepJudgement judged = contacts.judge(expected);
    EXPECT_LE(judged.residual, 2.0 * expected) << seed;
    EXPECT_GE(judged.residual, 0.5 * expected) << seed;
    EXPECT_EQ(contacts.judge(2.0 * judged.residual).in_error, 0);
    EXPECT_GE(contacts.judge(0.99 * judged.residual).in_error, 1);
    EXPECT_EQ(contacts.judge(0.0).in_error, contacts.judge(1e-300).in_error);
  }
}

// Near an error sweeps go on as over all; what is far stays where it is.
TEST(ShapedContacts, SweepsNearErrorsLeaveTheOthersAlone) {
  RandomHeap heap(2, 12, 12);
  const InclusionProblem& problem = heap.problem;
  ShapedContacts contacts;
  ASSERT_TRUE(contacts.build(problem));
  weigh_by_one(contacts, problem.block_count());
  Buffer before, after;
  before.assign(problem.rows(), 0.0);
  contacts.load(before.data());
  for (int k = 0; k < 60; ++k) contacts.sweep(SweepWay::plain);
  const double largest = contacts.judge(1.0).residual;
  const double share = contacts.focus(0.5 * largest, 1, 0.5);
  ASSERT_LT(share, 0.5);
  contacts.store(before.data());
  contacts.refresh();
  contacts.sweep(SweepWay::plain);
  after = before;
  contacts.store(after.data());
  Index changed = 0;
  for (Index b = 0; b < problem.block_count(); ++b)
    changed += std::equal(before.data() + 3 * b, before.data() + 3 * b + 3, after.data() + 3 * b) ? 0 : 1;
  EXPECT_GE(changed, 1);
  EXPECT_LE(static_cast<double>(changed), 1.5 * share * static_cast<double>(problem.block_count()));
}

TEST(ShapedContacts, TheSameBitsForAnyNumberOfThreads) {
  const RandomHeap heap(1, 16, 16);
  const auto swept = [&](std::size_t cell, int threads) {
    ShapedContacts contacts;
    contacts.use_cells(cell, 0);
    EXPECT_TRUE(contacts.build(heap.problem));
    contacts.use_threads(threads);
    weigh_by_one(contacts, heap.problem.block_count());
    Buffer lambda;
    lambda.assign(heap.problem.rows(), 0.1);
    contacts.load(lambda.data());
    for (int k = 0; k < 8; ++k) contacts.sweep(testing::sweep_ways[static_cast<std::size_t>(k % 4)]);
    contacts.refresh();
    contacts.sweep(SweepWay::plain);
    contacts.store(lambda.data());
    return lambda;
  };
  for (const std::size_t cell : {std::size_t{20}, std::size_t{1000}}) {
    const Buffer one = swept(cell, 1);
    for (const int threads : {2, 4, 8}) EXPECT_TRUE(swept(cell, threads) == one) << cell << " " << threads;
  }
}

}  // namespace
}  // namespace carom
