// Band and sparse factors against Eigen's dense algebra, and the work they save.
#include "carom/base/sparse_factor.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <random>

#include "carom/base/iteration_matrix.h"

namespace carom {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

class Random {
 public:
  double number() { return static_cast<double>(engine_()) / 2147483648.0 - 1.0; }
  Vector vector(Index n) {
    Vector x(n);
    for (Index i = 0; i < n; ++i) x[i] = number();
    return x;
  }
  // Entries where -lower <= j - i <= upper.
  Matrix band(Index n, Index lower, Index upper) {
    Matrix A = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = std::max(0, i - lower); j <= std::min(n - 1, i + upper); ++j) A(i, j) = number();
    return A;
  }
  Matrix positive_band(Index n, Index width) {
    const Matrix L = band(n, width, 0) + 2.0 * Matrix::Identity(n, n);
    return L * L.transpose();
  }

 private:
  std::mt19937 engine_{11};
};

void expect_solves(const Matrix& A, const BandFactor& factor, Random& random) {
  const Vector x = random.vector(static_cast<Index>(A.rows()));
  Vector b = A * x;
  factor.solve(b.data());
  EXPECT_LE((b - x).norm(), 1e-14 * A.norm() * A.inverse().norm() * x.norm()) << "size " << A.rows();
}

TEST(BandFactor, SolvesSymmetricBandsOfEverySize) {
  Random random;
  BandFactor factor;
  for (Index width = 0; width <= 5; ++width)
    for (Index n = 1; n <= 14; ++n) {
      const Matrix A = random.positive_band(n, width);
      const Sparse S = A.sparseView();
      ASSERT_TRUE(factor.factor(S, bandwidth(S), true));
      expect_solves(A, factor, random);
    }
}

TEST(BandFactor, SolvesGeneralBandsWithPivoting) {
  Random random;
  BandFactor factor;
  for (Index lower = 0; lower <= 3; ++lower)
    for (Index upper = 0; upper <= 3; ++upper)
      for (Index n = 1; n <= 12; ++n) {
        Matrix A = random.band(n, lower, upper);
        if (lower > 0 && upper > 0 && n > 1) A(0, 0) = 0.0;  // must pivot
        const Sparse S = A.sparseView();
        ASSERT_TRUE(factor.factor(S, bandwidth(S), false));
        expect_solves(A, factor, random);
      }
}

TEST(BandFactor, PivotsWhereASymmetricMatrixIsIndefinite) {
  Random random;
  BandFactor factor;
  for (Index width : {1, 3}) {
    Matrix A = random.band(9, width, 0);
    A = (A + A.transpose()).eval();
    const Sparse S = A.sparseView();
    ASSERT_TRUE(factor.factor(S, bandwidth(S), true));
    expect_solves(A, factor, random);
  }
}

TEST(BandFactor, RefusesSingularAndBrokenMatrices) {
  BandFactor factor;
  Matrix A = Matrix::Zero(5, 5);
  for (Index i = 0; i < 5; ++i) A(i, i) = 2.0;
  A(2, 2) = 0.0;
  for (const bool symmetric : {true, false}) {
    Sparse S = A.sparseView();
    EXPECT_FALSE(factor.factor(S, {1, 1}, symmetric));
    S = Matrix::Identity(5, 5).sparseView();
    S.coeffRef(3, 3) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factor.factor(S, {1, 1}, symmetric));
  }
}

// Free ends, unit masses and springs.
Sparse chain(Index n, double diagonal, double neighbour) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, diagonal);
    if (i + 1 < n) {
      entries.emplace_back(i, i + 1, neighbour);
      entries.emplace_back(i + 1, i, neighbour);
    }
  }
  Sparse A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}
// The five-point operator on a k x k grid: no narrow band.
Sparse grid(Index k, double shift, double skew) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto at = [k](Index i, Index j) { return i * k + j; };
  for (Index i = 0; i < k; ++i)
    for (Index j = 0; j < k; ++j) {
      entries.emplace_back(at(i, j), at(i, j), 4.0 + shift);
      if (i + 1 < k) {
        entries.emplace_back(at(i, j), at(i + 1, j), -1.0 + skew);
        entries.emplace_back(at(i + 1, j), at(i, j), -1.0 - skew);
      }
      if (j + 1 < k) {
        entries.emplace_back(at(i, j), at(i, j + 1), -1.0);
        entries.emplace_back(at(i, j + 1), at(i, j), -1.0);
      }
    }
  Sparse A(k * k, k * k);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

void expect_solves(const Matrix& A, const SparseFactor& factor, Random& random) {
  const Vector x = random.vector(static_cast<Index>(2 * A.rows()));
  Vector b(x.size());
  b << A * x.head(A.rows()), A * x.tail(A.rows());
  factor.solve(b.data(), 2);
  EXPECT_LE((b - x).norm(), 1e-11 * x.norm());
}

TEST(SparseFactor, SumsTermsOfDifferentPatterns) {
  Random random;
  SparseFactor factor;
  const Sparse M = chain(20, 4.0, 1.0);
  Sparse K(20, 20);
  K.insert(3, 7) = 2.0;
  K.insert(7, 3) = 2.0;
  K.insert(5, 5) = -0.5;
  K.makeCompressed();
  const SparseFactor::Term terms[] = {{1.0, &M, nullptr}, {-0.3, &K, nullptr}};
  ASSERT_TRUE(factor.factor(terms, 20));
  EXPECT_TRUE(factor.symmetric());
  expect_solves(Matrix(M) - 0.3 * Matrix(K), factor, random);
}

TEST(SparseFactor, TakesTheWayThatFits) {
  Random random;
  for (const double skew : {0.0, 0.3})
    for (const bool narrow : {true, false}) {
      SparseFactor factor;
      Sparse A = narrow ? chain(144, 4.0, 1.0) : grid(12, 0.1, skew);
      if (narrow) A.coeffRef(3, 2) += skew;
      const SparseFactor::Term terms[] = {{1.0, &A, nullptr}};
      ASSERT_TRUE(factor.factor(terms, 144));
      EXPECT_EQ(factor.banded(), narrow);
      EXPECT_EQ(factor.symmetric(), skew == 0.0);
      expect_solves(Matrix(A), factor, random);
    }
}

TEST(SparseFactor, FollowsValuesWithoutNewPattern) {
  Random random;
  for (const bool narrow : {true, false}) {
    SparseFactor factor;
    Sparse A = narrow ? chain(49, 4.0, 1.0) : grid(7, 0.1, 0.0);
    const SparseFactor::Term terms[] = {{2.0, &A, nullptr}};
    std::uint64_t stamp = 0;
    for (int k = 0; k < 3; ++k) {
      A *= 1.5;
      ASSERT_TRUE(factor.factor(terms, 49));
      EXPECT_NE(factor.stamp(), stamp);
      stamp = factor.stamp();
      expect_solves(2.0 * Matrix(A), factor, random);
    }
    EXPECT_EQ(factor.patterns(), 1);
    EXPECT_EQ(factor.factorisations(), 3);
    A = narrow ? chain(20, 4.0, 1.0) : grid(6, 0.1, 0.0);
    ASSERT_TRUE(factor.factor(terms, static_cast<Index>(A.rows())));
    EXPECT_EQ(factor.patterns(), 2);
    expect_solves(2.0 * Matrix(A), factor, random);
  }
}

TEST(SparseFactor, FactorsConstantMatricesOnce) {
  const auto M = std::make_shared<const ConstantMatrix>(chain(30, 4.0, 1.0));
  const auto K = std::make_shared<const ConstantMatrix>(chain(30, -2.0, 1.0));
  SparseFactor factor;
  const auto with = [&](double b) {
    const SparseFactor::Term terms[] = {{1.0, &M->sparse(), M}, {b, &K->sparse(), K}};
    return factor.factor(terms, 30);
  };
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(with(-0.1));
  EXPECT_EQ(factor.factorisations(), 1);
  ASSERT_TRUE(with(-0.2));
  EXPECT_EQ(factor.factorisations(), 2);
  EXPECT_EQ(factor.patterns(), 1);
}

TEST(SparseFactor, AFailureIsNotRemembered) {
  SparseFactor factor;
  Sparse A = chain(4, 0.0, 0.0);
  const SparseFactor::Term terms[] = {{1.0, &A, nullptr}};
  EXPECT_FALSE(factor.factor(terms, 4));
  EXPECT_EQ(factor.stamp(), 0u);
  A = chain(4, 3.0, 1.0);
  EXPECT_TRUE(factor.factor(terms, 4));
}

TEST(ConstantMatrix, MultipliesByDiagonalsAndByColumns) {
  Random random;
  for (const Sparse& A : {chain(1, 2.0, 0.0), chain(2, 2.0, 1.0), chain(1500, 2.0, 1.0), grid(9, 0.2, 0.1),
                          Sparse(random.band(700, 2, 3).sparseView()), Sparse(6, 6)}) {
    const ConstantMatrix constant(A);
    const Vector x = random.vector(constant.size()), y = random.vector(constant.size());
    Vector sum = y;
    constant.multiply_add(-0.7, x.data(), sum.data());
    EXPECT_LE((sum - (y - 0.7 * (A * x))).norm(), 1e-13 * (1.0 + y.norm()));
    EXPECT_NEAR(constant.bilinear(y.data(), x.data()), y.dot(A * x), 1e-12 * constant.size());
  }
  EXPECT_TRUE(ConstantMatrix(chain(50, 2.0, 1.0)).by_diagonals());
  Sparse arrow = chain(50, 2.0, 0.0);
  for (Index i = 1; i < 50; ++i) arrow.coeffRef(0, i) = 1.0;
  EXPECT_FALSE(ConstantMatrix(arrow).by_diagonals());
}

TEST(IterationMatrix, RecognisesConstantParts) {
  StructuredMatrix M, K, none;
  M.share(std::make_shared<const ConstantMatrix>(chain(10, 4.0, 1.0)));
  K.share(std::make_shared<const ConstantMatrix>(chain(10, -2.0, 1.0)));
  IterationMatrix A;
  ASSERT_TRUE(A.factor(M, 0.0, none, 0.01, K));
  const std::uint64_t stamp = A.stamp();
  EXPECT_NE(stamp, 0u);
  ASSERT_TRUE(A.factor(M, 0.0, none, 0.01, K));
  EXPECT_EQ(A.stamp(), stamp);
  ASSERT_TRUE(A.factor(M, 0.0, none, 0.02, K));
  EXPECT_NE(A.stamp(), stamp);
  // The same entries, not known to be constant.
  K.sparse(10) = chain(10, -2.0, 1.0);
  EXPECT_EQ(K.constant(), nullptr);
  ASSERT_TRUE(A.factor(M, 0.0, none, 0.02, K));
  Vector x = (Matrix(chain(10, 4.0, 1.0)) - 0.02 * Matrix(chain(10, -2.0, 1.0))) * Vector::Ones(10);
  A.solve(x.data());
  EXPECT_LE((x - Vector::Ones(10)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom
