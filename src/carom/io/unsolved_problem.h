// The contact problem a run failed on, kept so that it can be solved again alone.
//
// A scheme goes on after an unsolved problem and uses its memory again. So the problem is copied at the
// moment its solver gives up, with the guess the solver had been given.
#pragma once

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/inclusion_solver.h"

namespace carom {

struct UnsolvedProblem {
  InclusionProblem problem;  // the laws stay those of the system
  BlockSparseDelassus G;
  Buffer guess;

  bool empty() const { return problem.G == nullptr; }
};

// Solves as another solver does, and puts the last problem that was not solved into `unsolved`.
class KeepingSolver final : public InclusionSolver {
 public:
  KeepingSolver(const InclusionSolver& solver, UnsolvedProblem& unsolved);
  void solve(const InclusionProblem& problem, SolverWorkspace& workspace,
             InclusionResult& result) const override;

 private:
  const InclusionSolver& solver_;
  UnsolvedProblem& unsolved_;
  mutable Buffer guess_;  // scratch: the solver overwrites it
};

}  // namespace carom
