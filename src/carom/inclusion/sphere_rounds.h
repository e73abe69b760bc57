// What follows when the first sweeps over a pile of spheres have not solved it; see the .cc.
#pragma once

#include "carom/inclusion/rounds.h"

namespace carom::inline inclusion {

// As rounds (rounds.h), after body_sweeps on a problem of round contacts. `spent`: iterations of these; `warm`: they
// did not begin at zero.
bool sphere_rounds(const InclusionProblem& problem, const RoundsOptions& options, int spent, bool warm,
                   SolverWorkspace& workspace, InclusionResult& result);

}  // namespace carom::inline inclusion
