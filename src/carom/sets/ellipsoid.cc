#include "carom/sets/ellipsoid.h"

#include <algorithm>
#include <cmath>

#include "carom/base/small_svd.h"

namespace carom::inline sets {

namespace {

// Root t > 0 of |w(t)| = 1, w_i = s_i z_i/(s_i^2 + t), given |w(0)| > 1. The function 1/|w| is concave
// and almost linear, so Newton's method on 1/|w| = 1 from the left rises monotonically to the root and
// needs a handful of steps; rounding ends the rise.
double multiplier(Index n, const double* s, const double* z) {
  double t = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double square = 0.0, slope = 0.0;  // |w|^2 and -(|w|^2)'/2
    for (Index i = 0; i < n; ++i) {
      const double inverse = 1.0 / (s[i] * s[i] + t);
      const double w = s[i] * z[i] * inverse;
      square += w * w;
      slope += w * w * inverse;
    }
    const double next = t + (std::sqrt(square) - 1.0) * square / slope;
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

}  // namespace

Ellipsoid::Ellipsoid(const Matrix& A) : transformation_(A) {
  const SmallSvd svd(A.data(), dim());
  U_ = ConstMatrixMap(svd.U, dim(), dim());
  std::copy(svd.s, svd.s + dim(), s_);
}

double Ellipsoid::principal(const double* x, double* z) const {
  const Index n = dim();
  VectorMap(z, n).noalias() = U_.transpose().lazyProduct(ConstVectorMap(x, n));
  double square = 0.0;
  for (Index i = 0; i < n; ++i) square += (z[i] / s_[i]) * (z[i] / s_[i]);
  return square <= 1.0 ? 0.0 : multiplier(n, s_, z);
}

void Ellipsoid::project(const double* x, double* y) const {
  const Index n = dim();
  double z[max_dim];
  const double t = principal(x, z);
  if (t == 0.0) {
    if (x != y) std::copy(x, x + n, y);
    return;
  }
  for (Index i = 0; i < n; ++i) z[i] *= s_[i] * s_[i] / (s_[i] * s_[i] + t);
  VectorMap(y, n).noalias() = U_.lazyProduct(ConstVectorMap(z, n));
}

void Ellipsoid::project_derivative(const double* x, double* D) const {
  const Index n = dim();
  MatrixMap result(D, n, n);
  double z[max_dim];
  const double t = principal(x, z);
  if (t == 0.0) {
    result.setIdentity();
    return;
  }
  double b[max_dim], Bn[max_dim], nBn = 0.0;
  for (Index i = 0; i < n; ++i) {
    b[i] = s_[i] * s_[i] / (s_[i] * s_[i] + t);
    const double normal = b[i] * z[i] / (s_[i] * s_[i]);
    Bn[i] = b[i] * normal;
    nBn += normal * Bn[i];
  }
  LinearTransformation::SmallMatrix principal_D(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) principal_D(i, j) = (i == j ? b[i] : 0.0) - Bn[i] * Bn[j] / nBn;
  const LinearTransformation::SmallMatrix right = principal_D.lazyProduct(U_.transpose());
  result.noalias() = U_.lazyProduct(right);
}

}  // namespace carom::inline sets
