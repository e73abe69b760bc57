// Semismooth Newton on the natural map; see the .cc for the equations. Other solvers start from it.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct NewtonOptions {
  double tolerance = 1e-12;
  int max_iterations = 60;
};

// Problems with more rows factor a sparse matrix; so do those with joints whose G is not stored.
inline constexpr Index dense_newton_limit = 120;

// Whether some constraint is a joint. Joints couple far: sweeps crawl along chains, while Newton's matrix is as sparse
// as they are.
bool has_joints(const InclusionProblem& problem);

// Newton from result.lambda. Leaves the best iterate with its xi and residual in
// `result`, adds its iterations, and returns whether the residual is at or below the tolerance.
bool newton(const InclusionProblem& problem, const NewtonOptions& options, SolverWorkspace& workspace,
            InclusionResult& result);

// The step for large problems: workspace.direction = -J^-1 F.
void begin_sparse_newton(const InclusionProblem& problem, SolverWorkspace& workspace);
void sparse_newton_step(const InclusionProblem& problem, const Buffer& lambda, const Buffer& xi,
                        SolverWorkspace& workspace);

}  // namespace carom::inline inclusion
