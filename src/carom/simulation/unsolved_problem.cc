#include "carom/simulation/unsolved_problem.h"

#include <utility>

#include "carom/laws/contact_law.h"

namespace carom::inline simulation {

void KeepingSolver::solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const {
  const Buffer guess = result.lambda;
  solver_.solve(problem, workspace, result);
  if (&problem != &watched_) return;
  unsolved_.clear();
  if (result.status == SolveStatus::solved) return;
  problem.G->to_block_sparse(unsolved_.G);
  unsolved_.problem = problem;
  unsolved_.problem.G = &unsolved_.G;
  unsolved_.laws.clear();
  for (const Law*& law : unsolved_.problem.laws)
    if (auto again = remade(*law)) law = unsolved_.laws.emplace_back(std::move(again)).get();
  unsolved_.problem.c_directions = nullptr;  // the scheme's memory
  unsolved_.problem.c_velocity = nullptr;
  unsolved_.guess = guess;
}

}  // namespace carom::inline simulation
