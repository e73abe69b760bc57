#include "carom/inclusion/block_sparse_delassus.h"

#include <algorithm>
#include <cmath>

namespace carom::inline inclusion {

void BlockSparseDelassus::begin(std::span<const RowRange> partition, bool symmetric) {
  partition_.assign(partition.begin(), partition.end());
  finish_partition();
  symmetric_ = symmetric;
  row_begin_.assign(1, 0);
  blocks_.clear();
  entries_.clear();
}

double* BlockSparseDelassus::add_block(Index b, Index j) {
  while (row_begin_.size() <= static_cast<std::size_t>(b)) row_begin_.push_back(blocks_.size());
  const Index data = entries_.size();
  blocks_.push_back({j, data});
  entries_.resize(data + block(b).rows * block(j).rows);
  return entries_.data() + data;
}

void BlockSparseDelassus::finish() {
  while (row_begin_.size() <= partition_.size()) row_begin_.push_back(blocks_.size());
  for (Index b = 0; b < block_count(); ++b)
    for (const Block& entry : row(b))
      if (entry.column == b) std::copy_n(entries(entry), block(b).rows * block(b).rows, diagonal_entries(b));
  finish_diagonal();
}

void BlockSparseDelassus::build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf) {
  set_partition(Wc);
  symmetric_ = &Wc == &Wf && A.symmetric();
  row_begin_.assign(1, 0);
  blocks_.clear();
  entries_.clear();
  gram_.begin(Wc, A, Wf);
  for (Index b = 0; b < Wc.block_count(); ++b)
    for (const Index j : gram_.row(b)) gram_.add(b, j, add_block(b, j));
  finish();
}

void BlockSparseDelassus::row_product(Index b, const double* lambda, double* y_b) const {
  const Index rows = block(b).rows;
  std::fill_n(y_b, rows, 0.0);
  for (const Block& entry : row(b)) {
    const RowRange& from = block(entry.column);
    const double* G = entries(entry);
    const double* x = lambda + from.row;
    if (rows == 3 && from.rows == 3) {
      for (Index i = 0; i < 3; ++i) y_b[i] += G[i] * x[0] + G[i + 3] * x[1] + G[i + 6] * x[2];
    } else {
      for (Index k = 0; k < from.rows; ++k, G += rows)
        for (Index i = 0; i < rows; ++i) y_b[i] += G[i] * x[k];
    }
  }
}

void BlockSparseDelassus::multiply(const double* lambda, double* y) const {
  for (Index b = 0; b < block_count(); ++b) row_product(b, lambda, y + block(b).row);
}

void BlockSparseDelassus::multiply_with_magnitude(const double* lambda, double* y, double* scale) const {
  std::fill_n(y, rows_, 0.0);
  for (Index b = 0; b < block_count(); ++b) {
    const RowRange& to = block(b);
    scale[b] = 0.0;
    for (const Block& entry : row(b)) {
      const RowRange& from = block(entry.column);
      const double* G = entries(entry);
      const double* x = lambda + from.row;
      double square = 0.0;
      for (Index i = 0; i < to.rows; ++i) {
        double part = 0.0;
        for (Index k = 0; k < from.rows; ++k) part += G[i + k * to.rows] * x[k];
        y[to.row + i] += part;
        square += part * part;
      }
      scale[b] += std::sqrt(square);
    }
  }
}

void BlockSparseDelassus::to_dense(double* G) const {
  std::fill_n(G, rows_ * rows_, 0.0);
  for (Index b = 0; b < block_count(); ++b)
    for (const Block& entry : row(b)) {
      const RowRange &to = block(b), &from = block(entry.column);
      for (Index k = 0; k < from.rows; ++k)
        std::copy_n(entries(entry) + k * to.rows, to.rows, G + (from.row + k) * rows_ + to.row);
    }
}

void BlockSparseDelassus::sweep_begin(const double* lambda, Buffer& running) const {
  running.resize(rows_);
  std::copy_n(lambda, rows_, running.data());
}

void BlockSparseDelassus::sweep_product(Index b, const Buffer& running, double* y_b) const {
  row_product(b, running.data(), y_b);
}

void BlockSparseDelassus::sweep_update(Index b, const double* change, Buffer& running) const {
  for (Index i = 0; i < block(b).rows; ++i) running[block(b).row + i] += change[i];
}

}  // namespace carom::inline inclusion
