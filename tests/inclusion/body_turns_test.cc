// Turns of momentum and Anderson's method over bodies of any shape (round_sweeps.cc) on random heaps.
#include <gtest/gtest.h>

#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/sweeps.h"
#include "inclusion/random_heap.h"

namespace carom {
namespace {

using testing::RandomHeap;

// Turns alone, and after single sweeps: solved as the definition has it, which knows neither points nor velocities. To
// the residual that runs of piles ask for: one of these heaps takes more than 10,000 sweeps to 1e-9.
TEST(BodyTurns, SolveHeapsAtRestAndInMotion) {
  for (const int single : {0, 40})
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomHeap heap(seed, 8, 8);
      SolverWorkspace workspace;
      InclusionResult result;
      result.iterations = 0;
      result.lambda.assign(heap.problem.rows(), 0.0);
      SweepOptions sweeps;
      sweeps.tolerance = 1e-6;
      sweeps.max_single = single;
      sweeps.patience = sweeps.max_iterations = 10000;
      EXPECT_TRUE(body_sweeps(heap.problem, sweeps, workspace, result)) << single << " " << seed;
      EXPECT_GT(result.iterations, single) << "single sweeps were enough: nothing was tested";
      ResidualWorkspace fresh;
      Buffer xi;
      EXPECT_LE(residual(heap.problem, result.lambda, xi, fresh), 1e-6) << single << " " << seed;
    }
}

// A problem that will be asked again is solved as far as it says; what it says below the tolerance counts for nothing.
TEST(BodyTurns, StopWhereItIsEnough) {
  const auto solver = make_solver("automatic", {{"tolerance", 1e-8}});
  for (unsigned seed = 0; seed < 2; ++seed) {
    RandomHeap heap(seed, 8, 8);
    const auto solved = [&](double enough) {
      heap.problem.enough = enough;
      SolverWorkspace workspace;
      InclusionResult result;
      result.lambda.assign(heap.problem.rows(), 0.0);
      solver->solve(heap.problem, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::solved) << seed;
      EXPECT_LE(result.residual, std::max(enough, 1e-8)) << seed;
      return result;
    };
    const InclusionResult all = solved(0.0), rough = solved(1e-3), same = solved(1e-9);
    EXPECT_LT(rough.iterations, all.iterations) << seed;
    EXPECT_GT(rough.residual, 1e-8) << seed;
    EXPECT_TRUE(same.lambda == all.lambda) << seed;
  }
}

}  // namespace
}  // namespace carom
