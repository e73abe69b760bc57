// Semismooth Newton on the natural map; see the .cc for the equations. Other solvers start from it.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom {

struct NewtonOptions {
  double tolerance = 1e-12;
  int max_iterations = 60;
};

// Newton with a dense matrix from result.lambda. Leaves the best iterate with its xi and residual in
// `result`, adds its iterations, and returns whether the residual is at or below the tolerance.
bool newton_dense(const InclusionProblem& problem, const NewtonOptions& options, SolverWorkspace& workspace,
                  InclusionResult& result);

}  // namespace carom
