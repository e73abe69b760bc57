// Sparse LU by blocks against dense solutions, on chains, trees and arbitrary graphs; redundancy is counted; chains
// cost O(n).
#include "carom/base/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>
#include <set>

namespace carom {
namespace {

struct Blocks {
  std::vector<Index> sizes, row;
  std::vector<std::set<Index>> neighbours;
  Index rows = 0;

  Blocks(Index n, std::mt19937& random, Index largest = 6) : neighbours(static_cast<std::size_t>(n)) {
    for (Index b = 0; b < n; ++b) {
      sizes.push_back(std::uniform_int_distribution<Index>(1, largest)(random));
      row.push_back(rows);
      rows += sizes.back();
    }
  }
  Index count() const { return static_cast<Index>(sizes.size()); }
  void link(Index a, Index b) {
    if (a == b) return;
    neighbours[static_cast<std::size_t>(a)].insert(b);
    neighbours[static_cast<std::size_t>(b)].insert(a);
  }
  Index size(Index b) const { return sizes[static_cast<std::size_t>(b)]; }
  Index first(Index b) const { return row[static_cast<std::size_t>(b)]; }

  // The matrix into the factor; `given` leaves out what symmetry adds.
  void load(const Matrix& A, BlockLu& lu, bool lower_only = false) const {
    std::vector<std::size_t> begin = {0};
    std::vector<Index> columns;
    for (Index b = 0; b < count(); ++b) {
      for (const Index j : neighbours[static_cast<std::size_t>(b)])
        if (!lower_only || j < b) columns.push_back(j);
      begin.push_back(columns.size());
    }
    lu.set_pattern(sizes, begin, columns);
    lu.set_zero();
    std::size_t k = 0;
    for (Index b = 0; b < count(); ++b) {
      for (const Index j : neighbours[static_cast<std::size_t>(b)])
        if (!lower_only || j < b)
          MatrixMap(lu.block(k++), size(b), size(j)) += A.block(first(b), first(j), size(b), size(j));
      MatrixMap(lu.diagonal(b), size(b), size(b)) += A.block(first(b), first(b), size(b), size(b));
    }
  }
};

Matrix random_matrix(const Blocks& blocks, std::mt19937& random, double diagonal) {
  std::normal_distribution<double> normal;
  Matrix A = Matrix::Zero(blocks.rows, blocks.rows);
  for (Index b = 0; b < blocks.count(); ++b) {
    for (const Index j : blocks.neighbours[static_cast<std::size_t>(b)])
      for (Index i = 0; i < blocks.size(b); ++i)
        for (Index k = 0; k < blocks.size(j); ++k) A(blocks.first(b) + i, blocks.first(j) + k) = normal(random);
    for (Index i = 0; i < blocks.size(b); ++i)
      for (Index k = 0; k < blocks.size(b); ++k)
        A(blocks.first(b) + i, blocks.first(b) + k) = normal(random) + (i == k ? diagonal : 0.0);
  }
  return A;
}

TEST(BlockLu, SolvesWhatDenseFactorisationsSolve) {
  std::mt19937 random(7);
  BlockLu lu;  // one object for all: patterns change under it
  for (int scene = 0; scene < 60; ++scene) {
    const Index n = std::uniform_int_distribution<Index>(1, 25)(random);
    Blocks blocks(n, random);
    const int kind = scene % 4;
    for (Index b = 1; b < n; ++b) {
      if (kind == 0) blocks.link(b - 1, b);
      if (kind == 1) blocks.link(std::uniform_int_distribution<Index>(0, b - 1)(random), b);
      if (kind == 2)
        for (int k = 0; k < 3; ++k) blocks.link(std::uniform_int_distribution<Index>(0, n - 1)(random), b);
      if (kind == 3)
        for (Index j = 0; j < b; ++j) blocks.link(j, b);
    }
    const Matrix A = random_matrix(blocks, random, 30.0);
    Vector x = Vector::Random(blocks.rows);
    const Vector expected = A.partialPivLu().solve(x);
    blocks.load(A, lu);
    ASSERT_EQ(lu.factor(1e-12), 0);
    lu.solve(x.data());
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << "scene " << scene;
  }
}

TEST(BlockLu, AddsWhatAPatternLacksToBeSymmetric) {
  std::mt19937 random(3);
  Blocks blocks(6, random);
  for (Index b = 1; b < 6; ++b) blocks.link(b - 1, b);
  Matrix A = random_matrix(blocks, random, 20.0);
  for (Index b = 1; b < 6; ++b)
    A.block(blocks.first(b - 1), blocks.first(b), blocks.size(b - 1), blocks.size(b)).setZero();
  Vector x = Vector::Random(blocks.rows);
  const Vector expected = A.partialPivLu().solve(x);
  BlockLu lu;
  blocks.load(A, lu, true);
  ASSERT_EQ(lu.factor(1e-12), 0);
  lu.solve(x.data());
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
}

// G = B B' with B of too few columns: as many pivots vanish as rows are redundant, and a consistent system is solved.
TEST(BlockLu, CountsRedundantRows) {
  std::mt19937 random(11);
  for (int scene = 0; scene < 20; ++scene) {
    Blocks blocks(8, random, 3);
    for (Index b = 0; b < 8; ++b)
      for (Index j = 0; j < b; ++j) blocks.link(j, b);
    const Index missing = std::uniform_int_distribution<Index>(1, 4)(random);
    if (blocks.rows <= missing) continue;
    const Matrix B = Matrix::Random(blocks.rows, blocks.rows - missing);
    const Matrix A = B * B.transpose();
    BlockLu lu;
    blocks.load(A, lu);
    EXPECT_EQ(lu.factor(1e-10), missing);
    const Vector b = A * Vector::Random(blocks.rows);
    Vector x = b;
    lu.solve(x.data());
    EXPECT_LT((A * x - b).norm(), 1e-6 * b.norm());
  }
}

TEST(BlockLu, HoldsAChainInLinearMemoryAndKeepsItsPattern) {
  std::mt19937 random(5);
  std::size_t bytes[2];
  for (const int k : {0, 1}) {
    const Index n = k == 0 ? 500 : 1000;
    Blocks blocks(n, random, 1);
    for (Index b = 1; b < n; ++b) blocks.link(b - 1, b);
    BlockLu lu;
    Matrix A = Matrix::Zero(blocks.rows, blocks.rows);
    for (Index i = 0; i < n; ++i) A(i, i) = 2.0;
    for (Index i = 1; i < n; ++i) A(i, i - 1) = A(i - 1, i) = -1.0;
    for (int again = 0; again < 3; ++again) {
      blocks.load(A, lu);
      ASSERT_EQ(lu.factor(1e-12), 0);
    }
    EXPECT_EQ(lu.analyses(), 1);
    Vector x = Vector::Ones(n);
    lu.solve(x.data());
    EXPECT_LT((A * x - Vector::Ones(n)).norm(), 1e-9);
    bytes[k] = lu.bytes();
  }
  EXPECT_LT(bytes[1], 2 * bytes[0] + 100);
}

}  // namespace
}  // namespace carom
