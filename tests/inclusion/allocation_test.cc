// After warm-up a solve allocates nothing, contacts coming and going.
#include <gtest/gtest.h>

#include "carom/inclusion/augmented_newton.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/proximal_point.h"
#include "inclusion/counting_allocator.h"
#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

TEST(Allocation, NoneAfterWarmUp) {
  std::mt19937 random(15);
  const auto planar = std::make_shared<PlanarCoulombLaw>(0.0, 0.3);
  std::vector<TestProblem> problems;
  for (int k = 0; k < 60; ++k) problems.push_back(random_problem(repeat(planar, 1 + k % 4), 3, random));
  for (const std::string name : {"automatic", "enumeration", "semismooth_newton", "projected_gauss_seidel"}) {
    const auto solver = make_solver(name, {{"tolerance", 1e-8}});
    SolverWorkspace workspace;
    InclusionResult result;
    const auto solve_all = [&] {
      for (const TestProblem& p : problems) {
        result.lambda.assign(p.problem.rows(), 0.0);
        solver->solve(p.problem, workspace, result);
      }
    };
    solve_all();
    const long before = allocation_count();
    solve_all();
    EXPECT_EQ(allocation_count() - before, 0) << name;
  }
}

// Twice as many rows as velocities: what the last resorts of the automatic solver are for.
TEST(Allocation, NoneInTheMethodsForRedundantContacts) {
  std::mt19937 random(16);
  const auto spatial = std::make_shared<SpatialCoulombLaw>(0.0, 0.3);
  std::vector<TestProblem> problems;
  for (int k = 0; k < 20; ++k) problems.push_back(random_problem(repeat(spatial, 4 + k % 5), 6, random));
  SolverWorkspace workspace;
  InclusionResult result;
  int solved = 0;
  const auto solve_all = [&] {
    for (const TestProblem& p : problems) {
      result.lambda.assign(p.problem.rows(), 0.0);
      result.iterations = 0;
      solved += proximal_point(p.problem, {1e-8, 1000}, workspace, result);
      result.lambda.assign(p.problem.rows(), 0.0);
      augmented_newton(p.problem, {1e-8, 1000}, workspace, result);
    }
  };
  solve_all();
  const long before = allocation_count();
  solve_all();
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_GT(solved, 20);  // of both rounds
}

}  // namespace
}  // namespace carom
