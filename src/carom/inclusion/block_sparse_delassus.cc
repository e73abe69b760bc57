#include "carom/inclusion/block_sparse_delassus.h"

#include <algorithm>
#include <cmath>

namespace carom {

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
      if (entry.column == b)
        std::copy_n(entries(entry), block(b).rows * block(b).rows, diagonal_entries(b));
  finish_diagonal();
}

namespace {

constexpr Index size = StructuredMatrix::block_size;

// The part of G_bj that goes through common 3-blocks of velocities of one segment of each.
void add_product(const ConstraintJacobian& Wc, const ConstraintJacobian::Segment& sb, Index rows_b,
                 const Matrix3* inverse, const ConstraintJacobian& Wf,
                 const ConstraintJacobian::Segment& sj, Index rows_j, double* G) {
  const Index begin = std::max(sb.offset, sj.offset);
  const Index end = std::min(sb.offset + sb.size, sj.offset + sj.size);
  for (Index k = begin; k < end; k += size)
    for (Index c = 0; c < rows_j; ++c) {
      const double* w = Wf.entries(sj) + c * sj.size + (k - sj.offset);
      const Vector3 velocity = inverse[k / size] * Eigen::Map<const Vector3>(w);
      for (Index r = 0; r < rows_b; ++r)
        G[r + c * rows_b] +=
            velocity.dot(Eigen::Map<const Vector3>(Wc.entries(sb) + r * sb.size + (k - sb.offset)));
    }
}

}  // namespace

void BlockSparseDelassus::build(const ConstraintJacobian& Wc, const IterationMatrix& A,
                                const ConstraintJacobian& Wf) {
  set_partition(Wc);
  symmetric_ = &Wc == &Wf && A.symmetric();
  row_begin_.assign(1, 0);
  blocks_.clear();
  entries_.clear();

  // Which constraints of Wf touch which 3-block of velocities.
  touching_.resize(std::max(touching_.size(), static_cast<std::size_t>(A.size() / size)));
  for (auto& list : touching_) list.clear();
  for (Index j = 0; j < Wf.block_count(); ++j)
    for (Index s = Wf.block(j).segment_begin; s < Wf.block(j).segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = Wf.segment(s);
      for (Index k = segment.offset; k < segment.offset + segment.size; k += size)
        touching_[static_cast<std::size_t>(k / size)].push_back(j);
    }

  for (Index b = 0; b < Wc.block_count(); ++b) {
    const ConstraintJacobian::Block& at = Wc.block(b);
    neighbours_.clear();
    for (Index s = at.segment_begin; s < at.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = Wc.segment(s);
      for (Index k = segment.offset; k < segment.offset + segment.size; k += size) {
        const auto& list = touching_[static_cast<std::size_t>(k / size)];
        neighbours_.insert(neighbours_.end(), list.begin(), list.end());
      }
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    for (const Index j : neighbours_) {
      double* G = add_block(b, j);
      const ConstraintJacobian::Block& to = Wf.block(j);
      for (Index s = at.segment_begin; s < at.segment_end; ++s)
        for (Index t = to.segment_begin; t < to.segment_end; ++t)
          add_product(Wc, Wc.segment(s), at.rows, A.inverse_blocks(), Wf, Wf.segment(t), to.rows, G);
    }
  }
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

}  // namespace carom
