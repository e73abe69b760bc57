// Small LU, structured matrices and the iteration matrix against Eigen's dense algebra.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <random>

#include "carom/base/iteration_matrix.h"
#include "carom/base/small_lu.h"
#include "carom/base/structured_matrix.h"

namespace carom {
namespace {

class Random {
 public:
  Matrix matrix(Index rows, Index columns) {
    Matrix A(rows, columns);
    for (Index j = 0; j < columns; ++j)
      for (Index i = 0; i < rows; ++i) A(i, j) = static_cast<double>(engine_()) / 2147483648.0 - 1.0;
    return A;
  }
  Matrix positive_definite(Index n) {
    const Matrix A = matrix(n, n);
    return A * A.transpose() + Matrix::Identity(n, n);
  }

 private:
  std::mt19937 engine_{5};
};

Matrix to_dense(const StructuredMatrix& A) {
  Matrix D = Matrix::Zero(A.size(), A.size());
  for (Index j = 0; j < A.size(); ++j) {
    const Vector unit = Vector::Unit(A.size(), j);
    A.multiply_add(1.0, unit.data(), D.col(j).data());
  }
  return D;
}

TEST(SmallLu, SolvesEverySize) {
  Random random;
  for (int n = 1; n <= 12; ++n)
    for (int repeat = 0; repeat < 20; ++repeat) {
      Matrix A = random.matrix(n, n);
      A(0, 0) = 0.0;  // must pivot
      if (n == 1) A(0, 0) = 2.0;
      const Matrix X = random.matrix(n, 3);
      Matrix B = A * X, lu = A;
      std::vector<int> pivots(static_cast<std::size_t>(n));
      ASSERT_TRUE(lu_factor(lu.data(), pivots.data(), n));
      lu_solve(lu.data(), pivots.data(), n, B.data(), 3);
      const double condition = A.norm() * A.inverse().norm();
      EXPECT_LE((B - X).norm(), 1e-14 * condition * X.norm()) << n;
    }
}

TEST(SmallLu, RefusesSingularAndBrokenMatrices) {
  for (int n = 2; n <= 8; ++n) {
    Matrix A = Matrix::Ones(n, n);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    EXPECT_FALSE(lu_factor(A.data(), pivots.data(), n));
    A = Matrix::Identity(n, n);
    A(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(lu_factor(A.data(), pivots.data(), n));
  }
}

void fill_dense(StructuredMatrix& A, const Matrix& D) {
  MatrixMap(A.dense(static_cast<Index>(D.rows())), D.rows(), D.cols()) = D;
}
void fill_blocks(StructuredMatrix& A, const Matrix& D) {
  Matrix3* blocks = A.block_diagonal(static_cast<Index>(D.rows()));
  for (Index b = 0; b < D.rows() / 3; ++b) blocks[b] = D.block<3, 3>(3 * b, 3 * b);
}
void fill_sparse(StructuredMatrix& A, const Matrix& D) { A.sparse(static_cast<Index>(D.rows())) = D.sparseView(); }
Matrix only_blocks(const Matrix& D) {
  Matrix B = Matrix::Zero(D.rows(), D.cols());
  for (Index b = 0; b < D.rows() / 3; ++b) B.block<3, 3>(3 * b, 3 * b) = D.block<3, 3>(3 * b, 3 * b);
  return B;
}

TEST(StructuredMatrix, MultipliesInEveryStructure) {
  Random random;
  const Matrix D = random.matrix(6, 6);
  StructuredMatrix A;
  fill_dense(A, D);
  EXPECT_LE((to_dense(A) - D).norm(), 1e-15);
  fill_sparse(A, D);
  EXPECT_LE((to_dense(A) - D).norm(), 1e-15);
  fill_blocks(A, D);
  EXPECT_LE((to_dense(A) - only_blocks(D)).norm(), 1e-15);
  A.set_zero(6);
  EXPECT_EQ(to_dense(A), Matrix(Matrix::Zero(6, 6)));

  fill_dense(A, D);
  const Vector x = random.matrix(6, 1), y = random.matrix(6, 1);
  Vector sum = y;
  A.multiply_add(-2.0, x.data(), sum.data());
  EXPECT_LE((sum - (y - 2.0 * D * x)).norm(), 1e-14);
}

// All mixtures of structures: A = M - a dh_dv - b dh_dq, whichever way the parts are stored.
TEST(IterationMatrix, SolvesEveryMixtureOfStructures) {
  Random random;
  const double a = 0.3, b = 0.05;
  using Fill = void (*)(StructuredMatrix&, const Matrix&);
  struct Kind {
    Fill fill;
    Structure structure;
  };
  const Kind kinds[] = {{fill_dense, Structure::dense},
                        {fill_blocks, Structure::block_diagonal},
                        {fill_sparse, Structure::sparse},
                        {nullptr, Structure::zero}};
  IterationMatrix A;  // reused: nothing may be left over from the last structure
  for (const Kind& inertia : kinds) {
    if (!inertia.fill) continue;
    for (const Kind& in_v : kinds)
      for (const Kind& in_q : kinds) {
        StructuredMatrix M, dh_dv, dh_dq;
        inertia.fill(M, 5.0 * random.positive_definite(6));
        dh_dv.set_zero(6);
        dh_dq.set_zero(6);
        if (in_v.fill) in_v.fill(dh_dv, random.matrix(6, 6));
        if (in_q.fill) in_q.fill(dh_dq, random.matrix(6, 6));
        const Matrix expected = to_dense(M) - a * to_dense(dh_dv) - b * to_dense(dh_dq);
        ASSERT_TRUE(A.factor(M, a, dh_dv, b, dh_dq));
        EXPECT_EQ(A.size(), 6);
        if (A.symmetric()) {
          EXPECT_LE((expected - expected.transpose()).norm(), 1e-12 * expected.norm());
        }
        if (inertia.structure == in_v.structure && in_v.structure == in_q.structure) {
          EXPECT_EQ(A.structure(), inertia.structure);
        }
        const Matrix X = random.matrix(6, 2);
        Matrix B = expected * X;
        A.solve(B.data(), 2);
        EXPECT_LE((B - X).norm(), 1e-12 * X.norm());
      }
    StructuredMatrix M;
    inertia.fill(M, random.positive_definite(6));
    ASSERT_TRUE(A.factor(M));
    EXPECT_TRUE(A.symmetric());
    Vector x = to_dense(M) * Vector::Ones(6);
    A.solve(x.data());
    EXPECT_LE((x - Vector::Ones(6)).norm(), 1e-11);
  }
}

TEST(IterationMatrix, TellsASingularMatrix) {
  IterationMatrix A;
  StructuredMatrix M;
  fill_dense(M, Matrix::Ones(3, 3));
  EXPECT_FALSE(A.factor(M));
  fill_blocks(M, Matrix::Zero(6, 6));
  EXPECT_FALSE(A.factor(M));
}

}  // namespace
}  // namespace carom
