#include "carom/inclusion/dense_delassus.h"

#include <algorithm>
#include <cmath>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/laws/law.h"

namespace carom {

void DenseDelassus::build(const ConstraintJacobian& Wc, const IterationMatrix& A,
                          const ConstraintJacobian& Wf) {
  if (is_of(Wc, A, Wf)) return;
  set_partition(Wc);
  factor_stamp_ = A.stamp();
  symmetric_ = A.symmetric() && (&Wc == &Wf || (factor_stamp_ != 0 && Wc == Wf));
  if (factor_stamp_ != 0) {
    Wc_ = Wc;
    Wf_ = Wf;
  }
  entries_.resize(rows_ * rows_);
  if (A.structure() == Structure::block_diagonal)
    build_by_blocks(Wc, A, Wf);
  else
    build_by_columns(Wc, A, Wf);
  copy_diagonal();
}

bool DenseDelassus::is_of(const ConstraintJacobian& Wc, const IterationMatrix& A,
                          const ConstraintJacobian& Wf) const {
  return factor_stamp_ != 0 && A.stamp() == factor_stamp_ && Wc_ == Wc && Wf_ == Wf;
}

// All columns of A^-1 Wf at once: A couples everything.
void DenseDelassus::build_by_columns(const ConstraintJacobian& Wc, const IterationMatrix& A,
                                     const ConstraintJacobian& Wf) {
  const Index nv = A.size();
  Wf.to_columns(nv, columns_);
  A.solve(columns_.data(), rows_);
  Wc.transpose_multiply(columns_.data(), nv, rows_, entries_.data());
}

// One column after the other through a velocity that is zero outside the bodies the column touches.
void DenseDelassus::build_by_blocks(const ConstraintJacobian& Wc, const IterationMatrix& A,
                                    const ConstraintJacobian& Wf) {
  constexpr Index size = StructuredMatrix::block_size;
  columns_.assign(2 * A.size(), 0.0);
  double* force = columns_.data();
  double* velocity = force + A.size();
  for (Index b = 0; b < Wf.block_count(); ++b) {
    const ConstraintJacobian::Block& block = Wf.block(b);
    for (Index r = 0; r < block.rows; ++r) {
      for (Index s = block.segment_begin; s < block.segment_end; ++s) {
        const ConstraintJacobian::Segment& segment = Wf.segment(s);
        const double* row = Wf.entries(segment) + r * segment.size;
        for (Index i = 0; i < segment.size; ++i) force[segment.offset + i] += row[i];
      }
      const auto touched = [&](auto&& act) {
        for (Index s = block.segment_begin; s < block.segment_end; ++s) {
          const ConstraintJacobian::Segment& segment = Wf.segment(s);
          const Index end = (segment.offset + segment.size + size - 1) / size;
          for (Index k = segment.offset / size; k < end; ++k) act(k);
        }
      };
      touched([&](Index k) {
        Eigen::Map<Vector3>(velocity + size * k) =
            A.inverse_blocks()[k] * Eigen::Map<const Vector3>(force + size * k);
      });
      Wc.transpose_multiply(velocity, entries_.data() + (block.row + r) * rows_);
      touched([&](Index k) {
        std::fill_n(force + size * k, size, 0.0);
        std::fill_n(velocity + size * k, size, 0.0);
      });
    }
  }
}

void DenseDelassus::assign(Index rows, std::span<const RowRange> partition, const double* G,
                           bool symmetric) {
  factor_stamp_ = 0;
  partition_.assign(partition.begin(), partition.end());
  finish_partition();
  symmetric_ = symmetric;
  entries_.resize(rows * rows);
  std::copy_n(G, static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows), entries_.data());
  copy_diagonal();
}

void DenseDelassus::copy_diagonal() {
  for (Index b = 0; b < block_count(); ++b) {
    const RowRange& range = block(b);
    double* out = diagonal_entries(b);
    for (Index j = 0; j < range.rows; ++j, out += range.rows)
      std::copy_n(entries_.data() + (range.row + j) * rows_ + range.row, range.rows, out);
  }
  finish_diagonal();
}

void DenseDelassus::multiply(const double* lambda, double* y) const {
  std::fill_n(y, rows_, 0.0);
  const double* column = entries_.data();
  for (Index j = 0; j < rows_; ++j, column += rows_) {
    const double x = lambda[j];
    if (x == 0.0) continue;
    for (Index i = 0; i < rows_; ++i) y[i] += column[i] * x;
  }
}

namespace {

// y = sum_j G_bj lambda_j, and the sum of the norms of its parts. R > 0: rows of the block known to the
// compiler.
template <int R>
double row_product(const double* G, Index stride, Index rows_runtime, const std::vector<RowRange>& partition,
                   const double* lambda, double* y) {
  const Index rows = R > 0 ? R : rows_runtime;
  constexpr Index most = R > 0 ? R : Law::max_dim;
  double sum[most] = {}, magnitude = 0.0;
  for (const RowRange& from : partition) {
    double part[most] = {};
    bool zero = true;
    for (Index k = from.row; k < from.row + from.rows; ++k) {
      if (lambda[k] == 0.0) continue;
      zero = false;
      for (Index i = 0; i < rows; ++i) part[i] += G[i + k * stride] * lambda[k];
    }
    if (zero) continue;
    double square = 0.0;
    for (Index i = 0; i < rows; ++i) {
      sum[i] += part[i];
      square += part[i] * part[i];
    }
    magnitude += R == 1 ? std::abs(part[0]) : std::sqrt(square);
  }
  for (Index i = 0; i < rows; ++i) y[i] = sum[i];
  return magnitude;
}

}  // namespace

void DenseDelassus::multiply_with_magnitude(const double* lambda, double* y, double* scale) const {
  for (Index b = 0; b < block_count(); ++b) {
    const RowRange& to = block(b);
    const double* G = entries_.data() + to.row;
    double* out = y + to.row;
    switch (to.rows) {
      case 1: scale[b] = row_product<1>(G, rows_, 1, partition_, lambda, out); break;
      case 2: scale[b] = row_product<2>(G, rows_, 2, partition_, lambda, out); break;
      case 3: scale[b] = row_product<3>(G, rows_, 3, partition_, lambda, out); break;
      default: scale[b] = row_product<0>(G, rows_, to.rows, partition_, lambda, out);
    }
  }
}

void DenseDelassus::to_dense(double* G) const { std::copy(entries_.begin(), entries_.end(), G); }

void DenseDelassus::to_block_sparse(BlockSparseDelassus& out) const {
  out.begin(partition_, symmetric_);
  for (Index b = 0; b < block_count(); ++b)
    for (Index j = 0; j < block_count(); ++j) {
      double* G = out.add_block(b, j);
      for (Index k = 0; k < block(j).rows; ++k, G += block(b).rows)
        std::copy_n(entries_.data() + (block(j).row + k) * rows_ + block(b).row, block(b).rows, G);
    }
  out.finish();
}

// running = G lambda
void DenseDelassus::sweep_begin(const double* lambda, Buffer& running) const {
  running.resize(rows_);
  multiply(lambda, running.data());
}

void DenseDelassus::sweep_product(Index b, const Buffer& running, double* y_b) const {
  std::copy_n(running.data() + block(b).row, block(b).rows, y_b);
}

void DenseDelassus::sweep_update(Index b, const double* change, Buffer& running) const {
  const RowRange& range = block(b);
  double* y = running.data();
  for (Index k = 0; k < range.rows; ++k) {
    const double* column = entries_.data() + (range.row + k) * rows_;
    for (Index i = 0; i < rows_; ++i) y[i] += column[i] * change[k];
  }
}

}  // namespace carom
