// G with all its entries, column-major: small problems, and operators assembled by a scheme.
#pragma once

#include <cstdint>
#include <span>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus.h"

namespace carom::inline inclusion {

class DenseDelassus : public Delassus {
 public:
  // G = Wc' A^-1 Wf. Nothing is done where a sparse A and both W are those of the last build.
  void build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);
  // G given: rows x rows, column-major, cut into the blocks of `partition`.
  void assign(Index rows, std::span<const RowRange> partition, const double* G, bool symmetric);

  // A^-1 Wf by columns, where A is sparse and its columns therefore cost more than they weigh; else null.
  const double* response() const { return factor_stamp_ != 0 ? columns_.data() : nullptr; }

  void multiply(const double* lambda, double* y) const override;
  void multiply_with_magnitude(const double* lambda, double* y, double* scale) const override;
  const double* dense() const override { return entries_.data(); }
  void to_dense(double* G) const override;
  void to_block_sparse(BlockSparseDelassus& out) const override;

  void sweep_begin(const double* lambda, Buffer& running) const override;
  void sweep_product(Index b, const Buffer& running, double* y_b) const override;
  void sweep_update(Index b, const double* change, Buffer& running) const override;

 private:
  void build_by_columns(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);
  void build_by_blocks(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);
  void copy_diagonal();
  bool is_of(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf) const;

  Buffer entries_;
  Buffer columns_;  // A^-1 Wf
  // Of a build with sparse A: the factorisation and the directions it was made from.
  std::uint64_t factor_stamp_ = 0;
  ConstraintJacobian Wc_, Wf_;
};

}  // namespace carom::inline inclusion
