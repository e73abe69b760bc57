#include "carom/inclusion/shaped_bodies.h"

#include <cmath>

#include "carom/base/constraint_jacobian.h"

namespace carom::inline inclusion {

namespace {

bool is_multiple_of_identity(const Matrix3& M) { return M == M(0, 0) * Matrix3::Identity(); }

// |A|_2 <= sqrt(|A|_1 |A|_inf), sharp for multiples of the identity; as the operator has it (matrix_free_delassus.cc).
double norm(const Matrix3& A) {
  const auto absolute = A.cwiseAbs();
  return std::sqrt(absolute.colwise().sum().maxCoeff() * absolute.rowwise().sum().maxCoeff());
}

}  // namespace

bool find_shaped_bodies(const DelassusFactors& factors, Index b, std::int32_t ground, ContactOrder::Pair& pair) {
  const ConstraintJacobian& W = *factors.W;
  const ConstraintJacobian::Block& block = W.block(b);
  const Index segments = block.segment_end - block.segment_begin;
  if (segments < 1 || segments > 2) return false;
  std::int32_t body[2] = {ground, ground};
  for (Index s = 0; s < segments; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(block.segment_begin + s);
    if (segment.size != ShapedBody::velocities || segment.offset % ShapedBody::velocities != 0) return false;
    body[s] = static_cast<std::int32_t>(segment.offset / ShapedBody::velocities);
    if (!is_multiple_of_identity(factors.inverse_blocks[2 * body[s]])) return false;
  }
  pair = {body[0], body[1]};
  return body[0] != body[1];
}

ShapedBody shaped_body(const DelassusFactors& factors, std::size_t body) {
  const Matrix3 &linear = factors.inverse_blocks[2 * body], &I = factors.inverse_blocks[2 * body + 1];
  ShapedBody made{};
  made.velocity[3] = linear(0, 0);
  made.spin[3] = norm(I);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) made.inverse_inertia[j][i] = I(i, j);
  return made;
}

bool find_shaped_entries(const DelassusFactors& factors, Index b, const double* (&entries)[2]) {
  const ConstraintJacobian& W = *factors.W;
  const ConstraintJacobian::Block& block = W.block(b);
  entries[0] = W.entries(W.segment(block.segment_begin));
  entries[1] = block.segment_end - block.segment_begin == 2 ? W.entries(W.segment(block.segment_begin + 1)) : nullptr;
  if (entries[1] == nullptr) return true;
  for (Index r = 0; r < block.rows; ++r)
    for (Index i = 6 * r; i < 6 * r + 3; ++i)
      if (entries[0][i] != -entries[1][i]) return false;
  return true;
}

}  // namespace carom::inline inclusion
