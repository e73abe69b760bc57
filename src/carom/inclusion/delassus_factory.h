// Builds G = Wc' A^-1 Wf in the representation that fits, reusing memory from step to step:
// dense while the problem is small (or A couples everything), matrix-free over block-diagonal A.
#pragma once

#include <cstdint>
#include <memory>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus.h"

namespace carom::inline inclusion {

class DenseDelassus;
class MatrixFreeDelassus;

class DelassusFactory {
 public:
  // Problems up to this many rows are dense.
  static constexpr Index dense_limit = 48;

  DelassusFactory();
  ~DelassusFactory();

  // The operands must outlive the operator, which lives in the factory until the next build.
  const Delassus& build(const ConstraintJacobian& W, const IterationMatrix& A) { return build(W, A, W); }
  const Delassus& build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);

  // y = A^-1 Wf lambda with A and Wf of the last build: the sum of stored columns where there are such, else
  // a solve.
  void response(const IterationMatrix& A, const ConstraintJacobian& Wf, const double* lambda, double* y) const;

  // How many operators were built: tells whether the last one is still that of a certain build.
  std::uint64_t builds() const { return builds_; }

 private:
  std::uint64_t builds_ = 0;
  std::unique_ptr<DenseDelassus> dense_;
  std::unique_ptr<MatrixFreeDelassus> matrix_free_;
  bool dense_built_ = false;  // the last one
};

}  // namespace carom::inline inclusion
