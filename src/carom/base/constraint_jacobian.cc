#include "carom/base/constraint_jacobian.h"

#include <algorithm>

#include "carom/base/scalar_code.h"

namespace carom::inline base {

namespace {

// Y (+)= W' X and y += W lambda of one segment; N > 0: its width is known to the compiler. Planar
// bodies and small mechanisms have 3 velocities a segment, spatial bodies 6.
template <int N>
CAROM_SCALAR_CODE void transpose_product(const double* W, Index rows, Index width, const double* X, Index stride,
                                         Index columns, bool add, double* Y, Index ld) {
  const Index n = N > 0 ? N : width;
  double known_size[N > 0 ? N : 1];  // stays in registers, where Y might overlap X
  for (Index c = 0; c < columns; ++c, X += stride, Y += ld) {
    for (Index i = 0; i < N; ++i) known_size[i] = X[i];
    const double* x = N > 0 ? known_size : X;
    const double* row = W;
    for (Index r = 0; r < rows; ++r, row += n) {
      double sum = 0.0;
      for (Index i = 0; i < n; ++i) sum += row[i] * x[i];
      Y[r] = add ? Y[r] + sum : sum;
    }
  }
}

// One column and three velocities: planar bodies.
inline void transpose_product_3(const double* row, Index rows, const double* v, bool add, double* gamma) {
  const double x = v[0], y = v[1], z = v[2];
  if (rows == 2) {  // joints and contacts in the plane
    const double a = row[0] * x + row[1] * y + row[2] * z, b = row[3] * x + row[4] * y + row[5] * z;
    gamma[0] = add ? gamma[0] + a : a;
    gamma[1] = add ? gamma[1] + b : b;
    return;
  }
  for (Index r = 0; r < rows; ++r, row += 3) {
    const double sum = row[0] * x + row[1] * y + row[2] * z;
    gamma[r] = add ? gamma[r] + sum : sum;
  }
}

inline void add_product_3(const double* row, Index rows, const double* lambda, double* y) {
  double a = y[0], b = y[1], c = y[2];
  if (rows == 2) {
    const double k = lambda[0], l = lambda[1];
    y[0] = a + row[0] * k + row[3] * l;
    y[1] = b + row[1] * k + row[4] * l;
    y[2] = c + row[2] * k + row[5] * l;
    return;
  }
  for (Index r = 0; r < rows; ++r, row += 3) {
    const double l = lambda[r];
    a += row[0] * l;
    b += row[1] * l;
    c += row[2] * l;
  }
  y[0] = a;
  y[1] = b;
  y[2] = c;
}

template <int N>
void add_product(const double* row, Index rows, Index width, const double* lambda, double* y) {
  const Index n = N > 0 ? N : width;
  for (Index r = 0; r < rows; ++r, row += n)
    for (Index i = 0; i < n; ++i) y[i] += row[i] * lambda[r];
}

inline void add_segment_product(const double* W, Index rows, Index width, const double* lambda, double* y) {
  switch (width) {
    case 1: return add_product<1>(W, rows, 1, lambda, y);
    case 3: return add_product_3(W, rows, lambda, y);
    case 6: return add_product<6>(W, rows, 6, lambda, y);
    default: return add_product<0>(W, rows, width, lambda, y);
  }
}

}  // namespace

// Y = W_b' X, columns of X and Y `stride` and `ld` apart.
void ConstraintJacobian::transpose_multiply(const Block& blk, const double* X, Index stride, Index columns, double* Y,
                                            Index ld) const {
  if (blk.segment_begin == blk.segment_end)
    for (Index c = 0; c < columns; ++c) std::fill_n(Y + c * ld, blk.rows, 0.0);
  for (Index s = blk.segment_begin; s < blk.segment_end; ++s) {
    const Segment& seg = segment(s);
    const double* x = X + seg.offset;
    const bool add = s > blk.segment_begin;
    switch (seg.size) {
      case 1: transpose_product<1>(entries(seg), blk.rows, 1, x, stride, columns, add, Y, ld); break;
      case 3: transpose_product<3>(entries(seg), blk.rows, 3, x, stride, columns, add, Y, ld); break;
      case 6: transpose_product<6>(entries(seg), blk.rows, 6, x, stride, columns, add, Y, ld); break;
      default: transpose_product<0>(entries(seg), blk.rows, seg.size, x, stride, columns, add, Y, ld);
    }
  }
}

void ConstraintJacobian::transpose_multiply(Index b, const double* v, double* gamma) const {
  transpose_multiply(block(b), v, 0, 1, gamma, 0);
}

void ConstraintJacobian::transpose_multiply(const double* v, double* gamma) const {
  const Segment* segments = segments_.data();
  const double* all = entries_.data();
  for (const Block& blk : blocks_) {
    bool narrow = blk.segment_begin < blk.segment_end;
    for (Index s = blk.segment_begin; s < blk.segment_end; ++s) narrow = narrow && segments[s].size == 3;
    if (!narrow) {
      transpose_multiply(blk, v, 0, 1, gamma + blk.row, 0);
      continue;
    }
    for (Index s = blk.segment_begin; s < blk.segment_end; ++s)
      transpose_product_3(all + segments[s].data, blk.rows, v + segments[s].offset, s > blk.segment_begin,
                          gamma + blk.row);
  }
}

void ConstraintJacobian::transpose_multiply(const double* X, Index stride, Index columns, double* Y) const {
  for (const Block& blk : blocks_) transpose_multiply(blk, X, stride, columns, Y + blk.row, rows_);
}

void ConstraintJacobian::multiply_add(Index b, const double* lambda, double* y) const {
  const Block& blk = block(b);
  for (Index s = blk.segment_begin; s < blk.segment_end; ++s) {
    const Segment& seg = segment(s);
    add_segment_product(entries(seg), blk.rows, seg.size, lambda, y + seg.offset);
  }
}

void ConstraintJacobian::multiply_add(const double* lambda, double* y) const {
  for (Index b = 0; b < block_count(); ++b) {
    const Block& blk = block(b);
    const double* l = lambda + blk.row;
    for (Index s = blk.segment_begin; s < blk.segment_end; ++s) {
      const Segment& seg = segment(s);
      add_segment_product(entries(seg), blk.rows, seg.size, l, y + seg.offset);
    }
  }
}

bool ConstraintJacobian::operator==(const ConstraintJacobian& other) const {
  return used_ == other.used_ && blocks_ == other.blocks_ && segments_ == other.segments_ &&
         std::equal(entries_.data(), entries_.data() + used_, other.entries_.data());
}

void ConstraintJacobian::to_columns(Index nv, Buffer& columns) const {
  columns.assign(nv * rows_, 0.0);
  for (const Block& block : blocks_)
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const double* row = entries(segment(s));
      const auto [offset, size, data] = segment(s);
      for (Index r = 0; r < block.rows; ++r, row += size) {
        double* column = columns.data() + (block.row + r) * nv + offset;
        for (Index i = 0; i < size; ++i) column[i] += row[i];  // segments may overlap
      }
    }
}

void ConstraintJacobian::append_leading_rows(const ConstraintJacobian& other, Index b, Index rows) {
  const Block& source = other.block(b);
  add_block(rows);
  for (Index s = source.segment_begin; s < source.segment_end; ++s) {
    const Segment& seg = other.segment(s);
    std::copy_n(other.entries(seg), rows * seg.size, add_segment(seg.offset, seg.size));
  }
}

void ConstraintJacobian::append(const ConstraintJacobian& other) {
  for (Index b = 0; b < other.block_count(); ++b) append_leading_rows(other, b, other.block(b).rows);
}

void ConstraintJacobian::assign_leading_rows(const ConstraintJacobian& other, std::span<const Index> blocks,
                                             std::span<const Index> rows) {
  clear();
  for (std::size_t k = 0; k < blocks.size(); ++k) append_leading_rows(other, blocks[k], rows[k]);
}

}  // namespace carom::inline base
