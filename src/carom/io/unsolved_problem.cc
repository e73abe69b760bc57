#include "carom/io/unsolved_problem.h"

namespace carom {

KeepingSolver::KeepingSolver(const InclusionSolver& solver, UnsolvedProblem& unsolved)
    : solver_(solver), unsolved_(unsolved) {}

void KeepingSolver::solve(const InclusionProblem& problem, SolverWorkspace& workspace,
                          InclusionResult& result) const {
  guess_ = result.lambda;
  solver_.solve(problem, workspace, result);
  if (result.status == SolveStatus::solved) return;
  problem.G->to_block_sparse(unsolved_.G);
  unsolved_.problem = problem;
  unsolved_.problem.G = &unsolved_.G;
  unsolved_.guess = guess_;
}

}  // namespace carom
