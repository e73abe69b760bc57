// A sparse matrix that will not change any more: prepared once for its products, shared instead of copied,
// and recognised by its address by whoever has factored it. The mass, damping and stiffness of linear
// structures.
//
// Where the entries fill a few diagonals (rods, beams, chains) it is kept by diagonals as well,
//
//     y_i += sum over k of  d_k[i] x_{i+k},      d_k[i] = A(i, i+k),
//
// which reads memory in order; otherwise products go column by column.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/types.h"

namespace carom::inline base {

// y += factor A x, column by column.
void sparse_multiply_add(const Eigen::SparseMatrix<double>& A, double factor, const double* x, double* y);

class ConstantMatrix {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  explicit ConstantMatrix(Sparse A);

  Index size() const { return static_cast<Index>(A_.rows()); }
  const Sparse& sparse() const { return A_; }
  bool by_diagonals() const { return !offsets_.empty(); }

  // y += factor A x
  void multiply_add(double factor, const double* x, double* y) const;
  // x' A y
  double bilinear(const double* x, const double* y) const;

 private:
  Sparse A_;
  std::vector<Index> offsets_;  // the diagonals that have entries; empty: by columns
  Buffer diagonals_;            // size() entries each, zero where the diagonal leaves the matrix
};

}  // namespace carom::inline base
