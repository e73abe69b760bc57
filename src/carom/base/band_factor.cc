#include "carom/base/band_factor.h"

#include <algorithm>
#include <cmath>

namespace carom::inline base {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// visit(i, j, A_ij) for all entries.
template <class Visit>
void for_each_entry(const Sparse& A, Visit visit) {
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry) visit(static_cast<Index>(entry.row()), j, entry.value());
}

}  // namespace

Bandwidth bandwidth(const Sparse& A) {
  Bandwidth band;
  for_each_entry(A, [&](Index i, Index j, double) {
    band.lower = std::max(band.lower, i - j);
    band.upper = std::max(band.upper, j - i);
  });
  return band;
}

bool BandFactor::factor(const Sparse& A, Bandwidth band, bool symmetric) {
  n_ = static_cast<Index>(A.rows());
  band_ = band;
  if (symmetric) {
    method_ = band.lower <= 1 ? Method::tridiagonal : Method::symmetric;
    if (method_ == Method::tridiagonal ? factor_tridiagonal(A) : factor_symmetric(A)) return true;
  }
  method_ = Method::general;  // also for a symmetric matrix that is not positive definite
  return factor_general(A);
}

void BandFactor::solve(double* x) const {
  switch (method_) {
    case Method::tridiagonal: return solve_tridiagonal(x);
    case Method::symmetric: return solve_symmetric(x);
    case Method::general: return solve_general(x);
  }
}

// Off-diagonal entries a_i = A(i, i-1). Rows above the middle m are eliminated downwards, rows below it
// upwards:
//
//   i <= m:  l_i = a_i / d_{i-1},        d_i = A(i,i) - l_i a_i
//   i >= m:  u_i = a_{i+1} / d_{i+1},    d_i = A(i,i) - u_i a_{i+1}       (d_m takes both)
//
// entries_[i] = l_i for i <= m and u_{i-1} for i > m: what couples row i to its neighbour towards the middle.
bool BandFactor::factor_tridiagonal(const Sparse& A) {
  inverse_pivots_.resize(n_);
  entries_.assign(n_, 0.0);
  double* d = inverse_pivots_.data();
  double* a = entries_.data();
  for_each_entry(A, [&](Index i, Index j, double value) {
    if (i == j) d[i] = value;
    if (i == j + 1) a[i] = value;
  });
  const Index m = n_ / 2;
  bool positive = true;
  const auto invert = [&](Index i) {
    positive = positive && d[i] > 0.0 && std::isfinite(d[i]);
    d[i] = 1.0 / d[i];
  };
  for (Index i = 0; i < m; ++i) {
    invert(i);
    const double l = a[i + 1] * d[i];
    d[i + 1] -= l * a[i + 1];
    a[i + 1] = l;
  }
  for (Index i = n_ - 1; i > m; --i) {
    invert(i);
    const double u = a[i] * d[i];
    d[i - 1] -= u * a[i];
    a[i] = u;
  }
  if (n_ > 0) invert(m);
  return positive;
}

void BandFactor::solve_tridiagonal(double* x) const {
  const double* d = inverse_pivots_.data();
  const double* l = entries_.data();
  const Index m = n_ / 2, pairs = (n_ - 1) / 2;  // rows above m: m, below: n - 1 - m, one less if n is even
  if (n_ == 0) return;
  double top = x[0], bottom = x[n_ - 1];
  Index i = 0, j = n_ - 1;
  for (Index k = 0; k + 1 < pairs; ++k) {
    top = x[i + 1] - l[i + 1] * top;
    bottom = x[j - 1] - l[j] * bottom;
    x[++i] = top;
    x[--j] = bottom;
  }
  for (; i < m - 1; ++i) x[i + 1] -= l[i + 1] * x[i];
  for (; j > m + 1; --j) x[j - 1] -= l[j] * x[j];
  if (m > 0) x[m] -= l[m] * x[m - 1];
  if (m < n_ - 1) x[m] -= l[m + 1] * x[m + 1];

  x[m] *= d[m];
  top = bottom = x[m];
  i = j = m;
  for (Index k = 0; k < pairs; ++k) {
    top = x[i - 1] * d[i - 1] - l[i] * top;
    bottom = x[j + 1] * d[j + 1] - l[j + 1] * bottom;
    x[--i] = top;
    x[++j] = bottom;
  }
  for (; i > 0; --i) x[i - 1] = x[i - 1] * d[i - 1] - l[i] * x[i];
  for (; j < n_ - 1; ++j) x[j + 1] = x[j + 1] * d[j + 1] - l[j + 1] * x[j];
}

// Row i of L: w_j = A(i,j) - sum_k w_k L(j,k),  L(i,j) = w_j / d_j,  d_i = A(i,i) - sum_j w_j L(i,j).
bool BandFactor::factor_symmetric(const Sparse& A) {
  const Index b = band_.lower;
  inverse_pivots_.assign(n_, 0.0);
  entries_.assign(n_ * b, 0.0);
  double* d = inverse_pivots_.data();
  for_each_entry(A, [&](Index i, Index j, double value) {
    if (i == j) d[i] = value;
    if (i > j) entries_[i * b + (j - i + b)] = value;
  });
  for (Index i = 0; i < n_; ++i) {
    double* row = entries_.data() + i * b + b - i;  // row[j], j = i - b .. i - 1
    const Index first = std::max<Index>(0, i - b);
    for (Index j = first; j < i; ++j) {
      const double* other = entries_.data() + j * b + b - j;
      for (Index k = std::max(first, j - b); k < j; ++k) row[j] -= row[k] * other[k];
    }
    double pivot = d[i];
    for (Index j = first; j < i; ++j) {
      const double w = row[j];
      row[j] = w * d[j];
      pivot -= w * row[j];
    }
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    d[i] = 1.0 / pivot;
  }
  return true;
}

void BandFactor::solve_symmetric(double* x) const {
  const Index b = band_.lower;
  const double* d = inverse_pivots_.data();
  for (Index i = 1; i < n_; ++i) {
    const double* row = entries_.data() + i * b + b - i;
    double sum = x[i];
    for (Index j = std::max<Index>(0, i - b); j < i; ++j) sum -= row[j] * x[j];
    x[i] = sum;
  }
  for (Index i = 0; i < n_; ++i) x[i] *= d[i];
  for (Index i = n_ - 1; i > 0; --i) {
    const double* row = entries_.data() + i * b + b - i;
    for (Index j = std::max<Index>(0, i - b); j < i; ++j) x[j] -= row[j] * x[i];
  }
}

// Column j holds A(i, j) at [shift + i - j], shift = lower + upper: `lower` places more than the band, for
// what the exchange of rows brings in.
bool BandFactor::factor_general(const Sparse& A) {
  const Index lower = band_.lower, shift = lower + band_.upper, height = shift + lower + 1;
  entries_.assign(n_ * height, 0.0);
  inverse_pivots_.resize(n_);
  rows_.resize(static_cast<std::size_t>(n_));
  const auto at = [&](Index i, Index j) -> double& { return entries_[j * height + shift + i - j]; };
  for_each_entry(A, [&](Index i, Index j, double value) { at(i, j) = value; });
  for (Index j = 0; j < n_; ++j) {
    const Index last_row = std::min(n_ - 1, j + lower), last_column = std::min(n_ - 1, j + shift);
    Index pivot = j;
    for (Index i = j + 1; i <= last_row; ++i)
      if (std::abs(at(i, j)) > std::abs(at(pivot, j))) pivot = i;
    rows_[static_cast<std::size_t>(j)] = pivot;
    if (!(std::abs(at(pivot, j)) > 0.0) || !std::isfinite(at(pivot, j))) return false;
    if (pivot != j)
      for (Index k = j; k <= last_column; ++k) std::swap(at(pivot, k), at(j, k));
    const double inverse = 1.0 / at(j, j);
    inverse_pivots_[j] = inverse;
    for (Index i = j + 1; i <= last_row; ++i) at(i, j) *= inverse;
    for (Index k = j + 1; k <= last_column; ++k) {
      const double u = at(j, k);
      if (u == 0.0) continue;
      for (Index i = j + 1; i <= last_row; ++i) at(i, k) -= at(i, j) * u;
    }
  }
  return true;
}

void BandFactor::solve_general(double* x) const {
  const Index lower = band_.lower, shift = lower + band_.upper, height = shift + lower + 1;
  for (Index j = 0; j < n_; ++j) {
    const Index pivot = rows_[static_cast<std::size_t>(j)];
    if (pivot != j) std::swap(x[j], x[pivot]);
    const double* column = entries_.data() + j * height + shift - j;
    for (Index i = j + 1; i <= std::min(n_ - 1, j + lower); ++i) x[i] -= column[i] * x[j];
  }
  for (Index j = n_ - 1; j >= 0; --j) {
    const double* column = entries_.data() + j * height + shift - j;
    x[j] *= inverse_pivots_[j];
    for (Index i = std::max<Index>(0, j - shift); i < j; ++i) x[i] -= column[i] * x[j];
  }
}

}  // namespace carom::inline base
