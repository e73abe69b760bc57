// A and bilateral rows W, the elimination of joints: S = W' A^-1 W, by blocks, factored sparsely, its rank looked at.
// Chains and trees cost O(n). Redundant rows get the multipliers of least norm (in units in which the diagonal of S is
// one).
#pragma once

#include "carom/base/block_system.h"
#include "carom/base/gram_blocks.h"

namespace carom::inline base {

class SaddlePoint {
 public:
  // W must outlive the solves; A is block-diagonal or falls apart.
  void set(const ConstraintJacobian& W, const IterationMatrix& A);
  // lambda with W' A^-1 W lambda = b. False if the rows contradict each other.
  bool solve(const double* b, double* lambda) { return S_.solve(b, lambda); }
  // As the last solve found it.
  Index rank() const { return S_.rank(); }

 private:
  GramBlocks gram_;
  BlockSystem S_;
  std::vector<std::size_t> row_begin_;
  std::vector<Index> sizes_, columns_;
  Buffer root_;  // by row
};

}  // namespace carom::inline base
