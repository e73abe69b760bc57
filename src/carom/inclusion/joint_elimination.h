// Joints eliminated, contacts solved for alone; see the .cc for the equations.
#pragma once

#include <functional>

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

// More rows of contacts are not put into a dense matrix.
inline constexpr Index most_contact_rows = 400;

struct EliminationOptions {
  double tolerance = 1e-12;
  int max_iterations = 1000;  // of the solver of contacts
};

// Solves a problem without joints from result.lambda, with at most so many iterations; whether it did.
using ContactSolver =
    std::function<bool(const InclusionProblem&, int max_iterations, SolverWorkspace&, InclusionResult&)>;

// Whether there are joints, and contacts few enough.
bool can_eliminate_joints(const InclusionProblem& problem);

// From result.lambda. Leaves its best iterate in `result` and returns whether it meets the tolerance.
bool eliminate_joints(const InclusionProblem& problem, const EliminationOptions& options, const ContactSolver& contacts,
                      SolverWorkspace& workspace, InclusionResult& result);

}  // namespace carom::inline inclusion
