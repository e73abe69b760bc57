// What a user is told about a step that could not be made: what happened, who was involved by name, what to try.
#pragma once

#include <string>

#include "carom/simulation/simulate.h"

namespace carom::inline simulation {

// Of a step of length dt from `state` that ended as `result` says.
std::string failure_advice(const System& system, const InclusionSolver& solver, const State& state, double dt,
                           const StepResult& result, FailurePolicy policy, const Audit& audit);

}  // namespace carom::inline simulation
