// Interior points on the friction cones; see the .cc for the equations.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct InteriorOptions {
  double tolerance = 1e-12;
  int max_iterations = 100;
};

// Whether all laws are joints, unilateral or Coulomb's with one disc.
bool interior_point_accepts(const InclusionProblem& problem);

// From the middle of the cones, unless the guess is a solution already. Leaves its best iterate in `result` and returns
// whether it meets the tolerance.
bool interior_point(const InclusionProblem& problem, const InteriorOptions& options, SolverWorkspace& workspace,
                    InclusionResult& result);

}  // namespace carom::inline inclusion
