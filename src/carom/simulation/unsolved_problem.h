// The contact problem a run failed on, kept so that it can be solved again alone.
//
// A scheme goes on after an unsolved problem and uses its memory again, and solvers overwrite their
// guess. So the driver repeats the failed step, which gives the same bits, with a solver that copies the
// problem when it is given up. Steps that succeed pay nothing.
#pragma once

#include <memory>
#include <vector>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline simulation {

struct UnsolvedProblem {
  InclusionProblem problem;  // refers to what is below
  BlockSparseDelassus G;
  std::vector<std::shared_ptr<const Law>> laws;  // made again from their numbers
  Buffer guess;

  UnsolvedProblem() = default;
  UnsolvedProblem(const UnsolvedProblem&) = delete;
  UnsolvedProblem& operator=(const UnsolvedProblem&) = delete;
  bool empty() const { return problem.G == nullptr; }
  void clear() { problem.G = nullptr; }
};

// Solves as another solver does. The last problem at the watched address is copied into `unsolved`, with
// the guess it was given, if it was not solved; nothing is there if it was.
class KeepingSolver final : public InclusionSolver {
 public:
  KeepingSolver(const InclusionSolver& solver, const InclusionProblem& watched, UnsolvedProblem& unsolved)
      : solver_(solver), watched_(watched), unsolved_(unsolved) {}
  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override;

 private:
  const InclusionSolver& solver_;
  const InclusionProblem& watched_;
  UnsolvedProblem& unsolved_;
};

}  // namespace carom::inline simulation
