// The blocks of W against a dense matrix with the same entries.
#include <gtest/gtest.h>

#include <array>

#include "carom/base/constraint_jacobian.h"

namespace carom {
namespace {

constexpr Index nv = 9;

// Three blocks: two rows on bodies 0 and 2, one row on everything, three rows on body 1.
ConstraintJacobian sample(Matrix& dense) {
  ConstraintJacobian W;
  dense = Matrix::Zero(6, nv);
  double next = 1.0;
  const auto segment = [&](Index row, Index rows, Index offset, Index size) {
    double* entries = W.add_segment(offset, size);
    for (Index r = 0; r < rows; ++r)
      for (Index i = 0; i < size; ++i) {
        EXPECT_EQ(entries[r * size + i], 0.0);
        dense(row + r, offset + i) = entries[r * size + i] = next;
        next += 1.0;
      }
  };
  W.add_block(2);
  segment(0, 2, 0, 3);
  segment(0, 2, 6, 3);
  W.add_block(1);
  segment(2, 1, 0, nv);
  W.add_block(3);
  segment(3, 3, 3, 3);
  return W;
}

TEST(ConstraintJacobian, MultipliesAsItsDenseForm) {
  Matrix dense;
  const ConstraintJacobian W = sample(dense);
  ASSERT_EQ(W.rows(), 6);
  ASSERT_EQ(W.block_count(), 3);
  const Vector v = Vector::LinSpaced(nv, -1.0, 2.0), lambda = Vector::LinSpaced(6, 0.5, -3.0);
  Vector gamma(6), y = Vector::Ones(nv);
  W.transpose_multiply(v.data(), gamma.data());
  W.multiply_add(lambda.data(), y.data());
  EXPECT_LE((gamma - dense * v).norm(), 1e-12);
  EXPECT_LE((y - Vector::Ones(nv) - dense.transpose() * lambda).norm(), 1e-12);
}

TEST(ConstraintJacobian, KeepsLeadingRowsOfSomeBlocks) {
  Matrix dense;
  const ConstraintJacobian W = sample(dense);
  const std::array<Index, 2> blocks = {0, 2}, rows = {1, 2};
  ConstraintJacobian part;
  part.assign_leading_rows(W, blocks, rows);
  ASSERT_EQ(part.rows(), 3);
  const Vector v = Vector::LinSpaced(nv, -1.0, 2.0);
  Vector gamma(3), expected(3);
  part.transpose_multiply(v.data(), gamma.data());
  expected << dense.row(0).dot(v), dense.row(3).dot(v), dense.row(4).dot(v);
  EXPECT_LE((gamma - expected).norm(), 1e-12);
}

TEST(ConstraintJacobian, StartsAgainEmptyAndZero) {
  Matrix dense;
  ConstraintJacobian W = sample(dense);
  W.clear();
  EXPECT_EQ(W.rows(), 0);
  EXPECT_EQ(W.block_count(), 0);
  W.add_block(1);
  const double* entries = W.add_segment(0, nv);
  for (Index i = 0; i < nv; ++i) EXPECT_EQ(entries[i], 0.0);
}

}  // namespace
}  // namespace carom
