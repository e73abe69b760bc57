// Large problems by several methods in turn; see the .cc.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct RoundsOptions {
  double tolerance = 1e-12;
  int max_iterations = 10000;  // of all methods together
  int threads = 1;
};

// From result.lambda; leaves the best iterate in `result` and returns whether it meets the tolerance.
bool rounds(const InclusionProblem& problem, const RoundsOptions& options, SolverWorkspace& workspace,
            InclusionResult& result);

// Newton's method likes to begin where interior points end, also where result.lambda has a smaller residual. Leaves the
// better of both.
bool interior_and_newton(const InclusionProblem& problem, double tolerance, int interior_steps, int newton_steps,
                         SolverWorkspace& workspace, InclusionResult& result);

}  // namespace carom::inline inclusion
