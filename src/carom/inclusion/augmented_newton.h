// Newton on the velocities of a regularised problem; see the .cc for the equations. Redundant contacts end here.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct AugmentedOptions {
  double tolerance = 1e-12;
  int max_iterations = 10000;  // Newton steps together
};

// From result.lambda; leaves the best iterate in `result` and returns whether it meets the tolerance.
bool augmented_newton(const InclusionProblem& problem, const AugmentedOptions& options, SolverWorkspace& workspace,
                      InclusionResult& result);

}  // namespace carom::inline inclusion
