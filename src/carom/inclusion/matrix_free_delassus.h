// G = Wc' A^-1 Wf through its factors, A block-diagonal with 3x3 blocks but for a few coupled components: nothing is
// stored per pair of contacts. The running vector of a sweep is the velocity A^-1 Wf lambda, so that one block's
// product reads its own bodies and one block's update writes its own bodies, and the components it touches
// (component_columns.h).
#pragma once

#include "carom/base/component_columns.h"
#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus.h"

namespace carom::inline inclusion {

class MatrixFreeDelassus : public Delassus {
 public:
  // Whether A and the segments of W have the structure this representation needs.
  static bool accepts(const ConstraintJacobian& W, const IterationMatrix& A);

  // The operands must outlive the operator.
  void build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);

  void multiply(const double* lambda, double* y) const override;
  // The scale is bounded per body: sum_k |Wc_bk| |A_k^-1| sum_j |Wf_jk lambda_j|, k over 3-blocks.
  void multiply_with_magnitude(const double* lambda, double* y, double* scale) const override;
  const DelassusFactors* factors() const override { return factors_.W != nullptr ? &factors_ : nullptr; }
  void to_dense(double* G) const override;
  void to_block_sparse(BlockSparseDelassus& out) const override;

  void sweep_begin(const double* lambda, Buffer& running) const override;
  void sweep_product(Index b, const Buffer& running, double* y_b) const override;
  void sweep_update(Index b, const double* change, Buffer& running) const override;

  // What the operator holds beyond its operands.
  std::size_t bytes() const;

 private:
  // act(block, its entries)
  template <class Act>
  void each_diagonal_block(Act act) const;
  bool is_common_contact(const ConstraintJacobian& W, Index b) const;
  void diagonal_of_common_contact(Index b, double* G_bb) const;
  void find_diagonal() const override;
  // Of a constraint that touches coupled components, through its other blocks: act(segment, first velocity in it).
  template <class Act>
  void each_free_block(const ConstraintJacobian::Block& block, Act act) const;
  void coupled_magnitude(Index b, const double* lambda) const;

  const ConstraintJacobian* Wc_ = nullptr;
  const ConstraintJacobian* Wf_ = nullptr;
  const IterationMatrix* A_ = nullptr;
  DelassusFactors factors_;
  ComponentColumns columns_;              // of Wf
  Buffer inverse_norm_;                   // |A_k^-1|; 1 where a block is coupled
  mutable Buffer velocity_;               // scratch of products
  mutable bool diagonal_wanted_ = false;  // of this operator or one before
  mutable Buffer body_scale_;
};

}  // namespace carom::inline inclusion
