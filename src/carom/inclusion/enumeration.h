// Exact solution of tiny problems by trying all combinations of contact states; see the .cc.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

// Whether the laws have finitely many states and few enough combinations.
bool can_enumerate(const InclusionProblem& problem);

// Leaves the best solution found in `result`; returns whether it meets the tolerance.
bool enumerate(const InclusionProblem& problem, double tolerance, int max_combinations, SolverWorkspace& workspace,
               InclusionResult& result);

}  // namespace carom::inline inclusion
