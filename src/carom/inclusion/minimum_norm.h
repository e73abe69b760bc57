// The minimum-norm least-squares solution of A x = b for square A of any rank, by a complete
// orthogonal decomposition: A P = Q [R; 0] with column pivoting, R' = Z [L'; 0], x = P Z [L^-1 Q'b; 0].
#pragma once

#include <vector>

#include "carom/base/buffer.h"

namespace carom::inline inclusion {

struct MinimumNormMemory {
  Buffer factors, tail;
  std::vector<int> pivots;
  std::vector<Index> columns;
};

// A (n x n, column-major) is destroyed, x enters as b. Diagonal entries of R below
// `rank_tolerance` times the first count as zero. Returns the rank.
Index minimum_norm_solve(double* A, Index n, double rank_tolerance, double* x, MinimumNormMemory& memory);

// The same, by LU where A is regular beyond doubt.
void solve_or_minimum_norm(double* A, Index n, double rank_tolerance, double* x, MinimumNormMemory& memory);

}  // namespace carom::inline inclusion
