#include "carom/inclusion/dense_delassus.h"

#include <algorithm>
#include <cmath>

#include "carom/base/scalar_code.h"
#include "carom/base/segment_gram.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/laws/law.h"

namespace carom::inline inclusion {

void DenseDelassus::build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf) {
  if (is_of(Wc, A, Wf)) return;
  set_partition(Wc);
  factor_stamp_ = A.stamp();
  symmetric_ = A.symmetric() && (&Wc == &Wf || (factor_stamp_ != 0 && Wc == Wf));
  if (factor_stamp_ != 0) {
    Wc_ = Wc;
    Wf_ = Wf;
  }
  entries_.resize(rows_ * rows_);
  if (A.structure() != Structure::block_diagonal)
    build_by_columns(Wc, A, Wf);
  else if (!segment_gram(Wc, A.inverse_blocks(), Wf, symmetric_, columns_, entries_.data()))
    build_by_blocks(Wc, A, Wf);
  copy_diagonal();
}

bool DenseDelassus::is_of(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf) const {
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

namespace {

constexpr Index block_size = StructuredMatrix::block_size;

// act(k) for every 3-block of velocities a constraint touches; a block may come twice.
template <class Act>
void each_touched(const ConstraintJacobian& W, const ConstraintJacobian::Block& block, Act act) {
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    const Index end = (segment.offset + segment.size + block_size - 1) / block_size;
    for (Index k = segment.offset / block_size; k < end; ++k) act(k);
  }
}

bool touch_a_common_block(const ConstraintJacobian& Wc, const ConstraintJacobian::Block& c,
                          const ConstraintJacobian& Wf, const ConstraintJacobian::Block& f) {
  for (Index s = c.segment_begin; s < c.segment_end; ++s)
    for (Index t = f.segment_begin; t < f.segment_end; ++t) {
      const ConstraintJacobian::Segment &a = Wc.segment(s), &b = Wf.segment(t);
      if (a.offset / block_size <= (b.offset + b.size - 1) / block_size &&
          b.offset / block_size <= (a.offset + a.size - 1) / block_size)
        return true;
    }
  return false;
}

// Rows of 3-blocks, none touched twice: the common constraint of bodies.
bool plain(const ConstraintJacobian& W, const ConstraintJacobian::Block& block) {
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& a = W.segment(s);
    if (a.offset % block_size != 0 || a.size % block_size != 0) return false;
    for (Index t = block.segment_begin; t < s; ++t)
      if (const ConstraintJacobian::Segment& b = W.segment(t);
          a.offset < b.offset + b.size && b.offset < a.offset + a.size)
        return false;
  }
  return true;
}

void multiply(const Matrix3& A, const double* x, double* y) {
  const double* a = A.data();
  for (int i = 0; i < 3; ++i) y[i] = a[i] * x[0] + a[i + 3] * x[1] + a[i + 6] * x[2];
}

// velocity(r) = A^-1 w_r of the rows r of a constraint, columns n apart; `force` is scratch, zero before and after.
void respond(const ConstraintJacobian& W, const ConstraintJacobian::Block& block, const Matrix3* inverse, Index n,
             double* force, double* velocity) {
  const bool direct = plain(W, block);
  for (Index r = 0; r < block.rows; ++r, velocity += n) {
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      const double* row = W.entries(segment) + r * segment.size;
      if (direct)
        for (Index i = 0; i < segment.size; i += block_size)
          multiply(inverse[(segment.offset + i) / block_size], row + i, velocity + segment.offset + i);
      else
        for (Index i = 0; i < segment.size; ++i) force[segment.offset + i] += row[i];
    }
    if (direct) continue;
    each_touched(W, block, [&](Index k) { multiply(inverse[k], force + block_size * k, velocity + block_size * k); });
    each_touched(W, block, [&](Index k) { std::fill_n(force + block_size * k, block_size, 0.0); });
  }
}

}  // namespace

// The velocities that the rows of one constraint make, zero outside the bodies it touches, seen by those that touch
// them too.
void DenseDelassus::build_by_blocks(const ConstraintJacobian& Wc, const IterationMatrix& A,
                                    const ConstraintJacobian& Wf) {
  const Index n = A.size();
  columns_.assign((1 + Law::max_dim) * n, 0.0);
  double* force = columns_.data();
  double* velocity = force + n;
  for (Index b = 0; b < Wf.block_count(); ++b) {
    const ConstraintJacobian::Block& block = Wf.block(b);
    respond(Wf, block, A.inverse_blocks(), n, force, velocity);
    double* columns = entries_.data() + block.row * rows_;
    for (Index j = 0; j < Wc.block_count(); ++j) {
      const ConstraintJacobian::Block& to = Wc.block(j);
      if (touch_a_common_block(Wc, to, Wf, block)) {
        Wc.transpose_multiply(to, velocity, n, block.rows, columns + to.row, rows_);
        continue;
      }
      for (Index r = 0; r < block.rows; ++r)
        for (Index i = 0; i < to.rows; ++i) columns[to.row + i + r * rows_] = 0.0;
    }
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const Index begin = Wf.segment(s).offset / block_size * block_size;
      const Index end = (Wf.segment(s).offset + Wf.segment(s).size + block_size - 1) / block_size * block_size;
      for (Index r = 0; r < block.rows; ++r)
        for (Index i = begin; i < end; ++i) velocity[r * n + i] = 0.0;
    }
  }
}

void DenseDelassus::assign(Index rows, std::span<const RowRange> partition, const double* G, bool symmetric) {
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
CAROM_SCALAR_CODE double row_product(const double* G, Index stride, Index rows_runtime,
                                     const std::vector<RowRange>& partition, const double* lambda, double* y) {
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

}  // namespace carom::inline inclusion
