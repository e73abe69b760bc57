// Direct solution with a band matrix A, A(i, j) = 0 unless -lower <= j - i <= upper: what rods, beams and
// chains lead to when their nodes are numbered along them.
//
//   symmetric, positive definite:  A = L D L', no pivoting; tridiagonal matrices are eliminated from both
//                                  ends to the middle, so that two recurrences run side by side
//   otherwise:                     A = P L U with partial pivoting, U of bandwidth lower + upper
//
// Memory grows with the largest matrix seen and stays.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/types.h"

namespace carom::inline base {

struct Bandwidth {
  Index lower = 0, upper = 0;
};
Bandwidth bandwidth(const Eigen::SparseMatrix<double>& A);

class BandFactor {
 public:
  // False if the matrix is singular (or not a number).
  bool factor(const Eigen::SparseMatrix<double>& A, Bandwidth band, bool symmetric);

  // x := A^-1 x
  void solve(double* x) const;

 private:
  enum class Method { tridiagonal, symmetric, general };

  bool factor_tridiagonal(const Eigen::SparseMatrix<double>& A);
  bool factor_symmetric(const Eigen::SparseMatrix<double>& A);
  bool factor_general(const Eigen::SparseMatrix<double>& A);
  void solve_tridiagonal(double* x) const;
  void solve_symmetric(double* x) const;
  void solve_general(double* x) const;

  Method method_ = Method::tridiagonal;
  Index n_ = 0;
  Bandwidth band_;
  Buffer inverse_pivots_;    // 1 / d_i
  Buffer entries_;           // tridiagonal and symmetric: L by rows; general: L and U by columns
  std::vector<Index> rows_;  // general: the row that came to stand in row j
};

}  // namespace carom::inline base
