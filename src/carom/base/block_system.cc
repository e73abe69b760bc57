#include "carom/base/block_system.h"

#include <cmath>

#include "carom/base/at.h"

namespace carom::inline base {

void BlockSystem::set_pattern(std::span<const Index> sizes, std::span<const std::size_t> begin,
                              std::span<const Index> columns) {
  sizes_.assign(sizes.begin(), sizes.end());
  row_begin_.assign(begin.begin(), begin.end());
  columns_.assign(columns.begin(), columns.end());
  row_.clear();
  data_.clear();
  rows_ = 0;
  Index used = 0;
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    row_.push_back(rows_);
    rows_ += sizes_[b];
    for (std::size_t k = row_begin_[b]; k < row_begin_[b + 1]; ++k) {
      data_.push_back(used);
      used += sizes_[b] * sizes_[at(columns_[k])];
    }
  }
  entries_.assign(used, 0.0);
  solve_.lu.set_pattern(sizes_, row_begin_, columns_);
}

void BlockSystem::scale(const Buffer& root) {
  root_ = root;
  for (std::size_t b = 0; b < sizes_.size(); ++b)
    for (std::size_t k = row_begin_[b]; k < row_begin_[b + 1]; ++k) {
      const Index j = columns_[k], rows = sizes_[b];
      double* A = entries_.data() + data_[k];
      for (Index c = 0; c < sizes_[at(j)]; ++c)
        for (Index i = 0; i < rows; ++i) A[i + c * rows] /= root_[row_[b] + i] * root_[row_[at(j)] + c];
    }
}

bool BlockSystem::solve(const double* b, double* x) {
  solve_.right_side.resize(rows_);
  for (Index i = 0; i < rows_; ++i) solve_.right_side[i] = b[i] / root_[i];
  const bool solved = solve_.solve([this](double delta) { fill(delta); }, [this] { return remaining(); });
  for (Index i = 0; i < rows_; ++i) x[i] = solve_.solution[i] / root_[i];
  return solved;
}

void BlockSystem::fill(double delta) {
  solve_.lu.set_zero();
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    for (std::size_t k = row_begin_[b]; k < row_begin_[b + 1]; ++k) {
      double* out = solve_.lu.block(k);
      const double* A = entries_.data() + data_[k];
      for (Index i = 0; i < sizes_[b] * sizes_[at(columns_[k])]; ++i) out[i] += A[i];
    }
    double* diagonal = solve_.lu.diagonal(static_cast<Index>(b));
    for (Index i = 0; i < sizes_[b]; ++i) diagonal[i + i * sizes_[b]] += delta;
  }
}

double BlockSystem::remaining() {
  solve_.remainder = solve_.right_side;
  for (std::size_t b = 0; b < sizes_.size(); ++b)
    for (std::size_t k = row_begin_[b]; k < row_begin_[b + 1]; ++k) {
      const std::size_t j = at(columns_[k]);
      const double* A = entries_.data() + data_[k];
      for (Index c = 0; c < sizes_[j]; ++c)
        for (Index i = 0; i < sizes_[b]; ++i)
          solve_.remainder[row_[b] + i] -= A[i + c * sizes_[b]] * solve_.solution[row_[j] + c];
    }
  return std::sqrt(solve_.remainder.vec().squaredNorm());
}

}  // namespace carom::inline base
