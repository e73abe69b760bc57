// The generated problems: what they are is known by counting, and every small one is solved to 1e-10 by `automatic`.
#include "carom/study/problem_collection.h"

#include <gtest/gtest.h>

#include <regex>

#include "carom/inclusion/inclusion_solver.h"

namespace carom {
namespace {

Vector impulse_on(const GeneratedProblem& p, const Buffer& lambda, Index bodies) {
  Vector momentum = Vector::Zero(6 * bodies);
  p.W.multiply_add(lambda.data(), momentum.data());
  return momentum;
}

TEST(ProblemCollection, HasTheContactsOfItsFormulas) {
  EXPECT_EQ(stack_problem(10, 0.5)->problem.block_count(), 40);
  EXPECT_EQ(wall_problem(8, 8, 0.5, ProblemMotion::rest)->problem.block_count(), 676);
  EXPECT_EQ(wall_problem(20, 20, 0.5, ProblemMotion::rest)->problem.block_count(), 4564);
  EXPECT_EQ(arch_problem(101, 0.6)->problem.block_count(), 408);
  EXPECT_EQ(cubic_lattice_problem(10, 0.5, ProblemMotion::rest)->problem.block_count(), 3200);
}

// At rest the impulses of the contacts carry the weight of every body: W lambda = M g dt.
TEST(ProblemCollection, WhatRestsIsCarried) {
  for (const auto& [p, bodies] :
       {std::pair(stack_problem(10, 0.5), 10), std::pair(wall_problem(4, 4, 0.5, ProblemMotion::rest), 16),
        std::pair(arch_problem(21, 0.6), 21)}) {
    SCOPED_TRACE(p->name);
    SolverWorkspace workspace;
    InclusionResult result;
    make_solver("automatic", {{"tolerance", 1e-10}})->solve(p->problem, workspace, result);
    ASSERT_EQ(result.status, SolveStatus::solved) << result.residual;
    Vector v = impulse_on(*p, result.lambda, bodies);
    p->A.solve(v.data());
    for (Index b = 0; b < bodies; ++b) {
      EXPECT_NEAR(v[6 * b + 2], 9.81e-3, 1e-7);
      EXPECT_NEAR(v[6 * b], 0.0, 1e-7);
      EXPECT_NEAR(v[6 * b + 4], 0.0, 1e-7);
    }
  }
}

class SmallProblem : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SmallProblem, IsSolved) {
  const ProblemMaker& maker = problem_collection()[GetParam()];
  if (!maker.small) GTEST_SKIP() << "for benchmarks";
  const GeneratedProblemPtr p = maker.make();
  SolverWorkspace workspace;
  InclusionResult result;
  make_solver("automatic", {{"tolerance", 1e-8}})->solve(p->problem, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::solved) << maker.name << " " << result.residual;
}

INSTANTIATE_TEST_SUITE_P(ProblemCollection, SmallProblem, testing::Range(std::size_t{0}, problem_collection().size()),
                         [](const auto& at) {
                           return std::regex_replace(problem_collection()[at.param].name, std::regex("\\W"), "_");
                         });

}  // namespace
}  // namespace carom
