// Where sweeps crawl. A few spheres wedged together carry impulses that nearly cancel: sweeps move them by a constant
// little, thousands of times, while all the rest of a pile is solved. Such a patch, the contacts that are in error and
// hang together through common bodies, is a small problem of its own with all others held,
//
//   xi_P = G_PP lambda_P + (xi_P - G_PP lambda_P of before),
//
// and Newton's method solves it at once (the alternating method of Schwarz, with sweeps for the rest).
#pragma once

#include <memory>
#include <vector>

#include "carom/inclusion/dense_delassus.h"
#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

class ContactPatches {
 public:
  // Solves the patches of a lambda that was just judged, the worst first, with at most `budget` multiplications, and
  // changes it there. False: errors are everywhere, nothing was done.
  bool solve(const InclusionProblem& problem, double tolerance, const ResidualWorkspace& judged, double budget,
             Buffer& lambda);

 private:
  enum class State : char { done, in_error, listed };

  void find_neighbours(const InclusionProblem& problem);
  void grow(Index seed);
  void add(Index b);
  void add_neighbours(std::size_t k, bool all);
  void build(const Buffer& lambda);
  bool improve(double tolerance, int steps);

  const InclusionProblem* of_ = nullptr;
  std::vector<Index> begin_, contacts_;  // of bodies (three velocities): the blocks that act on them
  std::vector<Index> bad_, patch_;
  std::vector<State> state_;  // by block
  Index patch_rows_ = 0;
  std::vector<RowRange> partition_;
  Buffer error_, entries_;
  Buffer running_, response_;  // velocities of lambda, and of one unit
  DenseDelassus G_;
  InclusionProblem patch_problem_;
  InclusionResult result_;
  std::shared_ptr<SolverWorkspace> workspace_;
};

}  // namespace carom::inline inclusion
