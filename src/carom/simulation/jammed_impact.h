// Why a step may fail with every scheme and at any length: the impact law itself has no solution. Newton's law
// prescribes gamma_N = -e gamma_N_minus where a contact pushes, Coulomb's that friction opposes the sliding gamma_T. A
// mechanism of few freedoms couples both: if it leaves along the normal it also slides, and friction may take back more
// than the normal impulse gives. It jams; then 0 < e has no solution (docs/theory/solvers.md).
#pragma once

#include <string>

#include "carom/inclusion/inclusion_solver.h"
#include "carom/schemes/scheme.h"
#include "carom/system/system.h"

namespace carom::inline simulation {

// A sentence, if the impact of the joints and contacts that a failed step of length dt from `state` met is not solved
// by the solver, but is without restitution. Empty otherwise.
std::string jammed_impact(const System& system, const InclusionSolver& solver, const State& state, double dt,
                          const StepResult& failed);

}  // namespace carom::inline simulation
