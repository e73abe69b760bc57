#include "carom/simulation/unsolved_problem.h"

namespace carom {

void KeepingSolver::solve(const InclusionProblem& problem, SolverWorkspace& workspace,
                          InclusionResult& result) const {
  const Buffer guess = result.lambda;
  solver_.solve(problem, workspace, result);
  if (&problem != &watched_) return;
  unsolved_.clear();
  if (result.status == SolveStatus::solved) return;
  problem.G->to_block_sparse(unsolved_.G);
  unsolved_.problem = problem;
  unsolved_.problem.G = &unsolved_.G;
  unsolved_.problem.c_directions = nullptr;  // the scheme's memory
  unsolved_.problem.c_velocity = nullptr;
  unsolved_.guess = guess;
}

}  // namespace carom
