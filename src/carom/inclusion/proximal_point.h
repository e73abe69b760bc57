// Proximal point iteration around Newton and sweeps; see the .cc. The last resort for redundant contacts.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct ProximalOptions {
  double tolerance = 1e-12;
  int max_iterations = 10000;  // inner ones together
};

// From result.lambda; leaves the best iterate in `result` and returns whether it meets the tolerance.
bool proximal_point(const InclusionProblem& problem, const ProximalOptions& options, SolverWorkspace& workspace,
                    InclusionResult& result);

}  // namespace carom::inline inclusion
