// After warm-up a solve allocates nothing, contacts coming and going.
#include <gtest/gtest.h>

#include "carom/inclusion/inclusion_solver.h"
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

}  // namespace
}  // namespace carom
