#include "carom/base/saddle_point.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

void SaddlePoint::set(const ConstraintJacobian& W, const IterationMatrix& A) {
  rows_ = W.rows();
  gram_.begin(W, A, W);
  sizes_.clear();
  row_.clear();
  columns_.clear();
  data_.clear();
  row_begin_.assign(1, 0);
  Index used = 0;
  for (Index b = 0; b < W.block_count(); ++b) {
    sizes_.push_back(W.block(b).rows);
    row_.push_back(W.block(b).row);
    for (const Index j : gram_.row(b)) {
      columns_.push_back(j);
      data_.push_back(used);
      used += W.block(b).rows * W.block(j).rows;
    }
    row_begin_.push_back(columns_.size());
  }
  entries_.assign(used, 0.0);
  root_.assign(rows_, 1.0);
  for (Index b = 0; b < W.block_count(); ++b)
    for (std::size_t k = row_begin_[at(b)]; k < row_begin_[at(b) + 1]; ++k) {
      double* S = entries_.data() + data_[k];
      gram_.add(b, columns_[k], S);
      if (columns_[k] != b) continue;
      for (Index i = 0; i < sizes_[at(b)]; ++i)
        if (const double own = S[i + i * sizes_[at(b)]]; own > 0.0) root_[row_[at(b)] + i] = std::sqrt(own);
    }
  for (Index b = 0; b < W.block_count(); ++b)
    for (std::size_t k = row_begin_[at(b)]; k < row_begin_[at(b) + 1]; ++k) {
      const Index j = columns_[k], rows = sizes_[at(b)];
      double* S = entries_.data() + data_[k];
      for (Index c = 0; c < sizes_[at(j)]; ++c)
        for (Index i = 0; i < rows; ++i) S[i + c * rows] /= root_[row_[at(b)] + i] * root_[row_[at(j)] + c];
    }
  solve_.lu.set_pattern(sizes_, row_begin_, columns_);
}

bool SaddlePoint::solve(const double* b, double* lambda) {
  solve_.right_side.resize(rows_);
  for (Index i = 0; i < rows_; ++i) solve_.right_side[i] = b[i] / root_[i];
  const bool solved = solve_.solve([this](double delta) { fill(delta); }, [this] { return remaining(); });
  for (Index i = 0; i < rows_; ++i) lambda[i] = solve_.solution[i] / root_[i];
  return solved;
}

void SaddlePoint::fill(double delta) {
  solve_.lu.set_zero();
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    for (std::size_t k = row_begin_[b]; k < row_begin_[b + 1]; ++k) {
      double* out = solve_.lu.block(k);
      const double* S = entries_.data() + data_[k];
      for (Index i = 0; i < sizes_[b] * sizes_[at(columns_[k])]; ++i) out[i] += S[i];
    }
    double* diagonal = solve_.lu.diagonal(static_cast<Index>(b));
    for (Index i = 0; i < sizes_[b]; ++i) diagonal[i + i * sizes_[b]] += delta;
  }
}

double SaddlePoint::remaining() {
  solve_.remainder = solve_.right_side;
  for (std::size_t b = 0; b < sizes_.size(); ++b)
    for (std::size_t k = row_begin_[b]; k < row_begin_[b + 1]; ++k) {
      const std::size_t j = at(columns_[k]);
      const double* S = entries_.data() + data_[k];
      for (Index c = 0; c < sizes_[j]; ++c)
        for (Index i = 0; i < sizes_[b]; ++i) solve_.remainder[row_[b] + i] -= S[i + c * sizes_[b]] * solve_.solution[row_[j] + c];
    }
  return std::sqrt(solve_.remainder.vec().squaredNorm());
}

}  // namespace carom
