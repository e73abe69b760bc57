// The factored matrix of a scheme's velocity equation,
//
//     A = M - a dh_dv - b dh_dq
//
// (a = theta dt, b = theta^2 dt^2 for the theta method; a = b = 0: the inertia itself). Its structure
// is the richest of its parts; the factorisation follows the structure. A sparse sum that falls apart is factored
// component by component.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/base/structured_matrix.h"

namespace carom::inline base {

class IterationMatrix {
 public:
  IterationMatrix();
  ~IterationMatrix();
  IterationMatrix(IterationMatrix&&) noexcept;
  IterationMatrix& operator=(IterationMatrix&&) noexcept;

  // False if the matrix is singular (or not a number).
  bool factor(const Inertia& M);
  bool factor(const Inertia& M, double a, const ForceJacobian& dh_dv, double b, const ForceJacobian& dh_dq);

  // Block-diagonal, by the inverses of its 3x3 blocks, to be filled.
  Matrix3* set_inverse_blocks(Index n, bool symmetric);

  Index size() const { return size_; }
  Structure structure() const { return structure_; }
  bool symmetric() const { return symmetric_; }

  // x := A^-1 x for `columns` right-hand sides of length size() stored one after the other.
  void solve(double* x, Index columns = 1) const;

  // Different for every factorisation ever made, so that what was derived from one is recognised; 0 where
  // factoring is cheaper than remembering (all structures but sparse, and what falls apart).
  std::uint64_t stamp() const;

  // block_diagonal, and where a sparse matrix falls apart: the inverses of the 3x3 blocks; zero where a block is
  // coupled.
  const Matrix3* inverse_blocks() const { return inverse_blocks_.data(); }
  // Of a sparse matrix that falls apart, else null.
  const class ComponentFactor* components() const;

 private:
  // Absent parts are null.
  bool factor_sum(const Inertia& M, double a, const ForceJacobian* dh_dv, double b, const ForceJacobian* dh_dq);
  bool factor_dense();
  bool factor_sparse(const Inertia& M, double a, const ForceJacobian* dh_dv, double b, const ForceJacobian* dh_dq);

  Structure structure_ = Structure::zero;
  Index size_ = 0;
  bool symmetric_ = true;
  Buffer lu_;
  std::vector<int> pivots_;
  std::vector<Matrix3> inverse_blocks_;
  // Of the inertia alone, and of sums: a scheme that needs both in turn finds both again.
  std::unique_ptr<class SparseFactor> sparse_[2];
  int last_sparse_ = 0;
  StructuredMatrix::Sparse converted_[3];  // parts of a sparse matrix that are not sparse themselves
};

}  // namespace carom::inline base
