// Dense decompositions: what they return multiplies back to what they were given.
#include "carom/base/dense_solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "carom/base/small_svd.h"

namespace carom {
namespace {

Matrix random_matrix(std::mt19937& generator, Index rows, Index columns) {
  std::normal_distribution<double> number;
  return Matrix::NullaryExpr(rows, columns, [&] { return number(generator); });
}

Matrix of_rank(std::mt19937& generator, Index n, Index rank) {
  return random_matrix(generator, n, rank) * random_matrix(generator, rank, n);
}

TEST(SmallSvd, FactorsMultiplyBackAndAreOrthogonal) {
  std::mt19937 generator(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + trial % SmallSvd::max_size;
    const Matrix A = random_matrix(generator, n, n);
    const SmallSvd svd(A.data(), n);
    const ConstMatrixMap U(svd.U, n, n), V(svd.V, n, n);
    const Matrix product = U * ConstVectorMap(svd.s, n).asDiagonal() * V.transpose();
    EXPECT_LT((product - A).norm(), 1e-14 * A.norm());
    EXPECT_LT((U.transpose() * U - Matrix::Identity(n, n)).norm(), 1e-12 * svd.largest() / svd.smallest());
    EXPECT_LT((V.transpose() * V - Matrix::Identity(n, n)).norm(), 1e-14);
  }
}

// The four conditions of Penrose say what a pseudo-inverse is; here two of them, and least norm by the third.
TEST(SmallSvd, TheShortestSolutionOfADeficientMatrix) {
  std::mt19937 generator(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 2 + trial % 5, rank = 1 + trial % (n - 1);
    const Matrix A = of_rank(generator, n, rank);
    const SmallSvd svd(A.data(), n);
    Matrix inverse = Matrix::Identity(n, n);
    for (Index j = 0; j < n; ++j) svd.pseudo_solve(inverse.col(j).data(), 1e-12);
    const double scale = A.norm() * inverse.norm();
    EXPECT_LT((A * inverse * A - A).norm(), 1e-13 * scale * A.norm());
    EXPECT_LT((A * inverse - (A * inverse).transpose()).norm(), 1e-13 * scale);
    EXPECT_LT((inverse * A - (inverse * A).transpose()).norm(), 1e-13 * scale);
    EXPECT_EQ(least_norm_solution(A, Matrix::Identity(n, n)).rank, rank);
    EXPECT_LT((least_norm_solution(A, Matrix::Identity(n, n)).X - inverse).norm(), 1e-11 * scale * inverse.norm());
  }
}

TEST(SmallSvd, NothingIsTheInverseOfNothing) {
  const double A[] = {0.0, 0.0, 0.0, 0.0};
  const SmallSvd svd(A, 2);
  double x[] = {1.0, 2.0};
  svd.pseudo_solve(x, 1e-12);
  EXPECT_EQ(x[0], 0.0);
  EXPECT_EQ(x[1], 0.0);
}

TEST(DenseSolve, SolutionsSatisfyTheirEquations) {
  std::mt19937 generator(3);
  for (Index n : {1, 3, 20}) {
    const Matrix A = random_matrix(generator, n, n), B = random_matrix(generator, n, 2);
    EXPECT_LT((A * lu_solution(A, B) - B).norm(), 1e-11 * B.norm());
    const Matrix S = A * A.transpose() + Matrix::Identity(n, n);
    const Vector b = B.col(0);
    EXPECT_LT((S * ldlt_solution(S, b) - b).norm(), 1e-11 * b.norm());
  }
}

TEST(DenseSolve, EigenvectorsOfAPairAreOrthonormalInItsMass) {
  std::mt19937 generator(4);
  const Index n = 12;
  const Matrix root = random_matrix(generator, n, n), A = root + root.transpose();
  const Matrix other = random_matrix(generator, n, n), M = other * other.transpose() + Matrix::Identity(n, n);
  const SymmetricEigen plain(A), pair(A, M);
  ASSERT_TRUE(plain.found && pair.found);
  EXPECT_LT((A * plain.vectors - plain.vectors * plain.values.asDiagonal()).norm(), 1e-12 * A.norm());
  EXPECT_LT((A * pair.vectors - M * pair.vectors * pair.values.asDiagonal()).norm(), 1e-11 * A.norm());
  EXPECT_LT((pair.vectors.transpose() * M * pair.vectors - Matrix::Identity(n, n)).norm(), 1e-11);
  EXPECT_TRUE(std::is_sorted(pair.values.begin(), pair.values.end()));
}

}  // namespace
}  // namespace carom
