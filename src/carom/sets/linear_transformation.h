// Transformation of a normal cone inclusion by a regular matrix A, with A^-1 C = { y : A y in C }:
//
//     y in N_C(x)   <=>   A' y in N_{A^-1 C}(A^-1 x)
//
// So the block  xi = G lambda + c,  -xi in N_C(lambda)  is the block with
//
//     lambda = A lambda_hat,   xi_hat = A' xi,   G_hat = A' G A,   c_hat = A' c,   C_hat = A^-1 C,
//
// and an ellipsoid becomes a ball, whose Euclidean projection is a formula. It is the inclusion that
// is transformed, not the projection: prox_C itself would turn into a projection in the norm of A'A.
#pragma once

#include "carom/sets/convex_set.h"

namespace carom::inline sets {

class LinearTransformation {
 public:
  using SmallMatrix =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, ConvexSet::max_dim, ConvexSet::max_dim>;

  // Throws LogicError if A is not square, larger than max_dim or singular.
  explicit LinearTransformation(const Matrix& A);

  Index dim() const { return static_cast<Index>(A_.rows()); }
  const SmallMatrix& matrix() const { return A_; }

  void to_reference(const double* x, double* x_hat) const;    // x_hat = A^-1 x
  void from_reference(const double* x_hat, double* x) const;  // x = A x_hat
  void dual(const double* y, double* y_hat) const;            // y_hat = A' y, for c and xi
  void congruent(const double* G, double* G_hat) const;       // G_hat = A' G A, column-major

 private:
  SmallMatrix A_, A_inverse_;
};

}  // namespace carom::inline sets
