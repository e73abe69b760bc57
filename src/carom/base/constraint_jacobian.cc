#include "carom/base/constraint_jacobian.h"

#include <algorithm>

namespace carom {

void ConstraintJacobian::transpose_multiply(Index b, const double* v, double* gamma) const {
  const Block& blk = block(b);
  for (Index r = 0; r < blk.rows; ++r) gamma[r] = 0.0;
  for (Index s = blk.segment_begin; s < blk.segment_end; ++s) {
    const Segment& seg = segment(s);
    const double* row = entries(seg);
    const double* x = v + seg.offset;
    for (Index r = 0; r < blk.rows; ++r, row += seg.size) {
      double sum = 0.0;
      for (Index i = 0; i < seg.size; ++i) sum += row[i] * x[i];
      gamma[r] += sum;
    }
  }
}

void ConstraintJacobian::transpose_multiply(const double* v, double* gamma) const {
  for (Index b = 0; b < block_count(); ++b) transpose_multiply(b, v, gamma + block(b).row);
}

void ConstraintJacobian::multiply_add(Index b, const double* lambda, double* y) const {
  const Block& blk = block(b);
  for (Index s = blk.segment_begin; s < blk.segment_end; ++s) {
    const Segment& seg = segment(s);
    const double* row = entries(seg);
    double* out = y + seg.offset;
    for (Index r = 0; r < blk.rows; ++r, row += seg.size)
      for (Index i = 0; i < seg.size; ++i) out[i] += row[i] * lambda[r];
  }
}

void ConstraintJacobian::multiply_add(const double* lambda, double* y) const {
  for (Index b = 0; b < block_count(); ++b) multiply_add(b, lambda + block(b).row, y);
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

void ConstraintJacobian::assign_leading_rows(const ConstraintJacobian& other,
                                             std::span<const Index> blocks,
                                             std::span<const Index> rows) {
  clear();
  for (std::size_t k = 0; k < blocks.size(); ++k) append_leading_rows(other, blocks[k], rows[k]);
}

}  // namespace carom
