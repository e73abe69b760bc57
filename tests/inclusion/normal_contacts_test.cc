// Contacts without friction, four at a time, beside what says the same without lanes: Newton's method, the definition
// of the residual.
#include "carom/inclusion/normal_contacts.h"

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

RandomHeap heap_of(unsigned seed, Index layers, Index across) {
  return {seed, layers, across, 0.0, RandomHeap::Contacts::normals};
}

SweepOptions to(double tolerance) {
  SweepOptions sweeps;
  sweeps.tolerance = tolerance;
  sweeps.max_single = 0;
  sweeps.patience = sweeps.max_iterations = 20000;
  return sweeps;
}

// The velocities of the solution are unique, its impulses need not be.
TEST(NormalContacts, FindTheVelocitiesThatNewtonsMethodFinds) {
  int pushing = 0, open = 0, pulling = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    RandomHeap heap = heap_of(seed, 5, 7);
    SolverWorkspace workspace;
    InclusionResult swept, expected;
    swept.iterations = 0;
    swept.lambda.assign(heap.problem.rows(), 0.0);
    ASSERT_TRUE(frictionless_sweeps(heap.problem, to(1e-11), workspace, swept)) << seed;
    EXPECT_GT(swept.iterations, 10);
    expected.lambda.assign(heap.problem.rows(), 0.0);
    make_solver("semismooth_newton", {{"tolerance", 1e-11}})->solve(heap.problem, workspace, expected);
    ASSERT_EQ(expected.status, SolveStatus::solved) << seed;
    EXPECT_LE(distance(swept.xi, expected.xi), 1e-7 * norm(heap.problem.c)) << seed;
    for (Index b = 0; b < heap.problem.block_count(); ++b) {
      const double lambda = swept.lambda[b];
      ++(lambda > 1e-9 ? pushing : lambda < -1e-9 ? pulling : open);
    }
  }
  EXPECT_GT(pushing, 100);
  EXPECT_GT(open, 50);
  EXPECT_GT(pulling, 10) << "equalities hold both ways";
}

TEST(NormalContacts, AutomaticSolvesTheirProblemsAsNewtonsMethodDoes) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    RandomHeap heap = heap_of(seed, 12, 12);
    heap.problem.without_joints = true;
    SolverWorkspace workspace;
    InclusionResult found, expected;
    for (auto [solver, result] : {std::pair("automatic", &found), std::pair("semismooth_newton", &expected)}) {
      result->lambda.assign(heap.problem.rows(), 0.0);
      make_solver(solver, {{"tolerance", 1e-10}})->solve(heap.problem, workspace, *result);
      ASSERT_EQ(result->status, SolveStatus::solved) << solver << " " << seed;
    }
    EXPECT_LE(distance(found.xi, expected.xi), 1e-6 * norm(heap.problem.c)) << seed;
  }
}

TEST(NormalContacts, AreNotThoseWithFriction) {
  RandomHeap heap(1, 3, 4);
  NormalContacts contacts;
  EXPECT_FALSE(contacts.build(heap.problem));
}

TEST(NormalContacts, SolutionsStayWhereTheyAre) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    RandomHeap heap = heap_of(seed, 5, 6);
    SolverWorkspace workspace;
    InclusionResult result;
    result.iterations = 0;
    result.lambda.assign(heap.problem.rows(), 0.0);
    ASSERT_TRUE(frictionless_sweeps(heap.problem, to(1e-12), workspace, result)) << seed;
    EXPECT_LE(testing::largest_move<NormalContacts>(heap.problem, result.lambda), 1e-9) << seed;
  }
}

TEST(NormalContacts, JudgeAsTheDefinitionDoes) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    RandomHeap heap = heap_of(seed, 6, 6);
    const InclusionProblem& problem = heap.problem;
    NormalContacts contacts;
    ASSERT_TRUE(contacts.build(problem));
    weigh_by_one(contacts, problem.block_count());
    Buffer lambda, xi;
    lambda.assign(problem.rows(), 0.01 * seed);
    contacts.load(lambda.data());
    for (int k = 0; k < 3 + 5 * static_cast<int>(seed); ++k) contacts.sweep(SweepWay::plain);
    contacts.store(lambda.data());
    ResidualWorkspace definition;
    const double expected = residual(problem, lambda, xi, definition);
    EXPECT_NEAR(contacts.judge(expected).residual, expected, 0.3 * expected) << seed;
  }
}

TEST(NormalContacts, TheSameBitsForAnyNumberOfThreads) {
  const RandomHeap heap = heap_of(1, 16, 16);
  const auto swept = [&](int threads) {
    NormalContacts contacts;
    contacts.use_cells(20, 0);
    EXPECT_TRUE(contacts.build(heap.problem));
    contacts.use_threads(threads);
    weigh_by_one(contacts, heap.problem.block_count());
    Buffer lambda;
    lambda.assign(heap.problem.rows(), 0.1);
    contacts.load(lambda.data());
    for (int k = 0; k < 8; ++k) contacts.sweep(testing::sweep_ways[static_cast<std::size_t>(k % 4)]);
    contacts.store(lambda.data());
    return lambda;
  };
  const Buffer one = swept(1);
  for (const int threads : {2, 4, 8}) EXPECT_TRUE(swept(threads) == one) << threads;
}

}  // namespace
}  // namespace carom
