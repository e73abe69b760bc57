// G = Wc' A^-1 Wf through its factors, A block-diagonal with 3x3 blocks: nothing is stored per pair of
// contacts. The running vector of a sweep is the velocity A^-1 Wf lambda, so that one block's product
// reads its own bodies and one block's update writes its own bodies.
#pragma once

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus.h"

namespace carom {

class MatrixFreeDelassus : public Delassus {
 public:
  // Whether A and the segments of W have the structure this representation needs.
  static bool accepts(const ConstraintJacobian& W, const IterationMatrix& A);

  // The operands must outlive the operator.
  void build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);

  void multiply(const double* lambda, double* y) const override;
  // The scale is bounded per body: sum_k |Wc_bk| |A_k^-1| sum_j |Wf_jk lambda_j|, k over 3-blocks.
  void multiply_with_magnitude(const double* lambda, double* y, double* scale) const override;
  void to_dense(double* G) const override;
  void to_block_sparse(BlockSparseDelassus& out) const override;

  void sweep_begin(const double* lambda, Buffer& running) const override;
  void sweep_product(Index b, const Buffer& running, double* y_b) const override;
  void sweep_update(Index b, const double* change, Buffer& running) const override;

 private:
  void fill_diagonal();

  const ConstraintJacobian* Wc_ = nullptr;
  const ConstraintJacobian* Wf_ = nullptr;
  const IterationMatrix* A_ = nullptr;
  Buffer inverse_norm_;         // |A_k^-1|
  mutable Buffer velocity_;     // scratch of products
  mutable Buffer body_scale_;
};

}  // namespace carom
