// The inclusion of a step with whichever impact laws its contacts have.
#pragma once

#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

// Solves the problem in `work`, whose G, c and guess are set; c holds work.shift = e gamma_minus (zero for laws of two
// phases). What passive restitution takes back is taken from both. `before`: the velocities before the step in the
// directions of the problem, with which impulses do their work, where gamma_minus was taken in others.
bool solve_step(const InclusionSolver& solver, const Buffer& gamma_minus, InclusionWork& work, StepResult& result,
                const Buffer* before = nullptr);

}  // namespace carom::inline schemes
