// K M^-1 W by blocks, and systems of blocks, against dense algebra.
#include "carom/base/stiff_directions.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "carom/base/block_system.h"
#include "carom/base/gram_blocks.h"

namespace carom {
namespace {

constexpr Index bodies = 20, n = 3 * bodies;

Matrix3 random_spd(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Matrix3 B = Matrix3::NullaryExpr([&] { return normal(random); });
  return B * B.transpose() + 0.5 * Matrix3::Identity();
}

// Constraints of one to three rows on two bodies each.
ConstraintJacobian random_W(Index constraints, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<Index> body(0, bodies - 1), rows(1, 3);
  ConstraintJacobian W;
  for (Index b = 0; b < constraints; ++b) {
    const Index count = rows(random), first = body(random), second = (first + 1 + body(random) % (bodies - 1)) % bodies;
    W.add_block(count);
    for (const Index at : {first, second}) {
      double* entries = W.add_segment(3 * at, 3);
      for (Index i = 0; i < 3 * count; ++i) entries[i] = normal(random);
    }
  }
  return W;
}

Matrix dense(const ConstraintJacobian& W) {
  Buffer columns;
  W.to_columns(n, columns);
  return ConstMatrixMap(columns.data(), n, W.rows());
}

struct Scene {
  Inertia M;
  IterationMatrix inverse;
  Matrix M_dense = Matrix::Zero(n, n);
  ConstraintJacobian W;

  explicit Scene(std::mt19937& random) : W(random_W(30, random)) {
    Matrix3* blocks = M.block_diagonal(n);
    for (Index b = 0; b < bodies; ++b) M_dense.block<3, 3>(3 * b, 3 * b) = blocks[b] = random_spd(random);
    EXPECT_TRUE(inverse.factor(M));
  }
};

TEST(StiffDirections, AreThoseOfTheDenseProduct) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    const Scene scene(random);
    // Springs between four pairs of bodies; the matrix need not be symmetric.
    ForceJacobian K;
    Matrix K_dense = Matrix::Zero(n, n);
    for (Index s = 0; s < 4; ++s)
      for (const Index a : {2 * s, 2 * s + 9})
        for (const Index b : {2 * s, 2 * s + 9})
          K_dense.block<3, 3>(3 * a, 3 * b) += Matrix3::NullaryExpr([&] { return normal(random); });
    K.sparse(n) = K_dense.sparseView();
    StiffDirections springs;
    springs.set(K, scene.inverse, scene.W);
    ASSERT_FALSE(springs.empty());
    const Matrix expected = K_dense * scene.M_dense.inverse() * dense(scene.W);
    EXPECT_LT((dense(springs.directions()) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());

    // Of single bodies: gyroscopic terms.
    ForceJacobian D;
    Matrix D_dense = Matrix::Zero(n, n);
    Matrix3* blocks = D.block_diagonal(n);
    for (Index b = 0; b < bodies; ++b)
      D_dense.block<3, 3>(3 * b, 3 * b) = blocks[b] = Matrix3::NullaryExpr([&] { return normal(random); });
    springs.set(D, scene.inverse, scene.W);
    const Matrix gyroscopic = D_dense * scene.M_dense.inverse() * dense(scene.W);
    EXPECT_LT((dense(springs.directions()) - gyroscopic).cwiseAbs().maxCoeff(),
              1e-12 * gyroscopic.cwiseAbs().maxCoeff());
  }
}

TEST(StiffDirections, NothingWithoutForces) {
  std::mt19937 random(1);
  const Scene scene(random);
  ForceJacobian K;
  K.set_zero(n);
  StiffDirections springs;
  springs.set(K, scene.inverse, scene.W);
  EXPECT_TRUE(springs.empty());
}

// W' M^-1 W with unknowns of sizes that differ by ten orders: the scaled system is solved to rounding, a row that
// stands there twice is counted.
TEST(BlockSystem, SolvesInItsOwnUnits) {
  std::mt19937 random(3);
  const Scene scene(random);
  ConstraintJacobian W;
  for (Index b = 0; b < 12; ++b) {  // a chain
    W.add_block(2);
    for (const Index at : {b, b + 1}) {
      double* entries = W.add_segment(3 * at, 3);
      for (Index i = 0; i < 6; ++i) entries[i] = (b % 2 == 0 ? 1e-5 : 1e5) * std::normal_distribution<double>()(random);
    }
  }
  const auto solve = [&](const ConstraintJacobian& rows, Vector& x, const Vector& right) {
    GramBlocks gram;
    gram.begin(rows, scene.inverse, rows);
    std::vector<Index> sizes, columns;
    std::vector<std::size_t> begin = {0};
    for (Index b = 0; b < rows.block_count(); ++b) {
      sizes.push_back(rows.block(b).rows);
      for (const Index j : gram.row(b)) columns.push_back(j);
      begin.push_back(columns.size());
    }
    BlockSystem system;
    system.set_pattern(sizes, begin, columns);
    Buffer root(rows.rows());
    for (Index b = 0; b < rows.block_count(); ++b)
      for (std::size_t k = system.row_begin(b); k < system.row_end(b); ++k) {
        gram.add(b, system.column(k), system.block(k));
        if (system.column(k) == b)
          for (Index i = 0; i < 2; ++i) root[system.row(b) + i] = std::sqrt(system.block(k)[3 * i]);
      }
    system.scale(root);
    EXPECT_TRUE(system.solve(right.data(), x.data()));
    return system.rank();
  };
  const auto gram_of = [&](const ConstraintJacobian& rows) {
    const Matrix D = dense(rows);
    return Matrix(D.transpose() * scene.M_dense.inverse() * D);
  };
  const Vector wanted = Vector::NullaryExpr(W.rows(), [&] { return std::normal_distribution<double>()(random); });
  Vector x(W.rows());
  EXPECT_EQ(solve(W, x, gram_of(W) * wanted), W.rows());
  const Matrix G = gram_of(W);
  for (Index i = 0; i < W.rows(); ++i)  // in the units of the row
    EXPECT_NEAR(x[i] * std::sqrt(G(i, i)), wanted[i] * std::sqrt(G(i, i)),
                1e-9 * (wanted.array() * G.diagonal().array().sqrt()).abs().maxCoeff());

  ConstraintJacobian twice = W;
  twice.add_block(2);
  for (const Index at : {3, 4}) {
    double* entries = twice.add_segment(3 * at, 3);
    for (Index s = W.block(3).segment_begin; s < W.block(3).segment_end; ++s)
      if (W.segment(s).offset == 3 * at) std::copy_n(W.entries(W.segment(s)), 6, entries);
  }
  Vector y(twice.rows()), both = Vector::Ones(twice.rows());
  EXPECT_EQ(solve(twice, y, gram_of(twice) * both), W.rows());
  // Least norm: what stands there twice is shared equally.
  EXPECT_NEAR(y[6], y[W.rows()], 1e-6 * std::abs(y[6]));
  EXPECT_NEAR(y[7], y[W.rows() + 1], 1e-6 * std::abs(y[7]));
}

}  // namespace
}  // namespace carom
