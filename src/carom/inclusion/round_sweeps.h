// Sweeps over piles whose accelerations take turns; see the .cc.
#pragma once

#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

struct BodySweepMemory;

// As body_sweeps (sweeps.h), with the contacts of memory.round; result.lambda has just been judged.
bool round_sweeps(const InclusionProblem& problem, const SweepOptions& options, BodySweepMemory& memory,
                  SolverWorkspace& workspace, InclusionResult& result);

// The same with the contacts of memory.shaped, of memory.normal.
bool shaped_sweeps(const InclusionProblem& problem, const SweepOptions& options, BodySweepMemory& memory,
                   SolverWorkspace& workspace, InclusionResult& result);
bool normal_sweeps(const InclusionProblem& problem, const SweepOptions& options, BodySweepMemory& memory,
                   SolverWorkspace& workspace, InclusionResult& result);

}  // namespace carom::inline inclusion
