// Splitting with one kept factorisation; see the .cc for the equations.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct AdmmOptions {
  double tolerance = 1e-12;
  int max_iterations = 1000;
  double sigma = 1.0;  // penalty to begin with; where it came to, afterwards
};

// From result.lambda; leaves the best iterate in `result` and returns whether it meets the tolerance.
bool admm(const InclusionProblem& problem, AdmmOptions& options, SolverWorkspace& workspace, InclusionResult& result);

}  // namespace carom::inline inclusion
