#include "carom/sets/linear_transformation.h"

#include <limits>

#include "carom/base/errors.h"
#include "carom/base/small_svd.h"

namespace carom::inline sets {

namespace {

using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, ConvexSet::max_dim, 1>;

// y = B x through the stack, so that x and y may be the same array.
template <class Factor>
void multiply(const Factor& B, const double* x, double* y) {
  const SmallVector product = B * ConstVectorMap(x, B.cols());
  VectorMap(y, B.rows()) = product;
}

}  // namespace

LinearTransformation::LinearTransformation(const Matrix& A) {
  if (A.rows() != A.cols() || A.rows() < 1 || A.rows() > ConvexSet::max_dim)
    throw LogicError("a linear transformation needs a square matrix of 1 to 6 rows");
  A_ = A;
  const SmallSvd svd(A.data(), dim());
  if (!(svd.smallest() > dim() * std::numeric_limits<double>::epsilon() * svd.largest()))
    throw LogicError("a linear transformation needs a regular matrix");
  A_inverse_.setIdentity(dim(), dim());
  for (Index j = 0; j < dim(); ++j) svd.pseudo_solve(A_inverse_.col(j).data(), 0.0);
}

void LinearTransformation::to_reference(const double* x, double* x_hat) const { multiply(A_inverse_, x, x_hat); }

void LinearTransformation::from_reference(const double* x_hat, double* x) const { multiply(A_, x_hat, x); }

void LinearTransformation::dual(const double* y, double* y_hat) const { multiply(A_.transpose(), y, y_hat); }

void LinearTransformation::congruent(const double* G, double* G_hat) const {
  const SmallMatrix product = ConstMatrixMap(G, dim(), dim()) * A_;
  MatrixMap(G_hat, dim(), dim()) = A_.transpose() * product;
}

}  // namespace carom::inline sets
