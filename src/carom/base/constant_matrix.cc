#include "carom/base/constant_matrix.h"

#include <algorithm>
#include <set>

#include "carom/base/errors.h"

namespace carom::inline base {

namespace {

// Diagonals are worth their zeros up to this many stored numbers per entry.
constexpr double most_padding = 2.0;

// y_i += factor (lower_i x_{i-1} + middle_i x_i + upper_i x_{i+1}), the first and last row apart.
void tridiagonal_multiply_add(Index n, double factor, const double* __restrict lower, const double* __restrict middle,
                              const double* __restrict upper, const double* __restrict x, double* __restrict y) {
  if (n == 1) {
    y[0] += factor * middle[0] * x[0];
    return;
  }
  y[0] += factor * (middle[0] * x[0] + upper[0] * x[1]);
  for (Index i = 1; i < n - 1; ++i) y[i] += factor * (lower[i] * x[i - 1] + middle[i] * x[i] + upper[i] * x[i + 1]);
  y[n - 1] += factor * (lower[n - 1] * x[n - 2] + middle[n - 1] * x[n - 1]);
}

}  // namespace

void sparse_multiply_add(const Eigen::SparseMatrix<double>& A, double factor, const double* x, double* y) {
  for (Eigen::Index j = 0; j < A.outerSize(); ++j) {
    const double scaled = factor * x[j];
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, j); entry; ++entry)
      y[entry.row()] += entry.value() * scaled;
  }
}

ConstantMatrix::ConstantMatrix(Sparse A) : A_(std::move(A)) {
  if (A_.rows() != A_.cols()) throw LogicError("a constant matrix of a structure is square");
  A_.makeCompressed();
  std::set<Index> offsets;
  for (Index j = 0; j < size(); ++j)
    for (Sparse::InnerIterator entry(A_, j); entry; ++entry) offsets.insert(j - static_cast<Index>(entry.row()));
  if (offsets.empty() ||
      static_cast<double>(offsets.size()) * size() > most_padding * static_cast<double>(A_.nonZeros()))
    return;
  if (*offsets.begin() >= -1 && *offsets.rbegin() <= 1) offsets = {-1, 0, 1};  // one kernel for these
  offsets_.assign(offsets.begin(), offsets.end());
  diagonals_.assign(static_cast<Index>(offsets_.size()) * size(), 0.0);
  for (Index j = 0; j < size(); ++j)
    for (Sparse::InnerIterator entry(A_, j); entry; ++entry) {
      const Index i = static_cast<Index>(entry.row());
      const auto k = std::lower_bound(offsets_.begin(), offsets_.end(), j - i) - offsets_.begin();
      diagonals_[static_cast<Index>(k) * size() + i] = entry.value();
    }
}

void ConstantMatrix::multiply_add(double factor, const double* x, double* y) const {
  if (!by_diagonals()) return sparse_multiply_add(A_, factor, x, y);
  const Index n = size();
  const double* d = diagonals_.data();
  if (offsets_.size() == 3 && offsets_.front() == -1)
    return tridiagonal_multiply_add(n, factor, d, d + n, d + 2 * n, x, y);
  // By pieces of rows that stay in the nearest cache while all diagonals pass.
  constexpr Index piece = 512;
  for (Index begin = 0; begin < n; begin += piece) {
    const Index end = std::min(n, begin + piece);
    for (std::size_t k = 0; k < offsets_.size(); ++k) {
      const double* entries = d + static_cast<Index>(k) * n;
      const double* shifted = x + offsets_[k];
      const Index last = std::min(end, n - offsets_[k]);
      for (Index i = std::max(begin, -offsets_[k]); i < last; ++i) y[i] += factor * (entries[i] * shifted[i]);
    }
  }
}

double ConstantMatrix::bilinear(const double* x, const double* y) const {
  double sum = 0.0;
  for (Index j = 0; j < size(); ++j) {
    double column = 0.0;
    for (Sparse::InnerIterator entry(A_, j); entry; ++entry) column += x[entry.row()] * entry.value();
    sum += column * y[j];
  }
  return sum;
}

}  // namespace carom::inline base
